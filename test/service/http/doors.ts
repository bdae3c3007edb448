import { wire } from './sockets.ts'

const WEB_SOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

/** The status of a request such as `GET /` under a name, or of a WebSocket at a path: `UPGRADE /`. */
export async function statusOf(port: number, door: string, host: string, headers: readonly string[] = []) {
  const [method = '', path] = door.split(' ')
  const isUpgrade = method === 'UPGRADE'
  const { socket, send, until } = await wire(port)
  const own = isUpgrade ? WEB_SOCKET : ['Authorization: Bot bot', 'Accept: text/html', 'Content-Length: 0']
  send(
    [`${isUpgrade ? 'GET' : method} ${path} HTTP/1.1`, `Host: ${host}`, ...own, ...headers, '', ''].join(
      '\r\n',
    ),
  )
  const response = await until('\r\n\r\n')
  socket.destroy()
  return Number(response.split(' ')[1])
}

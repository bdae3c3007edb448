/** The gateway in workerd, in one Durable Object: a bundle of this is run by `node test/runtimes/embedded.mjs gateway`. */
import { upgradeInWorker } from '../../docs/examples/gateway-worker.mjs'
import { gatewayJob, makeGateway } from './gateway-job.mjs'

export class GatewayObject {
  gateway = makeGateway()

  async fetch(request) {
    if (request.headers.get('upgrade') === 'websocket') {
      return upgradeInWorker(request, this.gateway, 'ws://gateway.example')
    }
    if (request.method === 'POST') this.gateway.dispatch(await request.json())
    else this.gateway.sessions[0].drop()
    return new Response()
  }
}

export default {
  async test(controller, { gateways }) {
    const object = gateways.get(gateways.idFromName('gateway'))
    const connect = async () => {
      const headers = { upgrade: 'websocket' }
      const { webSocket } = await object.fetch('http://gateway.example/?v=10&encoding=json', { headers })
      webSocket.accept()
      return webSocket
    }
    await gatewayJob(connect, {
      dispatch: (interaction) =>
        object.fetch('http://gateway.example', { method: 'POST', body: JSON.stringify(interaction) }),
      drop: () => object.fetch('http://gateway.example'),
    })
  },
}

import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface RedisNode {
  readonly port: number
  readonly process: ChildProcess
}

export interface RedisCluster {
  readonly nodes: readonly RedisNode[]
  stop(): Promise<void>
}

/** Whether a cluster can be started on this machine. */
export function hasRedisServer(): boolean {
  return ['redis-server', 'redis-cli'].every((name) => spawnSync(name, ['--version']).status === 0)
}

/** Three masters on loopback that share the slots, ready to serve. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'commandry-'))
  const nodes: RedisNode[] = []
  async function stop(): Promise<void> {
    await Promise.all(nodes.map((node) => ended(node.process)))
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    while (nodes.length < 3) nodes.push(await startNode(directory))
    const addresses = nodes.map((node) => `127.0.0.1:${node.port}`)
    await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'])
    for (const { port } of nodes) await served(port)
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop }
}

const run = promisify(execFile)

async function startNode(directory: string): Promise<RedisNode> {
  const port = await freePort()
  const process = spawn('redis-server', [
    ...['--port', `${port}`, '--bind', '127.0.0.1', '--cluster-enabled', 'yes'],
    ...[
      '--dir',
      directory,
      '--cluster-config-file',
      `nodes-${port}.conf`,
      '--save',
      '',
      '--appendonly',
      'no',
    ],
  ])
  await new Promise<void>((resolve, reject) => {
    let said = ''
    process.stdout.on('data', (data: Buffer) => {
      said += data.toString()
      if (said.includes('Ready to accept connections')) resolve()
    })
    process.on('error', reject)
    process.on('exit', () => reject(new Error(`redis-server ended:\n${said}`)))
  })
  return { port, process }
}

/** Asks until the node finds the cluster complete; each question waits for its answer. */
async function served(port: number): Promise<void> {
  for (;;) {
    const { stdout } = await run('redis-cli', ['-p', `${port}`, 'cluster', 'info'])
    if (stdout.includes('cluster_state:ok')) return
  }
}

// The nodes talk to each other on a port ten thousand above.
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    if (port < 55_000) return port
  }
}

function ended(process: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (process.exitCode !== null || process.signalCode !== null) return resolve()
    process.on('exit', () => resolve())
    process.kill()
  })
}

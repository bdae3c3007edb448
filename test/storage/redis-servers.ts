/** Redis servers of the tests: a single one, or the masters of a cluster. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { newDirectory } from '../support/directory.ts'
import { hasProgram } from '../support/programs.ts'
import { BUS, onFreePort } from '../support/ports.ts'
import { passed, until } from '../support/waiting.ts'

/** Whether a server or a cluster can be started on this machine. */
export function hasRedisServer(): boolean {
  return ['redis-server', 'redis-cli'].every(hasProgram)
}

/** An empty server on loopback. */
export async function startRedisServer() {
  const directory = newDirectory()
  const remove = () => rmSync(directory, { recursive: true, force: true })
  try {
    const node = await onFreePort((port) => startNode(directory, port))
    return {
      url: `redis://127.0.0.1:${node.port}`,
      stop: () => ended(node.process).then(remove),
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** A master and its replica, which have the same documents within milliseconds. */
export async function startReplicatedRedis() {
  const directory = newDirectory()
  const nodes: RedisNode[] = []
  const stop = async () => {
    await Promise.all(nodes.map((node) => ended(node.process)))
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const master = await onFreePort((port) => startNode(directory, port))
    nodes.push(master)
    const follow = ['--replicaof', '127.0.0.1', `${master.port}`, '--repl-diskless-sync-delay', '0']
    const replica = await onFreePort((port) => startNode(directory, port, follow))
    nodes.push(replica)
    const ask = async (...command: string[]) =>
      (await run('redis-cli', ['-p', `${replica.port}`, ...command])).stdout
    await until(async () => (await ask('info', 'replication')).includes('master_link_status:up'))
    return {
      url: `redis://127.0.0.1:${master.port}`,
      /** The replica takes over while the master, which it no longer follows, serves some time, and is killed. @returns its port */
      async failOver(): Promise<number> {
        await ask('replicaof', 'no', 'one')
        await passed(100)
        master.process.kill('SIGKILL')
        return replica.port
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Three masters on loopback that share the slots, each with some replicas, ready to serve. */
export async function startRedisCluster(replicas = 0, options: readonly string[] = []) {
  const directory = newDirectory()
  const nodes: RedisNode[] = []
  async function stop(): Promise<void> {
    await Promise.all(nodes.map((node) => ended(node.process)))
    rmSync(directory, { recursive: true, force: true })
  }
  const own = (port: number) => ['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`]
  const member = (port: number) => startNode(directory, port, [...own(port), ...options])
  /** Starts a node that was killed; it comes back under its old name. */
  async function restart(port: number): Promise<void> {
    nodes[nodes.findIndex((node) => node.port === port)] = await member(port)
  }
  try {
    while (nodes.length < 3 * (1 + replicas)) nodes.push(await onFreePort(member, BUS))
    const addresses = nodes.map((node) => `127.0.0.1:${node.port}`)
    await run('redis-cli', [
      '--cluster',
      'create',
      ...addresses,
      '--cluster-replicas',
      `${replicas}`,
      '--cluster-yes',
    ])
    for (const { port } of nodes) await served(port)
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, restart, stop }
}

const run = promisify(execFile)

type RedisNode = Awaited<ReturnType<typeof startNode>>

/** Starts a server that keeps nothing but the state of its cluster, in a directory. */
async function startNode(directory: string, port: number, more: readonly string[] = []) {
  const process = spawn('redis-server', [
    ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no'],
    ...more,
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

/** Polls until the node reports a complete cluster. */
async function served(port: number): Promise<void> {
  for (;;) {
    const { stdout } = await run('redis-cli', ['-p', `${port}`, 'cluster', 'info'])
    if (stdout.includes('cluster_state:ok')) return
  }
}

function ended(process: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (process.exitCode !== null || process.signalCode !== null) return resolve()
    process.on('exit', () => resolve())
    process.kill()
  })
}

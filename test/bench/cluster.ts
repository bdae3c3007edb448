/** Three Redis masters with a replica each, on loopback. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BUS, onFreePort } from '../storage/ports.ts'
import { ended, startNode, type RedisNode } from '../storage/redis-servers.ts'

const run = promisify(execFile)

export type BenchCluster = Awaited<ReturnType<typeof startBenchCluster>>

export async function startBenchCluster(nodeTimeout: number) {
  const directory = mkdtempSync(join(tmpdir(), 'commandry-'))
  const nodes = new Map<number, RedisNode>()
  const cli = async (port: number, ...args: string[]) =>
    (await run('redis-cli', ['-p', `${port}`, ...args])).stdout

  async function start(port: number): Promise<void> {
    const options = `--cluster-enabled yes --cluster-config-file nodes-${port}.conf --cluster-node-timeout ${nodeTimeout}
      --repl-diskless-sync-delay 0 --cluster-allow-replica-migration no`
    nodes.set(port, await startNode(directory, port, options.split(/\s+/)))
  }

  async function isWhole(port: number): Promise<boolean> {
    const info = await cli(port, 'cluster', 'info')
    const replication = await cli(port, 'info', 'replication')
    const upToDate = replication.includes('role:slave')
      ? replication.includes('master_link_status:up')
      : /connected_slaves:[1-9]/.test(replication)
    return info.includes('cluster_state:ok') && info.includes('cluster_slots_fail:0') && upToDate
  }

  async function whole(): Promise<void> {
    for (const port of nodes.keys()) while (!(await isWhole(port)));
  }

  while (nodes.size < 6) await onFreePort(start, BUS)
  const ports = [...nodes.keys()]
  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'])
  await whole()
  return {
    ports,
    cli,
    child: (port: number) => nodes.get(port)!.process,
    /** Starts a node that was killed; it comes back under its old name. */
    restart: start,
    /** Asks until every node finds the cluster whole and every replica is up to date. */
    whole,
    async stop() {
      await Promise.all([...nodes.values()].map(({ process }) => ended(process)))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

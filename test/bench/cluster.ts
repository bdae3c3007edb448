/** Three Redis masters with a replica each, on loopback. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startRedisCluster } from '../storage/redis-servers.ts'

const run = promisify(execFile)

export type BenchCluster = Awaited<ReturnType<typeof startBenchCluster>>

export async function startBenchCluster(nodeTimeout: number) {
  const options = `--cluster-node-timeout ${nodeTimeout} --repl-diskless-sync-delay 0
    --cluster-allow-replica-migration no`
  const { nodes, restart, stop } = await startRedisCluster(1, options.split(/\s+/))
  const ports = nodes.map(({ port }) => port)
  const cli = async (port: number, ...args: string[]) =>
    (await run('redis-cli', ['-p', `${port}`, ...args])).stdout

  async function isWhole(port: number): Promise<boolean> {
    const info = await cli(port, 'cluster', 'info')
    const replication = await cli(port, 'info', 'replication')
    const upToDate = replication.includes('role:slave')
      ? replication.includes('master_link_status:up')
      : /connected_slaves:[1-9]/.test(replication)
    return info.includes('cluster_state:ok') && info.includes('cluster_slots_fail:0') && upToDate
  }

  async function whole(): Promise<void> {
    for (const port of ports) while (!(await isWhole(port)));
  }

  await whole()
  return {
    ports,
    cli,
    child: (port: number) => nodes.find((node) => node.port === port)!.process,
    restart,
    /** Asks until every node finds the cluster whole and every replica is up to date. */
    whole,
    stop,
  }
}

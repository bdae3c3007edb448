/** The milliseconds for which this process works on a call: other processes do not count, however busy they are. */
export function cpuMilliseconds(call: () => unknown): number {
  const before = process.cpuUsage()
  call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

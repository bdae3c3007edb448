/**
 * The versions of runtimes that the tests start, besides the Node that runs them, and the day of the last look
 * for newer ones, of these and of the packages in both `package.json`.
 */
export const versions = {
  lookedAt: '2026-11-28',
  node: ['22.23.3', '24.21.0', '26.10.0'],
  bun: '1.4.5',
  deno: '2.9.6',
  workerd: '1.20261117.1',
} as const

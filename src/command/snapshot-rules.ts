/** Rules about a snapshot of an application, beside those its commands and permissions pass like any others. */
import { rule, type Broken } from '../core/rule.ts'
import type { Found } from './shape.ts'
import { put, type Body } from './breaking.ts'

/** Of a snapshot's shape; raised when it changes. */
export const SNAPSHOT_FORMAT = 1

export const snapshotFormat = rule({
  code: 'snapshot.format',
  clause: '9-02',
  summary: `A snapshot says that its format is ${SNAPSHOT_FORMAT}.`,
  on: 'snapshot',
  check: (format: unknown) => format === SNAPSHOT_FORMAT,
  message: ({ actual }: Found) =>
    `is ${actual}; this version of commandry reads snapshots of format ${SNAPSHOT_FORMAT}`,
  wire: { code: 'SNAPSHOT_FORMAT_INVALID', message: `The format is not ${SNAPSHOT_FORMAT}` },
  breaks: (body: Body, pick): Broken => ({
    body: put(body, ['format'], [SNAPSHOT_FORMAT + 1, String(SNAPSHOT_FORMAT), null][pick(3)]),
    path: ['format'],
  }),
})

export const snapshotState = rule({
  code: 'snapshot.state',
  clause: '9-02',
  summary: 'A snapshot holds only what a registry could have stored.',
  on: 'snapshot',
  check: (holds: boolean) => holds,
  message: ({ fault }: { fault: string }) => fault,
  wire: ({ fault }: { fault: string }) => ({ code: 'SNAPSHOT_INVALID', message: `The value ${fault}` }),
  breaks: (): Broken => ({
    body: {
      format: SNAPSHOT_FORMAT,
      application_id: '1',
      scopes: [{ guild_id: null, commands: [], tenures: [], creates: { day: '', count: 1 }, latest: '0' }],
      permissions: [],
    },
    path: ['scopes', 0, 'creates', 'count'],
  }),
})

export const snapshotRules = [snapshotFormat, snapshotState] as const

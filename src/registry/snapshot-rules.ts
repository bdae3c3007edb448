/**
 * Rules about a snapshot of an application, beside those its commands and permissions obey like any others. The valid
 * snapshots that they break have a command in their first scope, the global one.
 */
import { broken, put, type Body } from '../command/breaking.ts'
import { found, type Found } from '../command/shape.ts'
import { utcDay } from '../core/clock.ts'
import { sameJson, type JsonObject } from '../core/json.ts'
import { NO_PARAMS, rule, type Broken, type Path } from '../core/rule.ts'
import { compareSnowflakes, isSnowflake } from '../core/snowflake.ts'
import { counted, describeValue } from '../core/text.ts'
import { DAILY_CREATES_MAX } from './scope-rules.ts'

/** The format of a snapshot; raised when its shape changes. */
export const SNAPSHOT_FORMAT = 1

const DECISION = 'decision 21'

const emptyScopeBody: Body = {
  guild_id: null,
  commands: [],
  tenures: [],
  creates: { day: '', count: 0 },
  latest: '9',
}
const permissionSet: Body = {
  id: '1',
  application_id: '1',
  guild_id: '2',
  permissions: [{ id: '3', type: 1, permission: true }],
}
const guildPermissions: Body = { guild_id: '2', sets: [permissionSet], tenures: [null] }

/** A snapshot of application 1 with one fault. */
function snapshot(parts: Body, path: Path, value: unknown): Broken {
  const whole: Body = { format: SNAPSHOT_FORMAT, application_id: '1', scopes: [], permissions: [], ...parts }
  return { body: put(whole, path, value), path }
}

export const snapshotFormat = rule({
  code: 'snapshot.format',
  clause: DECISION,
  summary: `The format of a snapshot is ${SNAPSHOT_FORMAT}.`,
  on: 'snapshot',
  check: (format: unknown) => (format === SNAPSHOT_FORMAT ? undefined : found(format)),
  message: ({ actual }: Found) =>
    `is ${actual}; this version of commandry reads snapshots of format ${SNAPSHOT_FORMAT}`,
  breaks: (_: Body, pick) =>
    snapshot({}, ['format'], [SNAPSHOT_FORMAT + 1, String(SNAPSHOT_FORMAT), null][pick(3)]),
})

export const snapshotRepeated = rule({
  code: 'snapshot.repeated',
  clause: DECISION,
  summary: 'Every guild, and every command or application in a guild, stands once in its list.',
  on: 'snapshot',
  check: (value: unknown, seen: ReadonlySet<unknown>) => (seen.has(value) ? found(value) : undefined),
  message: ({ actual }: Found) => `is ${actual} a second time`,
  breaks: () =>
    snapshot(
      { scopes: [emptyScopeBody, { ...emptyScopeBody, guild_id: '2' }] },
      ['scopes', 1, 'guild_id'],
      null,
    ),
})

export const snapshotId = rule({
  code: 'snapshot.id',
  clause: '2.1-01',
  summary: 'The commands of different scopes have different ids, and none has the id of the application.',
  on: 'snapshot',
  check: (id: string, scope: string | null, other: string | null | undefined, applicationId: string) => {
    if (id === applicationId) return { id, owner: 'the application' }
    return other === undefined || other === scope ? undefined : { id, owner: 'a command of another scope' }
  },
  message: ({ id, owner }: { id: string; owner: string }) => `is ${id}, the id of ${owner}`,
  breaks(body: Body, pick) {
    const [scope] = body.scopes
    const { dm_permission, contexts, integration_types, ...shared } = scope.commands[0]
    const inGuild = { ...shared, guild_id: '2', id: '5' }
    const scopes = [scope, { ...scope, guild_id: '2', commands: [inGuild] }]
    const id = pick(2) === 0 ? shared.id : body.application_id
    return broken({ ...body, scopes }, ['scopes', 1, 'commands', 0, 'id'], id)
  },
})

export const snapshotCommand = rule({
  code: 'snapshot.command',
  clause: DECISION,
  summary: 'A command has exactly the keys and values that the service answers for it.',
  on: 'snapshot',
  check: (key: string, body: JsonObject, answered: JsonObject) =>
    Object.hasOwn(body, key) === Object.hasOwn(answered, key) && sameJson(body[key], answered[key])
      ? undefined
      : NO_PARAMS,
  message: () => 'is not what the service answers for this command',
  breaks: (body: Body) => broken(body, ['scopes', 0, 'commands', 0, 'extra'], true),
})

export const snapshotLatest = rule({
  code: 'snapshot.latest',
  clause: DECISION,
  summary: '`latest` is no earlier than any id, version or tenure of the scope.',
  on: 'snapshot',
  check: (latest: unknown, given: readonly unknown[]) => {
    const later = given.find(
      (id) => isSnowflake(id) && isSnowflake(latest) && compareSnowflakes(id, latest) > 0,
    )
    return later === undefined ? undefined : { actual: describeValue(latest), later: String(later) }
  },
  message: ({ actual, later }: { actual: string; later: string }) =>
    `is ${actual}, but the scope holds ${later}, which is later`,
  breaks: (body: Body) => broken(body, ['scopes', 0, 'latest'], body.scopes[0].commands[0].id),
})

/** 2^63 - 2^32: later ids would soon run out. */
const LATEST_MAX = '9223372032559808512'

export const snapshotRoom = rule({
  code: 'snapshot.latest_max',
  clause: DECISION,
  limit: { max: LATEST_MAX },
  summary: '`latest` leaves room for later ids.',
  on: 'snapshot',
  check: (latest: unknown) =>
    isSnowflake(latest) && compareSnowflakes(latest, LATEST_MAX) > 0 ? found(latest) : undefined,
  message: ({ actual }: Found) => `is ${actual}, which leaves no room for later ids`,
  breaks: () => snapshot({ scopes: [emptyScopeBody] }, ['scopes', 0, 'latest'], '9223372036854775807'),
})

export const snapshotTenures = rule({
  code: 'snapshot.tenures',
  clause: DECISION,
  summary: 'There is one tenure for each command, and for each set of permissions.',
  on: 'snapshot',
  check: (tenures: readonly unknown[], count: number) =>
    tenures.length === count ? undefined : { actual: tenures.length, count },
  message: ({ actual, count }: { actual: number; count: number }) =>
    `has ${counted(actual, 'item')}; expected ${count}, one for each command or set`,
  breaks: () => snapshot({ scopes: [emptyScopeBody] }, ['scopes', 0, 'tenures'], ['4']),
})

export const snapshotOwnTenure = rule({
  code: 'snapshot.own_tenure',
  clause: DECISION,
  summary: "The tenure of a set of permissions is null exactly for the application's own set.",
  on: 'snapshot',
  check: (tenure: unknown, isOwn: boolean) =>
    tenure === undefined || (tenure === null) === isOwn ? undefined : found(tenure),
  message: ({ actual }: Found) => `is ${actual}; it is null for the application itself, and only there`,
  breaks: () => snapshot({ permissions: [guildPermissions] }, ['permissions', 0, 'tenures', 0], '4'),
})

export const snapshotDay = rule({
  code: 'snapshot.day',
  clause: DECISION,
  summary: 'A day is a UTC date such as `2026-01-31`, or empty when nothing was created.',
  on: 'snapshot',
  check: (day: unknown) => (day === '' || isDay(day) ? undefined : found(day)),
  message: ({ actual }: Found) => `is ${actual}; expected a date such as "2026-01-31"`,
  breaks: () => snapshot({ scopes: [emptyScopeBody] }, ['scopes', 0, 'creates', 'day'], '2026-02-30'),
})

export const snapshotCreates = rule({
  code: 'snapshot.creates',
  clause: '8-02',
  limit: { min: 0, max: DAILY_CREATES_MAX },
  summary: `The creates of a day are a whole number up to ${DAILY_CREATES_MAX}; without a day there are none.`,
  on: 'snapshot',
  check: (count: unknown, day: unknown) => {
    const max = day === '' ? 0 : DAILY_CREATES_MAX
    const isCount = Number.isInteger(count) && (count as number) >= 0 && (count as number) <= max
    return isCount ? undefined : { ...found(count), max }
  },
  message: ({ actual, max }: Found & { max: number }) =>
    `is ${actual}; expected a whole number from 0 to ${max}`,
  breaks: () => snapshot({ scopes: [emptyScopeBody] }, ['scopes', 0, 'creates', 'count'], 1),
})

export const snapshotOwner = rule({
  code: 'snapshot.owner',
  clause: DECISION,
  summary: 'A set of permissions names the application of the snapshot and the guild it is listed under.',
  on: 'snapshot',
  check: (id: unknown, owner: unknown) => (id === owner ? undefined : { owner: describeValue(owner) }),
  message: ({ owner }: { owner: string }) => `is not ${owner}, to which the set belongs`,
  breaks: () =>
    snapshot({ permissions: [guildPermissions] }, ['permissions', 0, 'sets', 0, 'application_id'], '7'),
})

export const snapshotPermissions = rule({
  code: 'snapshot.permissions',
  clause: DECISION,
  summary: 'A set of permissions has at least one entry.',
  on: 'snapshot',
  check: (entries: readonly unknown[]) => (entries.length > 0 ? undefined : NO_PARAMS),
  message: () => 'is empty; leave out commands without permissions',
  breaks: () =>
    snapshot({ permissions: [guildPermissions] }, ['permissions', 0, 'sets', 0, 'permissions'], []),
})

export const snapshotRules = [
  snapshotFormat,
  snapshotRepeated,
  snapshotId,
  snapshotCommand,
  snapshotLatest,
  snapshotRoom,
  snapshotTenures,
  snapshotOwnTenure,
  snapshotDay,
  snapshotCreates,
  snapshotOwner,
  snapshotPermissions,
] as const

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(value)
  return !Number.isNaN(time) && utcDay(time) === value
}

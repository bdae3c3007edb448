/** Rules about a snapshot of an application, beside those its commands and permissions obey like any others. */
import { form, found } from '../../core/rules/rule-kinds.ts'
import { utcDay } from '../../core/clock.ts'
import { sameJson, type JsonObject } from '../../core/json.ts'
import { NO_PARAMS, rule } from '../../core/rules/rule.ts'
import { compareSnowflakes, isSnowflake } from '../../core/snowflake.ts'
import { counted, describeValue } from '../../core/text.ts'
import { DAILY_CREATES_MAX } from './scope-rules.ts'

/** The format of a snapshot; raised when its shape changes. */
export const SNAPSHOT_FORMAT = 1

/** 2^63 - 2^32: later ids would soon run out. */
const LATEST_MAX = '9223372032559808512'

const clause = 'decision 21'

export const rules = {
  format: rule({
    code: 'snapshot.format',
    clause,
    summary: `The format of a snapshot is ${SNAPSHOT_FORMAT}.`,
    ...form(
      (format) => format === SNAPSHOT_FORMAT,
      `this version of commandry reads snapshots of format ${SNAPSHOT_FORMAT}`,
    ),
  }),
  repeated: rule({
    code: 'snapshot.repeated',
    clause,
    summary: 'Every guild, and every command or application in a guild, stands once in its list.',
    check: (value: unknown, seen: ReadonlySet<unknown>) => (seen.has(value) ? found(value) : undefined),
    message: ({ actual }) => `is ${actual} a second time`,
  }),
  id: rule({
    code: 'snapshot.id',
    clause: '2.1-01',
    summary: 'The commands of different scopes have different ids, and none has the id of the application.',
    check(id: string, scope: string | null, other: string | null | undefined, applicationId: string) {
      if (id === applicationId) return { id, owner: 'the application' }
      return other === undefined || other === scope ? undefined : { id, owner: 'a command of another scope' }
    },
    message: ({ id, owner }) => `is ${id}, the id of ${owner}`,
  }),
  command: rule({
    code: 'snapshot.command',
    clause,
    summary: 'A command has exactly the keys and values that the service answers for it.',
    check: (key: string, body: JsonObject, answered: JsonObject) =>
      Object.hasOwn(body, key) === Object.hasOwn(answered, key) && sameJson(body[key], answered[key])
        ? undefined
        : NO_PARAMS,
    message: () => 'is not what the service answers for this command',
  }),
  latest: rule({
    code: 'snapshot.latest',
    clause,
    summary: '`latest` is no earlier than any id, version or tenure of the scope.',
    check(latest: unknown, given: readonly unknown[]) {
      const isLater = (id: unknown) =>
        isSnowflake(id) && isSnowflake(latest) && compareSnowflakes(id, latest) > 0
      const later = given.find(isLater)
      return later === undefined ? undefined : { actual: describeValue(latest), later: String(later) }
    },
    message: ({ actual, later }) => `is ${actual}, but the scope holds ${later}, which is later`,
  }),
  room: rule({
    code: 'snapshot.latest_max',
    clause,
    limit: { max: LATEST_MAX },
    summary: '`latest` leaves room for later ids.',
    check: (latest: unknown) =>
      isSnowflake(latest) && compareSnowflakes(latest, LATEST_MAX) > 0 ? found(latest) : undefined,
    message: ({ actual }) => `is ${actual}, which leaves no room for later ids`,
  }),
  tenures: rule({
    code: 'snapshot.tenures',
    clause,
    summary: 'There is one tenure for each command, and for each set of permissions.',
    check: ({ length }: readonly unknown[], count: number) =>
      length === count ? undefined : { actual: length, count },
    message: ({ actual, count }) =>
      `has ${counted(actual, 'item')}; expected ${count}, one for each command or set`,
  }),
  ownTenure: rule({
    code: 'snapshot.own_tenure',
    clause,
    summary: "The tenure of a set of permissions is null exactly for the application's own set.",
    check: (tenure: unknown, isOwn: boolean) =>
      tenure === undefined || (tenure === null) === isOwn ? undefined : found(tenure),
    message: ({ actual }) => `is ${actual}; it is null for the application itself, and only there`,
  }),
  day: rule({
    code: 'snapshot.day',
    clause,
    summary: 'A day is a UTC date such as `2026-01-31`, or empty when nothing was created.',
    ...form((day) => day === '' || isDay(day), 'expected a date such as "2026-01-31"'),
  }),
  creates: rule({
    code: 'snapshot.creates',
    clause: '8-02',
    limit: { min: 0, max: DAILY_CREATES_MAX },
    summary: `The creates of a day are a whole number up to ${DAILY_CREATES_MAX}; without a day there are none.`,
    check(count: unknown, day: unknown) {
      const max = day === '' ? 0 : DAILY_CREATES_MAX
      const isCount = Number.isInteger(count) && (count as number) >= 0 && (count as number) <= max
      return isCount ? undefined : { ...found(count), max }
    },
    message: ({ actual, max }) => `is ${actual}; expected a whole number from 0 to ${max}`,
  }),
  owner: rule({
    code: 'snapshot.owner',
    clause,
    summary: 'A set of permissions names the application of the snapshot and the guild it is listed under.',
    check: (id: unknown, owner: unknown) => (id === owner ? undefined : { owner: describeValue(owner) }),
    about: 'text',
    message: ({ owner }) => `is not ${owner}, to which the set belongs`,
  }),
  permissions: rule({
    code: 'snapshot.permissions',
    clause,
    summary: 'A set of permissions has at least one entry.',
    check: (entries: readonly unknown[]) => (entries.length > 0 ? undefined : NO_PARAMS),
    message: () => 'is empty; leave out commands without permissions',
  }),
}

export const snapshotRules = /* @__PURE__ */ Object.values(rules)

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(value)
  return !Number.isNaN(time) && utcDay(time) === value
}

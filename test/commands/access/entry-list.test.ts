import { describe, expect, it } from 'vitest'
import { allChannelsId, everyoneId, validatePermissions } from 'commandry'
import { several } from '../../support/bodies.ts'
import { accepted, advice, isDeeplyFrozen, messages, reasons, refused, warned } from '../../support/found.ts'

const entry = (fields: object = {}) => ({ id: '3001', type: 1, permission: true, ...fields })
const found = (fields: object) => validatePermissions([entry(fields)])
const faults = (body: unknown) => refused(validatePermissions(body))
const hints = (body: unknown) => warned(validatePermissions(body))

describe('the entries of a command', () => {
  it('[2.9-01] [2.9-02] keep their order and three fields, and are frozen', () => {
    const entries = [entry(), entry({ id: '1', type: 2, permission: false }), entry({ id: '2', type: 3 })]
    const read = accepted(validatePermissions(entries))
    expect(read).toEqual(entries)
    expect(isDeeplyFrozen(read)).toBe(true)
    expect(hints(entries)).toEqual([])
  })

  it('[2.9-01] may be a list or a request body, with paths into either', () => {
    const broken = [entry(), entry({ type: 4 })]
    expect(accepted(validatePermissions({ permissions: [entry()] }))).toEqual([entry()])
    expect(faults(broken)).toEqual(['permission.type [1].type 2.9-02'])
    expect(faults({ permissions: broken })).toEqual(['permission.type permissions[1].type 2.9-02'])
  })

  it('[2.9-01] may be empty', () => {
    expect(accepted(validatePermissions([]))).toEqual([])
    expect(accepted(validatePermissions({ permissions: [] }))).toEqual([])
  })

  it('[2.9-01] [8-05] are at most 100', () => {
    const entries = (count: number) => several(count, (i) => entry({ id: `${i}` }))
    expect(accepted(validatePermissions(entries(100)))).toHaveLength(100)
    expect(reasons(validatePermissions(entries(101)))).toEqual([
      'permissions.count 8-05: has 101 entries; at most 100 are allowed',
    ])
    expect(faults({ permissions: entries(101) })).toEqual(['permissions.count permissions 8-05'])
  })

  it.each([[undefined], [null]])('[2.1-22] are rejected as %j', (permissions) => {
    expect(faults(permissions)).toEqual(['shape.required 2.1-22'])
    expect(faults({ permissions })).toEqual(['shape.required permissions 2.1-22'])
  })

  it.each(['[]', 5, true])('[2.9-01] [2.1-24] are rejected inside a body as %j', (permissions) => {
    expect(faults(permissions)).toEqual(['shape.list 2.1-24'])
    expect(faults({ permissions })).toEqual(['shape.list permissions 2.1-24'])
    expect(faults({ permissions: {} })).toEqual(['shape.list permissions 2.1-24'])
  })

  it.each([[null], ['3001'], [5], [[]]])('[2.9-02] may not contain %j', (body) => {
    expect(faults([entry(), body])).toEqual(['shape.object [1] 2.1-24'])
  })
})

describe('an entry', () => {
  it.each(['id', 'type', 'permission'])('[2.9-02] [2.1-22] requires a `%s` other than null', (field) => {
    for (const nothing of [undefined, null])
      expect(faults([entry({ [field]: nothing })])).toEqual([`shape.required [0].${field} 2.1-22`])
  })

  const ids = ['0', '1', '1029384756', '9007199254740993', '9223372036854775807']
  it.each(ids)('[2.9-02] accepts %s as its target', (id) => {
    expect(accepted(found({ id }))[0]?.id).toBe(id)
  })

  it.each([
    ...['', ' 1', '01', '-1', '1.5', '1e3', '0x1', '١', 'everyone', '9223372036854775808', '1'.repeat(20)],
    ...[1, 1029384756, 1.5, true, [], ['1'], {}],
  ])('[2.9-02] [2.1-01] rejects the id %j', (id) => {
    expect(faults([entry({ id })])).toEqual(['shape.snowflake [0].id 2.1-01'])
  })

  it.each([1, 2, 3])('[2.9-02] accepts the type %i', (type) => {
    expect(accepted(found({ type }))[0]?.type).toBe(type)
  })

  it.each<unknown>([0, 4, -1, 1.5, '1', true, [], [1], {}, { toString: [] }])(
    '[2.9-02] rejects the type %j',
    (type) => {
      expect(faults([entry({ type })])).toEqual(['permission.type [0].type 2.9-02'])
      expect(messages(found({ type }))[0]).toMatch(/; expected 1 ROLE, 2 USER or 3 CHANNEL$/)
    },
  )

  it.each([0, 1, 'true', '', [], {}])('[2.9-02] rejects the permission %j', (permission) => {
    expect(faults([entry({ permission })])).toEqual(['shape.boolean [0].permission 2.1-24'])
  })

  it('[7-01] reports all its problems at once, as other entries do', () => {
    expect(faults([entry({ id: 5, type: 9, permission: 1 }), entry({ permission: 'x' })])).toEqual([
      'shape.snowflake [0].id 2.1-01',
      'permission.type [0].type 2.9-02',
      'shape.boolean [0].permission 2.1-24',
      'shape.boolean [1].permission 2.1-24',
    ])
  })
})

describe('warnings', () => {
  it('[2.9-02] report a repeated target, whose last entry counts', () => {
    const one = entry({ id: '1' })
    const again = validatePermissions([one, entry({ id: '2' }), { ...one, permission: false }, one])
    expect(accepted(again)).toHaveLength(4)
    const counts = 'has no effect: entry 4 is for the same target and counts instead'
    expect(advice(again)).toEqual([0, 2].map((index) => `permissions.repeated [${index}] 2.9-02: ${counts}`))
  })

  it('[2.9-02] are absent for one id with several types', () => {
    expect(hints([1, 2, 3].map((type) => entry({ type })))).toEqual([])
  })

  it('[2.1-20] report unknown keys, beside the list and in an entry', () => {
    const body = { permissions: [entry({ may: true })], permission: [], reason: undefined }
    expect(accepted(validatePermissions(body))).toEqual([entry()])
    expect(hints(body)).toEqual(['keys.unknown permissions[0].may 2.1-20', 'keys.unknown permission 2.1-20'])
  })

  it('[2.9-01] are absent for a whole response of the service', () => {
    const answered = { id: '1', application_id: '2', guild_id: '3', permissions: [entry()] }
    expect(accepted(validatePermissions(answered))).toEqual([entry()])
    expect(hints(answered)).toEqual([])
  })
})

describe('ids with a meaning', () => {
  it('[2.9-04] use the guild id for @everyone', () => {
    expect(everyoneId('2001')).toBe('2001')
  })

  it.each([
    ['2001', '2000'],
    ['1', '0'],
    ['1000000000000000000', '999999999999999999'],
    ['9007199254740993', '9007199254740992'],
    ['9223372036854775807', '9223372036854775806'],
  ])('[2.9-04] [2.1-01] use, for all channels of the guild %s, the id %s', (guild, channels) => {
    expect(allChannelsId(guild)).toBe(channels)
  })

  it.each(['', 'x', '1.5', '-1', '01', '0', 2001, null, undefined])(
    '[2.9-04] reject %j as a guild',
    (guild) => {
      expect(() => allChannelsId(guild as string)).toThrow(TypeError)
      expect(() => allChannelsId(guild as string)).toThrow(/^guildId: expected a snowflake above 0, got /)
    },
  )
})

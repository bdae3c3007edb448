import { describe, expect, it } from 'vitest'
import { validateCommands, type ValidationContext } from 'commandry'
import { commandOf, inGuild, option, several, slash } from '../../../support/bodies.ts'
import { accepted, messages, reasons, refused, warned } from '../../../support/found.ts'

const found = (bodies: unknown, context?: ValidationContext) => validateCommands(bodies, context)
const typed = (type: number, name: string, fields: object = {}) => commandOf(type, { name, ...fields })
const many = (type: number, count: number) => several(count, (i) => typed(type, `c${i}`))

const everyType = [...many(1, 100), ...many(2, 15), ...many(3, 15)]
const entryPoint = typed(4, 'Launch')

describe('a list of commands', () => {
  it('[4.1-06] [4.2-06] accepts an empty list and keeps the order of items', () => {
    expect(accepted(found([]))).toEqual([])
    const names = ['c', 'a', 'b']
    const read = accepted(found(names.map((name) => slash({ name }))))
    expect(read.map(({ name }) => name)).toEqual(names)
    expect(Object.isFrozen(read)).toBe(true)
  })

  it('[7-01] reports the problems of all commands under their indexes', () => {
    const bodies = [
      slash({ name: 'X' }),
      typed(2, 'Fine'),
      slash({ name: 'z', description: '', options: [option(3), option(3, { name: 'p', description: 5 })] }),
      typed(3, '', { name_localizations: { xx: 'x' } }),
    ]
    expect(refused(found(bodies))).toEqual([
      'name.case [0].name 2.1-06',
      'description.length [2].description 2.1-09',
      'shape.string [2].options[1].description 2.1-24',
      'name.length [3].name 2.1-04',
      'localization.locale [3].name_localizations.xx 2.1-08',
    ])
  })

  it('[2.1-20] warns at the index of the item', () => {
    expect(warned(found([slash(), slash({ name: 'b', dmPermission: true })]))).toEqual([
      'keys.unknown [1].dmPermission 2.1-20',
    ])
  })

  it('[2.8-04] accepts the documented defaults of guild items and does not store them', () => {
    const [item] = accepted(found([slash({ integration_types: [0], contexts: [0, 1, 2] })], inGuild))
    expect(item).not.toHaveProperty('integration_types')
    expect(item).not.toHaveProperty('contexts')
  })

  it('[4.4-02] rejects an entry point in a guild', () => {
    expect(refused(found([slash(), entryPoint], inGuild))).toEqual(['entry_point.guild [1].type 4.4-02'])
  })
})

describe('the number of commands', () => {
  it('[8-01] accepts 100 slash, 15 user, 15 message commands and, globally, 1 entry point', () => {
    expect(accepted(found([...everyType, entryPoint]))).toHaveLength(131)
    expect(accepted(found(everyType, inGuild))).toHaveLength(130)
  })

  it.each([
    [1, 100, 'slash', 'commands.count_chat_input'],
    [2, 15, 'user', 'commands.count_user'],
    [3, 15, 'message', 'commands.count_message'],
    [4, 1, 'entry point', 'commands.count_entry_point'],
  ])('[8-01] for type %i is at most %i', (type, max, kind, code) => {
    const message = `is ${kind} command number ${max + 1}; at most ${max} of the type are allowed`
    for (const context of type === 4 ? [undefined] : [undefined, inGuild]) {
      expect(refused(found(many(type, max), context))).toEqual([])
      expect(refused(found(many(type, max + 1), context))).toEqual([`${code} [${max}] 8-01`])
    }
    expect(messages(found(many(type, max + 1)))).toEqual([message])
    const others = type === 1 ? many(2, 3) : many(1, 3)
    expect(refused(found([...others, ...many(type, max + 2)]))).toEqual([`${code} [${3 + max}] 8-01`])
  })

  it('[8-01] reports once a list longer than the limits of all types together', () => {
    const tooMany = (has: number, most: number) => [
      `commands.count decision 09: has ${has} commands; at most ${most} are allowed`,
    ]
    expect(reasons(found(many(1, 132)))).toEqual(tooMany(132, 131))
    expect(reasons(found(many(1, 131), inGuild))).toEqual(tooMany(131, 130))
    expect(refused(found(many(1, 130), inGuild))).toEqual(['commands.count_chat_input [100] 8-01'])
  })
})

describe('names within a scope', () => {
  it.each([1, 2, 3])('[4.4-01] [4.2-07] rejects one name for two commands of type %i', (type) => {
    const twins = found([typed(type, 'x'), typed(type, 'y'), typed(type, 'x'), typed(type, 'x')])
    expect(refused(twins)).toEqual(['commands.unique [2] 4.4-01', 'commands.unique [3] 4.4-01'])
    const kind = ['slash', 'user', 'message'][type - 1]
    expect(messages(twins)[0]).toBe(
      `has the same name "x" as ${kind} command 1 of the list; names of one type must differ`,
    )
    expect(refused(found([typed(type, 'x'), typed(type, 'x')], inGuild))).toHaveLength(1)
  })

  it('[4.4-01] accepts one name for commands of different types, also with the default type', () => {
    expect(refused(found([slash({ name: 'x' }), ...[2, 3, 4].map((type) => typed(type, 'x'))]))).toEqual([])
    expect(refused(found([slash({ name: 'x' }), typed(1, 'x')]))).toEqual(['commands.unique [1] 4.4-01'])
  })

  it('[4.4-01] accepts names that differ in case, white space or normalization', () => {
    const names = ['Info', 'info', 'Info ', 'Infos', 'Caf\u00e9', 'Cafe\u0301']
    expect(refused(found(names.map((name) => typed(2, name))))).toEqual([])
  })

  it('[4.4-01] compares invalid names too', () => {
    expect(refused(found(several(2, () => slash({ name: 'X Y' }))))).toContain('commands.unique [1] 4.4-01')
  })

  it('[4.4-01] accepts equal localized names', () => {
    const localized = ['x', 'y'].map((name) => slash({ name, name_localizations: { de: 'gleich' } }))
    expect(refused(found(localized))).toEqual([])
  })

  it('[4.4-01] does not compare missing names', () => {
    const nameless = several(2, () => ({ description: 'b' }))
    expect(refused(found(nameless))).toEqual([0, 1].map((i) => `shape.required [${i}].name 2.1-22`))
  })
})

describe('ids of items', () => {
  it('[4.1-07] [2.1-01] keeps ids as strings and allows them to be absent', () => {
    const read = accepted(found([slash({ id: '9223372036854775807' }), slash({ name: 'b' })]))
    expect(read.map(({ id }) => id)).toEqual(['9223372036854775807', undefined])
  })

  const invalidIds = [5, '', 'x', '007', '-1', '1.5', ' 1', '9223372036854775808', true, {}, []]
  it.each(invalidIds)('[2.1-01] rejects %j', (id) => {
    expect(refused(found([slash({ id })]))).toEqual(['shape.snowflake [0].id 2.1-01'])
  })

  it('[2.1-01] shows an example of an id', () => {
    expect(messages(found([slash({ id: 5 })]))[0]).toMatch(
      /^is the number 5; expected an id: a string of digits such as "1029384756"/,
    )
  })

  it('[2.1-22] reads null as absent, with a warning', () => {
    const result = found([slash({ id: null })])
    expect(accepted(result)[0]).not.toHaveProperty('id')
    expect(warned(result)).toEqual(['shape.null [0].id 2.1-22'])
  })

  it('[4.1-07] rejects one id for two items', () => {
    const twins = found([slash({ id: '1' }), typed(2, 'x', { id: '2' }), slash({ name: 'c', id: '1' })])
    expect(reasons(twins)).toEqual([
      'commands.id [2].id 4.1-07: is 1, which is also the id of command 1 of the list; each command can be replaced once',
    ])
  })
})

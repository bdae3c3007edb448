import { describe, expect, it } from 'vitest'
import { validateCommand, validateCommands, validatePatch, validatePermissions } from 'commandry'
import type { ApplicationCommand } from 'commandry'
import { option, slash } from '../../../support/bodies.ts'
import { accepted, messages, refused, warned } from '../../../support/found.ts'

const text = (rest: object = {}) => option(3, rest)
const asJson = (value: unknown) => ({ toJSON: () => value })
/** A list of two items with a hole between them. */
function holed<T>(item: T): T[] {
  const list = [item, item, item]
  delete list[1]
  return list
}

describe('holes in lists', () => {
  it('[1-05] reads a hole as null, in every list', () => {
    const command = (fields: object) => validateCommand(slash(fields))
    const choices = holed({ name: 'c', value: 'v' })
    const channels = option(7, { channel_types: holed(0) })
    for (const [found, problem] of [
      [validateCommands(holed(slash())), 'shape.object [1] 2.1-24'],
      [command({ options: holed(text()) }), 'shape.object options[1] 2.1-24'],
      [command({ options: [text({ choices })] }), 'shape.object options[0].choices[1] 2.1-24'],
      [command({ contexts: holed(0) }), 'contexts.known contexts[1] 2.1-17'],
      [command({ integration_types: holed(0) }), 'integration_types.known integration_types[1] 2.1-16'],
      [command({ options: [channels] }), 'channel_types.known options[0].channel_types[1] 2.4-10'],
      [validatePermissions(holed({ id: '1', type: 1, permission: true })), 'shape.object [1] 2.1-24'],
    ] as const)
      expect(refused(found)).toContain(problem)
  })

  it('[1-05] [2.1-12] names no permissions for a list with a hole', () => {
    const lists = [holed('BAN_MEMBERS'), ['BAN_MEMBERS', null, 'BAN_MEMBERS']]
    const [own, plain] = lists.map((bits) => validateCommand(slash({ default_member_permissions: bits })))
    expect(own!.ok).toBe(false)
    expect(messages(own!)).toEqual(messages(plain!))
  })
})

describe('toJSON', () => {
  it('[1-06] is called at every depth, as by JSON.stringify', () => {
    const choice = asJson({ name: 'c', value: asJson('v') })
    const body = asJson(
      slash({
        name_localizations: asJson({ de: asJson('x') }),
        options: asJson([asJson(text({ name: asJson('o'), choices: asJson([choice]) }))]),
        contexts: asJson([asJson(0)]),
      }),
    )
    const plain: unknown = JSON.parse(JSON.stringify(body))
    const found = validateCommand(body)
    expect(found).toMatchObject({ ok: true })
    expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(JSON.stringify(validateCommand(plain))))
    expect(validateCommands([body, asJson(slash({ name: 'c' }))])).toMatchObject({ ok: true })
  })

  it('[1-06] is called once for an entry of a dictionary, so only checked texts are returned', () => {
    const texts = ['ban', 'NOT VALID']
    const name_localizations = { de: { toJSON: () => texts.shift() }, fr: 'bannir' }
    expect(validateCommand(slash({ name_localizations }))).toMatchObject({
      ok: true,
      value: { name_localizations: { de: 'ban', fr: 'bannir' } },
    })
  })
})

const definition = accepted(validateCommand(slash({ nsfw: true })))
const stored: ApplicationCommand = { id: '1', application_id: '2', version: '3', ...definition }
const application = { discoverable: true, integration_types: [0] as const }

it('[2.1-25] edits after the application settings changed are checked in the given fields only', () => {
  expect(validatePatch({ description: 'c' }, stored, { application })).toMatchObject({
    ok: true,
    value: { nsfw: true, integration_types: [0, 1], description: 'c' },
  })
  const given = { nsfw: true, integration_types: [1] }
  expect(refused(validatePatch(given, stored, { application }))).toEqual([
    'nsfw.discoverable nsfw 2.1-15',
    'integration_types.supported integration_types[0] 2.1-16',
  ])
})

describe('names in other lists of options', () => {
  const list = (name: string, field: object) => option(1, { name, options: [text(field)] })
  const command = (first: object, second: object) =>
    validateCommand(slash({ options: [list('one', first), list('two', second)] }))
  const at = 'options.localized_elsewhere options[1].options[0].name_localizations.de 2.10-06'

  it('[2.10-06] warns of a localized name that another list uses', () => {
    const [x, y] = ['x', 'y'].map((name) => ({ name, name_localizations: { de: 'z' } })) as [object, object]
    expect(warned(command(x, y))).toEqual([at])
    expect(warned(command({ name: 'z' }, y))).toEqual([at])
    expect(warned(command({ name: 'x', name_localizations: { fr: 'z' } }, y))).toEqual([])
  })

  it('[2.10-06] accepts equal translations of options with equal default names', () => {
    const same = { name: 'user', name_localizations: { de: 'nutzer' } }
    expect(warned(command(same, same))).toEqual([])
  })
})

describe('warnings about texts that Discord refuses or hides', () => {
  it('[2.1-05] warns of apostrophes in strict names', () => {
    expect(warned(validateCommand(slash({ name: "o'clock" })))).toEqual(['name.apostrophe name 2.1-05'])
    expect(warned(validateCommand({ type: 2, name: "O'Clock" }))).toEqual([])
  })

  it('[2.1-07] warns of control characters and invisible names', () => {
    for (const name of ['A\u0007B', '\u200b', '\u2800', 'A\u202eB'])
      expect(warned(validateCommand({ type: 2, name })), name).toEqual(['name.invisible name 2.1-07'])
    expect(warned(validateCommand({ type: 2, name: '👩‍🚀 Pin' }))).toEqual([])
  })

  it('[2.1-12] warns of bits without a permission, and suggests bits for permission names', () => {
    const field = 'default_member_permissions'
    const withBits = (bits: unknown) => validateCommand(slash({ [field]: bits }))
    expect(warned(withBits(String(2n ** 60n + 8n)))).toEqual([`${field}.unknown_bits ${field} 2.1-12`])
    const found = withBits(['BAN_MEMBERS', 'KickMembers'])
    expect(messages(found)).toEqual([
      'is a list; write the bit set as a string: BAN_MEMBERS and KICK_MEMBERS are "6"',
    ])
    for (const digits of [20, 21, 22])
      expect(refused(withBits(`1${'0'.repeat(digits)}`))).toEqual([`${field}.value ${field} 2.1-12`])
  })
})

it('rejects an invalid scope with a TypeError', () => {
  // @ts-expect-error There is no such scope.
  expect(() => validateCommand(slash(), { scope: 'gulid' })).toThrow(
    new TypeError('scope: expected "global" or "guild", got the string "gulid"'),
  )
})

import { describe, expect, it } from 'vitest'
import { choose, createInteraction, press, submit } from 'commandry/interactions'
import type { CommandInteraction, ComponentError, ModalValues } from 'commandry/interactions'
import { accepted } from '../../support/found.ts'

const command = { id: '10', application_id: '1001', version: '11', name: 'ban', description: 'b' } as const
let count = 900
const ids = { next: () => `${++count}` }
const tokens = (id: string) => `token-${id}`

function used(): CommandInteraction {
  const created = createInteraction(command, {
    guildId: '2001',
    channel: { id: '4001', type: 0 },
    member: { user: { id: '3001', username: 'ada' }, roles: ['5001'], permissions: 8n },
    locale: 'de',
    ids,
    tokens,
  })
  return accepted(created)
}

const button = (over: object) => ({ type: 2, style: 1, ...over })
const row = (...components: object[]) => ({ type: 1, components })
const message = (...components: object[]) => ({ id: '7001', content: 'x', flags: 0, components })
const use = (over: Partial<Parameters<typeof press>[2]> = {}) => ({
  interaction: used(),
  ids,
  tokens,
  ...over,
})

it('refuses arguments of another type with their name', () => {
  const shown = message(row(button({ custom_id: 'b', label: 'B' })))
  const modal = { custom_id: 'm', components: [] }
  const wrong = (value: unknown) => value as never
  for (const [call, name] of [
    [() => press(wrong(null), 'B', use()), 'message: expected a message, got null'],
    [() => press(shown, wrong(5), use()), 'button: expected a label or a custom_id, got the number 5'],
    [() => press(shown, 'B', wrong(undefined)), 'use: expected an object with the interaction, got missing'],
    [() => choose(shown, 'm', wrong('text'), use()), 'values: expected a list of strings, got'],
    [() => choose(shown, 'm', [wrong(['a'])], use()), 'values[0]: expected a string, got a list'],
    [() => choose(shown, 'm', [], wrong({})), 'use: expected an object with the interaction, got an object'],
    [() => submit(modal, {}, wrong(null)), 'use: expected an object with the interaction, got null'],
    [
      () => submit(modal, wrong(null), use()),
      'values: expected an object of values by label or custom_id, got null',
    ],
    [() => submit(modal, wrong({ s: 5 }), use()), 'values.s: expected a string, true or false, or a list of'],
    [() => submit(modal, wrong({ s: [{ filename: 'a', id: 5 }] }), use()), 'strings or files, got a list'],
    [() => submit(wrong({}), {}, use()), 'modal: expected a modal with components, got an object'],
  ] as const) {
    expect(call).toThrow(TypeError)
    expect(call).toThrow(name)
  }
})

/** The code and the message of the error of a use: `'disabled: the button "Go" is disabled'`. */
const refusal = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    const { code, message } = error as ComponentError
    return `${code}: ${message}`
  }
  return 'accepted'
}

describe('press', () => {
  const shown = message(
    row(button({ label: 'Undo', custom_id: 'undo', id: 3 }), button({ label: 'Keep', custom_id: 'keep' })),
  )

  it('creates an interaction of type 3 with the message, place and user of the answer', () => {
    const interaction = used()
    const pressed = press(shown, 'Undo', use({ interaction }))
    expect(pressed).toEqual({
      ...interaction,
      id: expect.stringMatching(/^9/),
      token: `token-${pressed.id}`,
      type: 3,
      data: { custom_id: 'undo', component_type: 2, id: 3 },
      message: shown,
    })
    expect(pressed.id).not.toBe(interaction.id)
    expect(press(shown, 'keep', use()).data.custom_id).toBe('keep')
  })

  it('prefers a label to a custom_id', () => {
    const both = message(row(button({ label: 'b', custom_id: 'a' }), button({ label: 'a', custom_id: 'b' })))
    expect(press(both, 'a', use()).data.custom_id).toBe('b')
  })

  it('finds buttons in containers, in sections and beside text', () => {
    const text = { type: 10, content: 'x' }
    const section = { type: 9, components: [text], accessory: button({ label: 'Deep', custom_id: 'deep' }) }
    const nested = message(text, { type: 17, components: [section] })
    expect(press(nested, 'Deep', use()).data.custom_id).toBe('deep')
  })

  it.each<[string, object[], string]>([
    ['no such button', [row(button({ label: 'Undo', custom_id: 'u' }))], 'no button "Redo"; there is "Undo"'],
    ['no buttons', [], 'no button "Redo"; there is no button'],
  ])('refuses an unknown button: %s', (_, components, text) => {
    expect(refusal(() => press(message(...components), 'Redo', use()))).toBe(`unknown_component: ${text}`)
  })

  it('refuses disabled, link and premium buttons', () => {
    const of = (over: object) =>
      refusal(() => press(message(row(button({ label: 'Go', custom_id: 'g', ...over }))), 'Go', use()))
    expect(of({ disabled: true })).toBe('disabled: the button "Go" is disabled')
    expect(of({ style: 5 })).toBe('not_interactive: the button "Go" is a link; it sends nothing to the app')
    expect(of({ style: 6 })).toMatch(/^not_interactive: .*premium/)
    expect(of({})).toBe('accepted')
  })

  it('lets other users press buttons of a public message, not of an ephemeral one', () => {
    const other = { member: { user: { id: '3002', username: 'alan' }, roles: [] } }
    const pressed = press(shown, 'Undo', use({ ...other, locale: 'fr' }))
    expect([pressed.member?.user.id, pressed.locale, pressed.guild_id]).toEqual(['3002', 'fr', '2001'])
    expect(press(shown, 'Undo', use({ user: { id: '3003' } })).member?.user.id).toBe('3003')
    const secret = { ...shown, flags: 64 }
    expect(refusal(() => press(secret, 'Undo', use(other)))).toMatch(/^not_visible: .*ephemeral/)
    expect(press(secret, 'Undo', use()).member?.user.id).toBe('3001')
    const { member, ...ofNobody } = use().interaction as any
    expect(refusal(() => press(secret, 'Undo', use({ interaction: ofNobody })))).toBe('accepted')
    expect(refusal(() => press(secret, 'Undo', use({ ...other, interaction: ofNobody })))).toMatch(
      /^not_visible/,
    )
  })

  it('carries a user instead of a member in a DM', () => {
    const interaction = accepted(createInteraction(command, { user: { id: '3001' }, ids, tokens }))
    const pressed = press(shown, 'Undo', use({ interaction, user: { id: '3002' } }))
    expect([pressed.user?.id, 'member' in pressed]).toEqual(['3002', false])
  })

  it('does not change the message', () => {
    const pressed = press(shown, 'Undo', use())
    expect(pressed.message).not.toBe(shown)
    expect(Object.isFrozen(shown)).toBe(false)
  })
})

describe('choose', () => {
  const options = ['Red', 'Green', 'Blue'].map((label) => ({ label, value: label.toLowerCase() }))
  const menu = (over: object = {}) =>
    message(row({ type: 3, custom_id: 'colour', placeholder: 'Pick', options, ...over }))

  const resolved = {
    users: {
      '3001': { id: '3001', username: 'other', global_name: 'alan' },
      '3002': { id: '3002', username: 'alan' },
      '3003': { id: '3003', username: 'gone' },
      '3004': { id: '3004', username: 'ada', global_name: 'Ada L' },
    },
    members: { '3003': null },
    roles: { '5001': { id: '5001', name: 'staff' }, '2001': { id: '2001', name: '@everyone' } },
    channels: { '4002': { id: '4002', name: 'lounge', type: 2 } },
  } as const

  it('accepts values and labels of a string menu', () => {
    const chosen = (values: string[], over: object = {}, name = 'colour') =>
      choose(menu(over), name, values, use()).data
    expect(chosen(['Red'])).toEqual({ custom_id: 'colour', component_type: 3, values: ['red'] })
    expect(chosen(['blue'], {}, 'Pick').values).toEqual(['blue'])
    expect(chosen([], { min_values: 0 }).values).toEqual([])
    expect(chosen(['Blue', 'red'], { max_values: 3 }).values).toEqual(['blue', 'red'])
  })

  it.each<[object, string[], string]>([
    [{}, [], 'takes 1 value; 0 are chosen'],
    [{}, ['red', 'blue'], 'takes 1 value; 2 are chosen'],
    [{ min_values: 2, max_values: 3 }, ['red'], 'takes 2 to 3 values; 1 is chosen'],
    [{}, ['pink'], 'has no option "pink"; it has "Red", "Green" and "Blue"'],
    [{ max_values: 3 }, ['red', 'Red'], 'takes each value once'],
    [{ type: 5 }, ['ada'], 'takes ids such as "1029384756" and names, got the unknown "ada"'],
  ])('[2.11-13] refuses values that do not match %j: %j', (over, values, text) => {
    expect(refusal(() => choose(menu(over), 'colour', values, use()))).toBe(
      `invalid_values: the select menu "colour" ${text}`,
    )
  })

  it('refuses an unknown and a disabled menu', () => {
    expect(refusal(() => choose(menu(), 'size', ['red'], use()))).toBe(
      'unknown_component: no select menu "size"; there is "colour"',
    )
    expect(refusal(() => choose(menu({ disabled: true }), 'colour', ['red'], use()))).toMatch(/^disabled: ./)
  })

  it('resolves users with their members, roles and channels', () => {
    const of = (type: number, ...values: string[]) =>
      choose(menu({ type, max_values: 3 }), 'colour', values, use({ resolved })).data
    const users = of(5, '3002', '3003')
    expect(users).toMatchObject({ component_type: 5, values: ['3002', '3003'] })
    expect(users.resolved!.users).toMatchObject({ '3002': { username: 'alan' }, '3003': { id: '3003' } })
    expect(Object.keys(users.resolved!.members!)).toEqual(['3002'])
    expect(of(6, '5001').resolved).toEqual({ roles: { '5001': expect.objectContaining({ name: 'staff' }) } })
    expect(Object.keys(of(7, '5001', '3002').resolved!)).toEqual(['users', 'members', 'roles'])
    const [lounge] = Object.values(of(8, '4002').resolved!.channels!)
    expect(lounge).toMatchObject({ id: '4002', name: 'lounge', type: 2, permissions: '0' })
  })

  it.each([
    [5, 'alan', '3002'],
    [5, '@alan', '3002'],
    [5, '@Ada L', '3004'],
    [6, '@staff', '5001'],
    [6, '@everyone', '2001'],
    [7, '@staff', '5001'],
    [7, 'alan', '3002'],
    [8, '#lounge', '4002'],
    [8, 'lounge', '4002'],
    [5, 'gone', 'unknown'],
    [5, '#alan', 'unknown'],
  ])('[2.11-13] takes in a menu of type %i, for the name %s, %s', (type, name, id) => {
    const taken = refusal(() => {
      expect(choose(menu({ type }), 'colour', [name], use({ resolved })).data.values).toEqual([id])
    })
    expect(taken).toContain(id === 'unknown' ? id : 'accepted')
  })
})

describe('submit', () => {
  const input = (name: string, over: object = {}) => ({ type: 4, label: name, custom_id: name, ...over })
  const modal = (...components: object[]) => ({ custom_id: 'm', title: 't', components })
  const labelled = (component: object) => ({ type: 18, label: 'Label', component })
  const takes = 'invalid_values: the input "why" takes'

  it('creates an interaction of type 5 whose components have the shape of the modal', () => {
    const colour = { type: 3, custom_id: 'colour', options: [{ label: 'Red', value: 'r' }] }
    const opened = modal(
      row(input('why', { id: 2 })),
      labelled(input('when', { required: false })),
      labelled(colour),
      { type: 10, content: 'thanks' },
    )
    const interaction = used()
    const sent = submit(opened, { why: 'spam', colour: 'Red' }, use({ interaction }))
    expect(sent).toEqual({
      ...interaction,
      id: sent.id,
      token: `token-${sent.id}`,
      type: 5,
      data: {
        custom_id: 'm',
        components: [
          { type: 1, components: [{ type: 4, id: 2, custom_id: 'why', value: 'spam' }] },
          { type: 18, component: { type: 4, custom_id: 'when', value: '' } },
          { type: 18, component: { type: 3, custom_id: 'colour', values: ['r'] } },
          { type: 10 },
        ],
      },
    })
    expect('message' in sent || 'personId' in sent).toBe(false)
  })

  it('carries the message of the component that opened the modal', () => {
    const shown = message(row(button({ label: 'Why', custom_id: 'w' })))
    const pressed = press(shown, 'Why', use())
    const sent = submit(modal(row(input('why'))), { why: 'x' }, use({ interaction: pressed }))
    expect(sent.message).toEqual(shown)
  })

  it('names an input by its label, and by its custom_id where two have the same', () => {
    const named = (custom_id: string) => ({
      type: 18,
      label: 'Reason',
      component: { type: 4, custom_id, min_length: 5 },
    })
    const alone = () => submit(modal(named('a81f')), { Reason: 'x' }, use())
    expect(refusal(alone)).toBe('invalid_values: the input "Reason" takes 5 to 4000 characters, got 1')
    const twice = () => submit(modal(named('a81f'), named('b2')), { a81f: 'x' }, use())
    expect(refusal(twice)).toBe('invalid_values: the input "a81f" takes 5 to 4000 characters, got 1')
  })

  it('keeps the prefilled values of the modal', () => {
    const sent = submit(modal(row(input('why', { value: 'spam' }))), {}, use())
    expect(sent.data.components[0]!.components![0]!.value).toBe('spam')
  })

  it.each<[object, Record<string, string | string[]>, string]>([
    [input('why'), { wyh: 'x' }, 'unknown_component: no input "wyh"; there is "why"'],
    [input('why'), {}, 'invalid_values: the input "why" is required'],
    [input('why', { min_length: 2 }), { why: 'x' }, `${takes} 2 to 4000 characters, got 1`],
    [input('why', { max_length: 2 }), { why: 'xyz' }, `${takes} 0 to 2 characters, got 3`],
    [input('why'), { why: ['x'] }, `${takes} a text, got a list`],
    [input('why'), { why: '🐀'.repeat(4001) }, `${takes} 0 to 4000 characters, got 4001`],
  ])('refuses values that do not match: %j %j', (component, values, text) => {
    expect(refusal(() => submit(modal(row(component)), values, use()))).toBe(text)
  })

  const options = ['Red', 'Blue', 'Green'].map((label) => ({ label, value: label[0]!.toLowerCase() }))
  const red = options.map((one, index) => ({ ...one, default: index === 0 }))
  const radio = { type: 21, custom_id: 'x', options }
  const group = { type: 22, custom_id: 'x', options }
  const pair = { ...group, min_values: 2, required: false }
  const checkbox = { type: 23, custom_id: 'x' }
  const upload = { type: 19, custom_id: 'x', max_values: 2 }
  const file = { id: '8001', filename: 'a.txt' }
  /** What an input sends, without its type and custom_id. */
  const sentBy = (component: object, values: ModalValues = {}) => {
    const sent = submit(modal(labelled(component)), values, use()).data.components[0]!.component!
    expect(sent).toMatchObject({ type: (component as { type: number }).type, custom_id: 'x' })
    return 'value' in sent ? sent.value : sent.values
  }

  it.each<[object, ModalValues, unknown]>([
    [radio, { x: 'Blue' }, 'b'],
    [radio, { x: 'b' }, 'b'],
    [{ ...radio, options: red }, {}, 'r'],
    [{ ...radio, options: red }, { x: 'g' }, 'g'],
    [{ ...radio, required: false }, {}, null],
    [{ ...radio, required: false, options: red }, { x: [] }, null],
    [group, { x: ['Blue', 'r'] }, ['b', 'r']],
    [group, { x: ['r', 'g', 'b'] }, ['r', 'g', 'b']],
    [group, { x: 'Green' }, ['g']],
    [{ ...group, options: red }, {}, ['r']],
    [{ ...group, required: false }, {}, []],
    [{ ...group, required: false, options: red }, { x: [] }, []],
    [pair, {}, []],
    [checkbox, {}, false],
    [checkbox, { x: true }, true],
    [{ ...checkbox, default: true }, {}, true],
    [{ ...checkbox, default: true }, { x: false }, false],
    [{ ...upload, required: false }, {}, []],
    [upload, { x: [file] }, ['8001']],
    [upload, { x: file }, ['8001']],
  ])('sends what is chosen, or the default of the modal: %j %j', (component, values, value) => {
    expect(sentBy(component, values)).toEqual(value)
  })

  it.each<[object, ModalValues, string]>([
    [radio, { x: 'Pink' }, 'the radio group "Label" has no option "Pink"; it has "Red", "Blue" and "Green"'],
    [radio, {}, 'the radio group "Label" takes 1 value; 0 are chosen'],
    [radio, { x: ['r', 'b'] }, 'the radio group "Label" takes 1 value; 2 are chosen'],
    [radio, { x: true }, 'the radio group "Label" takes values and labels of options, got true'],
    [
      group,
      { x: ['Pink'] },
      'the checkbox group "Label" has no option "Pink"; it has "Red", "Blue" and "Green"',
    ],
    [group, { x: [] }, 'the checkbox group "Label" takes 1 to 3 values; 0 are chosen'],
    [
      { ...group, max_values: 1 },
      { x: ['r', 'b'] },
      'the checkbox group "Label" takes 1 value; 2 are chosen',
    ],
    [pair, { x: ['r'] }, 'the checkbox group "Label" takes 2 to 3 values; 1 is chosen'],
    [group, { x: ['r', 'Red'] }, 'the checkbox group "Label" takes each value once'],
    [checkbox, { x: 'true' }, 'the checkbox "Label" takes true or false, got the string "true"'],
    [upload, {}, 'the file upload "Label" takes 1 to 2 values; 0 are chosen'],
    [upload, { x: [file, file] }, 'the file upload "Label" takes each value once'],
    [upload, { x: 'a.txt' }, 'the file upload "Label" takes files with a filename, got the string "a.txt"'],
    [
      { type: 5, custom_id: 'x' },
      { x: [file] },
      'the select menu "Label" takes ids and names, got an object',
    ],
  ])('refuses what an input does not take: %j %j', (component, values, text) => {
    expect(refusal(() => sentBy(component, values))).toBe(`invalid_values: ${text}`)
  })

  it('names the inputs that there are', () => {
    const opened = modal(labelled(radio), labelled({ ...upload, custom_id: 'log' }))
    expect(refusal(() => submit(opened, { y: 'r' }, use()))).toBe(
      'unknown_component: no input "y"; there are "Label" (custom_id "x") and "Label" (custom_id "log")',
    )
  })

  it('sends uploaded files as complete attachments with ids of their own', () => {
    const files = [{ filename: 'a b.txt' }, { filename: 'b.png', size: 3, content_type: 'image/png' }]
    const { components, resolved } = submit(modal(labelled(upload)), { x: files }, use()).data
    const [first, second] = components[0]!.component!.values!
    const [text, picture] = ['a%20b.txt', 'b.png'].map((name, index) => {
      const url = `https://cdn.example/attachments/${[first, second][index]}/${name}`
      return { url, proxy_url: url }
    })
    expect(resolved).toEqual({
      attachments: {
        [first!]: { id: first, filename: 'a b.txt', size: 0, ...text },
        [second!]: { id: second, filename: 'b.png', size: 3, content_type: 'image/png', ...picture },
      },
    })
  })

  it('accepts an empty list for a menu that is not required', () => {
    const menu = { type: 5, custom_id: 'x', required: false, default_values: [{ id: '3001', type: 'user' }] }
    expect(sentBy(menu)).toEqual(['3001'])
    expect(sentBy(menu, { x: [] })).toEqual([])
  })

  it('resolves the users chosen in menus of a modal', () => {
    const opened = modal(labelled({ type: 5, custom_id: 'who' }))
    expect(Object.keys(submit(opened, { who: '3002' }, use()).data.resolved!)).toEqual(['users', 'members'])
  })

  it('resolves the users of all menus', () => {
    const menu = (custom_id: string) => labelled({ type: 5, custom_id })
    const sent = submit(modal(menu('who'), menu('whom')), { who: '3002', whom: '3003' }, use())
    expect(Object.keys(sent.data.resolved!.users!)).toEqual(['3002', '3003'])
  })
})

/**
 * What `defineCommand` must and must not accept at compile time. `npm run types` checks this file: an error that is
 * missing or stands at another line fails it. `test/types/compilers.test.ts` repeats it with other compilers.
 */
import { defineCommand, type CommandBody, type OptionsOf } from 'commandry'
import { config, roll } from './commands.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(): T | undefined => undefined
const text = { type: 3, name: 'text', description: 'A text' } as const
const fair = { name: 'Fair', value: 'fair' } as const
declare const flag: boolean
declare const computedName: string

// --- Accepted -------------------------------------------------------------------------------------------------

holds<
  Equal<
    OptionsOf<typeof roll>,
    { readonly sides: number; readonly mode?: 'fair'; readonly table?: string; readonly where?: string }
  >
>()

const dice = defineCommand({
  name: 'dice',
  description: 'x',
  options: [
    { ...text, name: 'mode', choices: [fair, { name: 'Loaded', value: 'loaded' }] },
    { type: 10, name: 'bias', description: 'Bias', autocomplete: true, choices: [] },
  ],
})
holds<Equal<OptionsOf<typeof dice>, { readonly mode?: 'fair' | 'loaded'; readonly bias?: number }>>()
holds<Equal<OptionsOf<typeof config>, {} | { readonly role: string }>>()

export const accepted: readonly CommandBody[] = [
  roll,
  config,
  dice,
  defineCommand({
    name: 'groups',
    description: 'x',
    options: [
      { type: 2, name: 'empty', description: 'A group without subcommands', options: [] },
      { type: 2, name: 'none', description: 'A group without a list' },
    ],
  }),
  defineCommand({ type: 2, name: 'Report User' }),
  defineCommand({ type: 3, name: 'Pin It', contexts: [0], integration_types: [0, 1] }),
  defineCommand({ type: 4, name: 'Launch', handler: 1 }),
  defineCommand({
    name: computedName,
    description: 'x',
    options: ['a', 'b'].map((name) => ({ ...text, name })),
  }),
  defineCommand({
    name: 'spread',
    description: 'x',
    options: [
      { ...text, name: 'a' },
      { ...text, name: 'b', required: false },
    ],
  }),
  defineCommand({ name: 'some', description: 'x', options: [...(flag ? [text] : [])] }),
  defineCommand(flag ? { name: 'a', description: 'x' } : { type: 2, name: 'B' }),
  defineCommand({ name: 'constant', description: 'x', options: [text] } as const),
  defineCommand({
    name: 'empty',
    description: 'x',
    options: [],
    name_localizations: { de: 'leer', fr: undefined },
  }),
  defineCommand({
    name: 'unset',
    description: 'x',
    name_localizations: null,
    default_member_permissions: null,
    contexts: null,
  }),
  defineCommand({
    name: `e-${computedName}`,
    description: 'x',
    options: [
      { ...text, name: `o-${computedName}` },
      { ...text, name: `o-${computedName}` },
      { ...text, name: 'o-1' },
    ],
  }),
  defineCommand({ type: 2, name: 'Empty', description: '' }),
  defineCommand({ name: 'bits', description: 'x', default_member_permissions: 4n }),
]
export const builder = defineCommand({
  name: 'b',
  options: [{ toJSON: () => text }],
  toJSON: () => ({ name: 'b', description: 'x' }),
})

// --- Refused, at the line of the property ---------------------------------------------------------------------

// @ts-expect-error an unknown key
defineCommand({ nme: 'x', description: 'x' })
// @ts-expect-error a slash command needs a description
defineCommand({ name: 'x' })
defineCommand({
  name: 'x',
  description: 'x',
  // @ts-expect-error a misspelt key
  optons: [],
})
defineCommand({
  name: 'x',
  description: 'x',
  options: [
    // @ts-expect-error an option needs a description
    { type: 3, name: 'a' },
    // @ts-expect-error a misspelt key of an option
    { type: 3, name: 'b', description: 'x', requried: true },
    // @ts-expect-error a choice of another type
    { type: 3, name: 'c', description: 'x', choices: [{ name: 'One', value: 1 }] },
    // @ts-expect-error a choice of another type
    { type: 4, name: 'd', description: 'x', choices: [{ name: 'One', value: '1' }] },
    // @ts-expect-error autocomplete beside choices
    { type: 3, name: 'e', description: 'x', choices: [{ name: 'One', value: '1' }], autocomplete: true },
    // @ts-expect-error a length of an INTEGER
    { type: 4, name: 'f', description: 'x', max_length: 3 },
    // @ts-expect-error a bound of a STRING
    { type: 3, name: 'g', description: 'x', min_value: 3 },
    // @ts-expect-error channel types of a ROLE
    { type: 8, name: 'h', description: 'x', channel_types: [0] },
    // @ts-expect-error choices of a BOOLEAN
    { type: 5, name: 'i', description: 'x', choices: [{ name: 'Yes', value: 'yes' }] },
    // @ts-expect-error a type that does not exist
    { type: 12, name: 'j', description: 'x' },
    // @ts-expect-error upper case in a literal name
    { type: 3, name: 'Ka', description: 'x' },
    // @ts-expect-error a space in a literal name
    { type: 3, name: 'l a', description: 'x' },
    { type: 3, name: 'm', description: 'x' },
    // @ts-expect-error a name that an earlier option has
    { type: 3, name: 'm', description: 'x' },
    // @ts-expect-error required after optional
    { type: 3, name: 'n', description: 'x', required: true },
    // @ts-expect-error a subcommand beside values
    { type: 1, name: 'o', description: 'x' },
  ],
})
defineCommand({
  name: 'x',
  description: 'x',
  options: [
    // @ts-expect-error a subcommand is never required
    { type: 1, name: 'a', description: 'x', required: true },
    // @ts-expect-error a subcommand inside a subcommand
    { type: 1, name: 'b', description: 'x', options: [{ type: 1, name: 'c', description: 'x' }] },
    // @ts-expect-error a group inside a group
    { type: 2, name: 'd', description: 'x', options: [{ type: 2, name: 'e', description: 'x' }] },
    // @ts-expect-error a value inside a group
    { type: 2, name: 'f', description: 'x', options: [{ type: 3, name: 'g', description: 'x' }] },
    // @ts-expect-error a value beside subcommands
    { type: 3, name: 'h', description: 'x' },
    {
      type: 2,
      name: 'i',
      description: 'x',
      options: [
        {
          type: 1,
          name: 'j',
          description: 'x',
          options: [
            // @ts-expect-error a fault two levels down
            { type: 3, name: 'K', description: 'x' },
          ],
        },
      ],
    },
  ],
})
// @ts-expect-error a description of a user command
defineCommand({ type: 2, name: 'x', description: 'x' })
// @ts-expect-error options of a message command
defineCommand({ type: 3, name: 'x', options: [] })
// @ts-expect-error a handler of a slash command
defineCommand({ name: 'x', description: 'x', handler: 1 })
// @ts-expect-error upper case in the name of a slash command
defineCommand({ name: 'Xa', description: 'x' })
// @ts-expect-error an unknown locale alone
defineCommand({ name: 'x', description: 'x', name_localizations: { 'de-DE': 'x' } })
// @ts-expect-error an unknown locale beside a known one
defineCommand({ name: 'x', description: 'x', name_localizations: { de: 'x', 'de-DE': 'x' } })
// @ts-expect-error a localized text is not null
defineCommand({ name: 'x', description: 'x', name_localizations: { de: null } })

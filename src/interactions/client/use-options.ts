/** What a person enters to use a command, and how it is read. */
import { aFlag, anObject, aString, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import type { KnownObjects } from '../usage/complete.ts'
import type { OptionValue } from '../usage/usage.ts'

/** Values by the default or localized name of their option. A choice is given by its value or its localized name. */
export interface OptionValues {
  readonly [name: string]: OptionValue | undefined
}

/** Known objects for one use of a command. */
export interface UseOptions {
  /** Known users, members, roles, channels, messages and attachments, by id. */
  readonly resolved?: KnownObjects
}

/** How a person types in an option with autocomplete. */
export interface TypingOptions extends UseOptions {
  /** Whether the text is sent as typed, without the checks of the client: `'-'` for a number. Default false. */
  readonly raw?: boolean
}

/** What a person enters to use a command of which the compiler does not know the options. */
export interface AnyUse {
  readonly subcommand?: string
  readonly options?: OptionValues
}

const known = { resolved: /* @__PURE__ */ optional(anObject) }

export const readUse = {
  invoke: /* @__PURE__ */ optionsOf<UseOptions>('invoke', known),
  invokeOnUser: /* @__PURE__ */ optionsOf<UseOptions>('invokeOnUser', known),
  invokeOnMessage: /* @__PURE__ */ optionsOf<UseOptions>('invokeOnMessage', known),
}

export const readTyping = /* @__PURE__ */ optionsOf<TypingOptions>('autocomplete', {
  ...known,
  raw: optional(aFlag),
})

export const readInvocation = /* @__PURE__ */ optionsOf<AnyUse & UseOptions>('invoke', {
  ...known,
  subcommand: optional(aString),
  options: optional(anObject),
})

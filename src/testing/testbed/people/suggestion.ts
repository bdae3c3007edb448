/** What a person sees while typing. */
import type { CommandChoice } from '../../../model/command-definition.ts'
import type { PickerEntry } from '../../../commands/access/picker.ts'

/** An entry of the list that a person sees while typing. */
export type Suggestion =
  /** A command, or a subcommand with its command. */
  | {
      readonly kind: 'command'
      /** The localized name. */
      readonly name: string
      readonly description: string
      /** The default name. */
      readonly path: string
      /** Whether it is a command of the server, or one of all servers. */
      readonly scope: 'server' | 'global'
      /** Names it in a line, also beside another command of its name: `</ban:1001>`. */
      readonly mention: string
    }
  /** A choice, or a suggestion of the bot. */
  | { readonly kind: 'choice'; readonly name: string; readonly value: string | number }

export function commandSuggestion({ name, description, path, command }: PickerEntry): Suggestion {
  const scope = command.guild_id === undefined ? 'global' : 'server'
  return { kind: 'command', name, description, path, scope, mention: `</${path}:${command.id}>` }
}

export function choiceSuggestion({ name, value }: Pick<CommandChoice, 'name' | 'value'>): Suggestion {
  return { kind: 'choice', name, value }
}

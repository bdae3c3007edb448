/** What is being written: a message, or a command with the values of its options. */
import { CommandType } from '../../../../../model/command-types.ts'
import { searchOf } from '../../../../../commands/access/collation.ts'
import type { Answer } from '../../../questions/questions.ts'
import { Source } from '../../parts/ask.ts'
import { drawAndFocus } from '../../parts/dom.ts'
import { place, who } from '../../parts/place.ts'

export type CommandEntry = Answer<'picker'>['entries'][number]

export interface Choice {
  readonly name: string
  readonly value: unknown
}

const composerFor = (entry: CommandEntry | null) => ({
  entry,
  /** The message that is written, or after a slash the search for a command, while there is no entry. */
  text: '',
  /** The message that the next one replies to, or the own one that is edited. */
  on: null as { readonly id: string; readonly verb: 'Reply to' | 'Edit'; readonly name: string } | null,
  /** The files of the next message. */
  files: [] as readonly File[],
  /** Texts as they are typed, by default name; with a `value` where a choice was taken. */
  values: new Map<string, { readonly text: string; readonly value?: unknown }>(),
  /** The suggestions of the bot, by default name. */
  suggestions: new Map<string, readonly Choice[]>(),
  /** The files of attachment options, by default name. */
  attached: new Map<string, File>(),
  added: [] as string[],
  /** The option that has the focus, whose choices are shown; empty for none. */
  focused: '',
  /** Whether a button adds each optional option, and not one for all. */
  isExpanded: false,
  /** The command or the choice that the arrows are at; -1 for none. */
  active: 0,
  /** Problems by default name; those of the whole under the empty name. */
  problems: new Map<string, string>(),
})

export let composer = composerFor(null)

export function reset(entry: CommandEntry | null = null): void {
  composer = composerFor(entry)
  if (entry === null) drawAndFocus('composer')
}

// --- The commands to choose from ----------------------------------------------------------------------------------------

export const picker = new Source('picker')

export const allEntries = (): readonly CommandEntry[] => picker.ask(who())?.entries ?? []

export const settled = (): Promise<void> => picker.settled

/** The entries that the typed text may mean; for a whole line, the one that it uses. */
export function shownEntries(): readonly CommandEntry[] {
  const entries = allEntries()
  const { text } = composer
  if (text === '') return entries
  const found = searchOf(entries, place.lang)(text)
  const used = found.length === 0 && entryOfLine(text)
  return used ? [used] : found
}

/** The command that a whole line such as `/ban user:@alan` begins with: the longest name counts. */
export function entryOfLine(line: string): CommandEntry | undefined {
  const typed = line.toLowerCase()
  const begins = (name: string) => typed === `/${name}` || typed.startsWith(`/${name} `)
  const fits = allEntries().filter(
    ({ type, name, path }) =>
      type === CommandType.CHAT_INPUT && [name, path].some((one) => begins(one.toLowerCase())),
  )
  return fits.toSorted((a, b) => b.path.length - a.path.length)[0]
}

/** The entry that was chosen, or that the arrows are at. */
export const current = (): CommandEntry | undefined => composer.entry ?? shownEntries()[composer.active]

/** What is being written: a message, or a command with the values of its options. */
import { CommandType } from '../../../../../model/command-types.ts'
import { searchOf } from '../../../../../commands/access/collation.ts'
import type { Answer } from '../../../questions/questions.ts'
import { Source } from '../../parts/ask.ts'
import { drawAndFocus } from '../../parts/dom.ts'
import { Drafts } from '../../parts/drafts.ts'
import { place, who } from '../../parts/place.ts'

export type CommandEntry = Answer<'picker'>['entries'][number]

export interface Choice {
  readonly name: string
  readonly value: unknown
}

interface Value {
  readonly text: string
  readonly value?: unknown
}

const composerFor = (entry: CommandEntry | null) => ({
  entry,
  /** The message that is written, or after a slash the search for a command, while there is no entry. */
  text: '',
  /** The message that the next one replies to, or the own one that is edited. */
  on: null as { readonly id: string; readonly verb: 'Reply to' | 'Edit'; readonly name: string } | null,
  /** What was chosen from the list of mentions: `@Grace`. */
  picked: [] as string[],
  /** The files of the next message. */
  files: [] as readonly File[],
  /** Texts as they are typed, by default name; with a `value` where a choice was taken. */
  values: new Map<string, Value>(),
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
  /** The command that was left, and its line; its values stay until another one is typed. Empty for none. */
  command: '',
  line: '',
  /** Whether Escape has closed the list of commands; typing opens it again. */
  isClosed: false,
  /** Problems by default name; those of the whole under the empty name. */
  problems: new Map<string, string>(),
})

type Composer = ReturnType<typeof composerFor>

/** One for each place and person, and one for each message or use that is on its way. */
export const written = new Drafts<Composer>('composer', {
  empty: () => composerFor(null),
  isEmpty: ({ text, entry, files }) => text === '' && entry === null && files.length === 0,
  // Files last as long as the tab.
  kept: {
    title: 'Message',
    write(draft) {
      const values = [...draft.values].filter(([name]) => !draft.attached.has(name))
      const { text, line, command } = asLine({ ...draft, values: new Map(values) })
      const { on, picked } = draft
      const own = { ...(text !== line && { text }), ...(command !== '' && { command }), ...(on && { on }) }
      const more = { ...own, ...(picked.length > 0 && { picked }) }
      return new Map<string, unknown>([
        ...Object.entries(more),
        ...values.map(([name, one]) => [VALUE + name, one] as const),
      ])
    },
    read(fields, before) {
      const { text, command = '', on = null, picked = [] } = Object.fromEntries(fields) as Partial<Composer>
      const all = [...fields].filter(([name]) => name.startsWith(VALUE))
      const given = all.map(([name, one]) => [name.slice(VALUE.length), one] as [string, Value])
      const files = [...before.values].filter(([name]) => before.attached.has(name))
      const values = new Map([...given, ...files])
      if (before.entry !== null && text === undefined && commandOf(before.entry) === command) {
        const added = [...new Set([...before.added, ...values.keys()])]
        return { ...before, values, on, picked, added }
      }
      const line = command && lineFrom(command, values)
      const kept = { text: text ?? line, line, command, on, picked, values, files: before.files }
      return { ...composerFor(null), ...kept, isClosed: true }
    },
  },
})

/** What the name of a value begins with among the fields. */
const VALUE = 'option\n'

/** How a command is used in a line. A user or message command has no line. */
const commandOf = ({ type, name }: CommandEntry): string =>
  type === CommandType.CHAT_INPUT ? `/${name}` : ''

/** A draft with the line of its command in place of the fields. */
export function asLine(draft: Composer): Composer {
  const { entry } = draft
  if (entry === null) return draft
  const command = commandOf(entry)
  const line = command && lineIn(draft)
  return { ...draft, entry: null, text: line, line, command, active: 0, focused: '', isClosed: true }
}

/** What the draft in the field is for: a place and a person. A DM is with the bot of an application. */
export function here(): string {
  const { app, server, channel, as } = place
  return [server, channel === 'bot' ? `bot ${app}` : channel, as].join(' ')
}

/** What is written in this place by this person. */
export const composer = (): Composer => written.at(here())

/** Gives the draft its command as it is deployed now. */
export function renewEntry(): void {
  const draft = composer()
  const { entry } = draft
  if (entry === null) return
  const same = allEntries().filter(({ type, path }) => type === entry.type && path === entry.path)
  draft.entry = same.find(({ id }) => id === entry.id) ?? same[0] ?? entry
}

/** Keeps what has changed in the field. */
export const keep = (): void => written.keep(here())

export function reset(entry: CommandEntry | null = null): void {
  written.put(here(), composerFor(entry))
  if (entry === null) drawAndFocus('composer')
}

/** Puts what is written aside, to be taken up again, so that the field is empty. */
export function setAside(): void {
  if (!written.isEmpty(here())) written.move(here(), `${here()} sent ${++sent.count}`)
}

/** What is written, as a line: `/ban user:@alan reason:"no spam"`. */
export function lineIn({ entry, text, values }: Composer): string {
  return entry === null ? text : lineFrom(commandOf(entry) || entry.name, values)
}

function lineFrom(command: string, values: Composer['values']): string {
  const given = Array.from(values, ([name, { text }]) => (text === '' ? '' : ` ${name}:${typedValue(text)}`))
  return command + given.join('')
}

const typedValue = (text: string): string =>
  /^[^\s":\\]*$/u.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`

// --- On its way -------------------------------------------------------------------------------------------------

/** Numbers what is on its way. */
const sent = { count: 0 }

/** The keys of what did not get there from this place. */
export const notSent = (): readonly string[] =>
  written.keys(`${here()} sent `).filter((key) => !written.isSending(key))

/**
 * Takes what is written out of the field and sends it, once. What does not get there goes back into the field, unless
 * something else is written in it by now.
 *
 * @returns the result, and whether the draft is in the field again
 * @throws what `post` throws
 */
export async function sendWritten<R>(
  post: (draft: Composer) => Promise<R>,
  isDone: (result: R) => boolean = () => true,
): Promise<{ readonly result: R | undefined; readonly isBack: boolean }> {
  const from = here()
  const key = `${from} sent ${++sent.count}`
  written.move(from, key)
  drawAndFocus('composer')
  let isBack = false
  let result: R | undefined
  try {
    result = await written.send(key, post, isDone)
  } finally {
    isBack = written.keys(key).includes(key) && written.isEmpty(from)
    if (isBack) {
      written.move(key, from)
      written.keep(from)
    }
  }
  return { result, isBack }
}

/** Takes what did not get there back into the field, and puts what is in the field in its place. */
export function takeUp(key: string): void {
  setAside()
  written.move(key, here())
  keep()
  drawAndFocus('composer')
}

// --- The commands to choose from ----------------------------------------------------------------------------------------

export const picker = new Source('picker')

export const allEntries = (): readonly CommandEntry[] => picker.ask(who())?.entries ?? []

export const settled = (): Promise<void> => picker.settled

/** The last search, as a drawing asks for it several times. */
const last = {
  all: [] as readonly CommandEntry[],
  lang: '',
  text: '',
  search: searchOf<CommandEntry>([], 'en'),
  found: [] as readonly CommandEntry[],
}

/** The entries that the typed text may mean; for a whole line, the one that it uses. */
export function shownEntries(): readonly CommandEntry[] {
  const all = allEntries()
  const { text } = composer()
  if (text === '') return all
  const { lang } = place
  const isOther = last.all !== all || last.lang !== lang
  if (!isOther && last.text === text) return last.found
  const search = isOther ? searchOf(all, lang) : last.search
  const found = search(text)
  const used = found.length === 0 && entryOfLine(text)
  Object.assign(last, { all, lang, text, search, found: used ? [used] : found })
  return last.found
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
export const current = (): CommandEntry | undefined => composer().entry ?? shownEntries()[composer().active]

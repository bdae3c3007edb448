/** Writing: a message, or after a slash a command, at first as a search and then as a pill for each option. */
import type { LocalizedOption } from '../../../../../commands/definition/localization-resolver.ts'
import { CommandType } from '../../../../../model/command-types.ts'
import { ask } from '../../parts/ask.ts'
import { drawAndFocus, drawing, h, type Child } from '../../parts/dom.ts'
import { button, moveActive, inLanguage } from '../../parts/parts.ts'
import { channelName, does, who } from '../../parts/place.ts'
import { encoded, fileChip } from './chosen-files.ts'
import { asLine, composer, entryOfLine, here, keep, lineIn, notSent, reset, sendWritten } from './draft.ts'
import { setAside, settled, shownEntries, takeUp, written, type CommandEntry } from './draft.ts'
import { feedMessages, scrollToEnd } from './feeds.ts'
import { closeMentions, lookForMention, mentionAttributes, mentionKey, withTags } from './mention-list.ts'
import { attachTo, offeredChoices, focusNext, toFill, pill, take } from './options.ts'

// --- The field --------------------------------------------------------------------------------------------------

/** The command that is being taken, until it has the values of its line. */
let taking: Promise<void> | null = null

/** Takes the entry that the arrows are at, once the commands are there. */
const takeActive = () => (taking = takeOnce().finally(() => (taking = null)))

async function takeOnce(): Promise<void> {
  const from = here()
  await settled()
  const entry = shownEntries()[composer().active]
  if (entry === undefined || composer().entry !== null || here() !== from) return
  const { text, line, values, attached, picked } = composer()
  take(entry)
  if (entry !== entryOfLine(text)) return
  if (text !== line) return fillFrom(text, entry)
  // Two people or choices may have one name, which the line has.
  Object.assign(composer(), { values, attached, picked, added: [...values.keys()] })
  keep()
  focusNext(entry)
}

/** Fills the fields from a whole line such as `/ban user:@alan reason:no spam`. */
async function fillFrom(typedLine: string, entry: CommandEntry): Promise<void> {
  const names = [entry.name, entry.path].map((name) => `/${name}`.toLowerCase())
  const begin = names.find((name) => typedLine.toLowerCase().startsWith(name)) ?? ''
  const rest = typedLine.slice(begin.length)
  // The focus is in the first option by now, and must not move again.
  if (rest.trim() === '') return
  const question = { ...who(), path: entry.path, rest }
  const from = here()
  const { values, problem } = await ask('line', question)
  const draft = written.at(from)
  if (problem !== '') draft.problems.set('', problem)
  for (const { name, value } of values) {
    const option = entry.options.find((one) => one.name_default === name)
    if (option === undefined) continue
    const choice = offeredChoices(option)?.find((one) => one.value === value)
    draft.values.set(name, choice === undefined ? { text: String(value) } : { text: choice.name, value })
    if (!option.required) draft.added.push(name)
  }
  if (here() === from) focusNext(entry)
}

function onSearchKey(event: KeyboardEvent): unknown {
  if (!composer().text.startsWith('/')) return onWriteKey(event)
  if (moveActive(event, 'entry', composer(), shownEntries().length)) return
  if (event.key !== 'Enter' && (event.key !== 'Tab' || event.shiftKey)) return
  event.preventDefault()
  if (taking === null) return takeActive()
  // A second Enter sends what the first one takes.
  if (event.key === 'Enter') (event.target as HTMLTextAreaElement).form!.requestSubmit()
}

const EDIT_LAST = 'ArrowUp'

function onWriteKey(event: KeyboardEvent): unknown {
  if (mentionKey(event, write)) return
  if (event.key === EDIT_LAST && composer().text === '') {
    const last = feedMessages().findLast(({ isOwn, isInChannel }) => isOwn && isInChannel)
    if (last !== undefined) startEdit(last.message.id, last.message.content)
    event.preventDefault()
  }
  if (event.key !== 'Enter' || event.shiftKey) return
  event.preventDefault()
  return say()
}

export function startEdit(id: string, content: string): void {
  setAside()
  reset()
  Object.assign(composer(), { text: content, on: { id, verb: 'Edit', name: 'your message' } })
}

export function startReply(id: string, name: string): void {
  if (composer().entry !== null || composer().on !== null) setAside()
  composer().on = { id, verb: 'Reply to', name }
  keep()
  drawAndFocus('composer')
}

/** Sends the message that is written. */
async function say(): Promise<void> {
  if (composer().text.trim() === '' && composer().files.length === 0) return
  const by = who()
  await sendWritten(async ({ text: content, on, files }) => {
    const { id, verb } = on ?? {}
    if (verb === 'Edit') return does('edit', { ...by, id, content: withTags(content) })
    return does('say', {
      ...by,
      content: withTags(content),
      reply: id,
      files: await Promise.all(files.map(encoded)),
    })
  })
  scrollToEnd()
}

/** What did not get there, to take up again or to drop. */
export function notSentLines(): Child {
  return notSent().map(
    (
      key,
    ) => h`<p class="row not-sent" key=${key}><span class="line" dir="auto">${lineIn(written.at(key))}</span>
      <span class="hint">not sent</span>
      ${button('Take it up', () => takeUp(key), { class: 'quiet' })}
      ${button('×', () => written.drop(key), { class: 'quiet', 'aria-label': 'Drop it' })}</p>`,
  )
}

function addFiles(list: FileList | null | undefined): void {
  const { entry } = composer()
  if (!list || list.length === 0) return
  if (entry !== null) attachTo(entry, list)
  else composer().files = [...composer().files, ...list]
}

export function composerField(isOpen: boolean, send: (entry: CommandEntry) => unknown): Child {
  const { entry } = composer()
  const onsubmit = async (event: Event) => {
    event.preventDefault()
    const [from, early] = [here(), taking]
    await early
    const { entry: taken, problems } = composer()
    // A person who presses Enter before the line is read has not seen its problems: they are shown first.
    if (taken !== null && here() === from && !(early && problems.size > 0)) return send(taken)
  }
  const onkeydown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && !closeMentions()) stepBack()
  }
  const onpaste = ({ clipboardData }: ClipboardEvent) => addFiles(clipboardData?.files)
  return h`<form class="composer" key="composer" onsubmit=${onsubmit} onkeydown=${onkeydown} onpaste=${onpaste}>
    ${entry === null ? searchField(isOpen) : pills(entry)}
  </form>`
}

/** One step back, which loses nothing: out of the list, out of a reply, out of a command into its line. */
function stepBack(): void {
  const draft = composer()
  if (draft.entry !== null) {
    written.put(here(), asLine(draft))
    drawAndFocus('composer')
  } else if (isListOpen(false)) draft.isClosed = true
  else if (draft.on?.verb === 'Edit') reset()
  else draft.on = null
  keep()
}

export function isListOpen(isIdle: boolean): boolean {
  const { entry, text, isClosed } = composer()
  return entry === null && ((isIdle && text === '') || (text.startsWith('/') && !isClosed))
}

/** @param option the name of the option; empty for the message */
export function writeIn(option: string, text: string): void {
  if (option === '') return write(text)
  composer().values.set(option, { text })
  keep()
}

function write(text: string): void {
  Object.assign(composer(), { text, active: 0, isClosed: false })
  keep()
}

/** A text with more lines scrolls. */
const MAX_ROWS = 12

function searchField(isOpen: boolean): Child {
  const isActive = isOpen && shownEntries().length > 0
  const { on, files } = composer()
  const label = `Message ${channelName()}, or / for commands`
  const onpaste = async ({ clipboardData }: ClipboardEvent) => {
    const line = clipboardData?.getData('text') ?? ''
    if (composer().text !== '' || !line.startsWith('/')) return
    await settled()
    // The field has the text only after this event.
    setTimeout(drawing(() => entryOfLine(line) !== undefined && line.includes(':') && takeActive()))
  }
  const oninput = ({ target }: Event) => {
    write((target as HTMLTextAreaElement).value)
    lookForMention(target as HTMLTextAreaElement)
  }
  const cancel = button('×', () => reset(), { class: 'quiet', 'aria-label': 'Cancel' })
  return h`
    ${on !== null && h`<p class="row on" key="on"><span class="hint">${on.verb} ${on.name}</span>${cancel}</p>`}
    ${files.length > 0 && h`<p class="row" key="files">${files.map((file) => fileChip(file, () => (composer().files = composer().files.filter((one) => one !== file))))}</p>`}
    <div class="writing" key="writing">
      <label class="button attach" title="Attach files"><input class="hidden" type="file" multiple aria-label="Attach files"
        onchange=${({ target }: Event) => addFiles((target as HTMLInputElement).files)} /><span aria-hidden="true">+</span></label>
      <textarea id="composer" key="search" rows="${Math.min(MAX_ROWS, composer().text.split('\n').length)}" autocomplete="off" spellcheck="false"
        aria-label=${label} aria-autocomplete="list" aria-haspopup="listbox" aria-controls=${isOpen && 'commands'}
        aria-activedescendant=${isActive && `entry-${composer().active}`} placeholder=${label} dir="auto"
        value=${composer().text} onkeydown=${onSearchKey} onpaste=${onpaste} onclick=${closeMentions} oninput=${oninput} ...${mentionAttributes()}></textarea>
    </div>`
}

/** Takes files that are dropped on the conversation. */
export const dropping = {
  ondragover: (event: Event) => event.preventDefault(),
  ondrop(event: DragEvent) {
    event.preventDefault()
    addFiles(event.dataTransfer?.files)
  },
}

function pills(entry: CommandEntry): Child {
  const all = toFill(entry)
  const options = all.filter((one) => one.required || composer().added.includes(one.name_default))
  const rest = all.filter((option) => !options.includes(option))
  const whole = composer().problems.get('')
  return h`
    <div class="pills" role="group" aria-label=${entry.name} key="pills">
      <b class="name">${entry.type === CommandType.CHAT_INPUT && '/'}${inLanguage(entry.name)}</b>
      ${button('×', () => reset(), { class: 'quiet', 'aria-label': `Leave ${entry.name}` })}
      ${options.map((option) => pill(entry, option))}
      ${rest.length > 0 && adders(rest)}
      <button class="main" id="send" key="send">${entry.type === CommandType.PRIMARY_ENTRY_POINT ? 'Launch' : 'Send'}<kbd>⏎</kbd></button>
    </div>
    ${whole !== undefined && h`<p class="problem" role="alert" key="problem">${whole}</p>`}`
}

function adders(rest: readonly LocalizedOption[]): Child {
  const expand = () => {
    composer().isExpanded = true
    drawAndFocus(`add-${rest[0]!.name_default}`)
  }
  if (rest.length > 1 && !composer().isExpanded)
    return button(`+${rest.length} optional`, expand, { class: 'quiet', key: 'more' })
  return rest.map(({ name_default: path, name, description }) => {
    const add = () => {
      composer().added.push(path)
      drawAndFocus(`pill-${path}`)
    }
    const more = { class: 'quiet dashed', key: `add-${path}`, id: `add-${path}`, title: description }
    return button(['+', inLanguage(name)], add, { ...more, 'aria-label': `Add ${name}: ${description}` })
  })
}

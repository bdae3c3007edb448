/** The commands that a person sees, as a list to choose from, and those that are hidden. */
import { typedName } from '../../../../authoring/words.ts'
import { CommandType } from '../../../../../model/command-types.ts'
import type { Answer } from '../../../questions/questions.ts'
import { h, memo, type Child } from '../../parts/dom.ts'
import { button, empty, failure, optionTags, inLanguage, traceList } from '../../parts/parts.ts'
import { botName, personName, place, who } from '../../parts/place.ts'
import { composer, picker, shownEntries, type CommandEntry } from './draft.ts'
import { take } from './options.ts'

const groups: Readonly<Record<CommandType, readonly [tile: string, name: string]>> = {
  1: ['', 'Slash commands'],
  2: ['@', 'On a member'],
  3: ['✉', 'On a message'],
  4: ['▶', 'Launch'],
}

/** @param explain opens the reasons why the person may use a command */
export function commandList(explain: () => void): Child {
  const all = picker.ask(who())
  if (all === undefined) return failure(picker)
  const entries = shownEntries()
  const { hidden } = all
  const typed = composer().text
  const drawn = (entry: CommandEntry, index: number) => {
    const isActive = index === composer().active
    const before = entries[index - 1]?.type
    return memo(`entry ${index}`, [entry, isActive, before, place.lang, botName()], () => item(entry, index))
  }
  const item = (entry: CommandEntry, index: number) => {
    const { id, type, name, path, description, options } = entry
    const slash = type === CommandType.CHAT_INPUT && '/'
    const [tile, group] = groups[type]
    return h`<li role="option" id="entry-${index}" key="${id} ${path}" class="entry" aria-selected="${index === composer().active}"
      data-group=${type !== entries[index - 1]?.type && group} title=${description} onclick=${() => take(entry)}>
      <span class="tile" aria-hidden="true">${tile || botName()[0]}</span>
      <span class="title">
        <b class="name">${inLanguage(`${slash || ''}${name}`)}</b>
        ${name !== path && h`<span class="hint">${slash}${inLanguage(path, 'en')}</span>`}
        ${optionTags(options)}
      </span>
      <span class="about" dir="auto">${inLanguage(description)}</span>
      ${scopeHint(entry)}
    </li>`
  }
  const line = typed.trim().toLowerCase()
  const isMeant = (name: string) => name.startsWith(line) || line.startsWith(`${name} `)
  const meant = hidden.filter((one) => isMeant(typedName(one).toLowerCase()))
  return h`<section class="list" aria-label="Commands" aria-busy="${!picker.isSettled}" key="list">
    ${failure(picker)}
    <div class="list-head">
      <h2>What ${personName()} sees here${typed !== '' && ` for “${typed}”`}</h2>
      ${entries.length > 0 && button('Why?', explain, { class: 'quiet why' })}
      <output aria-live="polite">${entries.length} of ${all.entries.length + hidden.length}</output>
    </div>
    <ul role="listbox" id="commands" aria-label="Commands">${entries.map(drawn)}</ul>
    ${entries.length === 0 && nothing(all.entries.length + hidden.length, meant.length)}
    ${meant.length > 0 && hiddenList(meant)}
  </section>`
}

/** Why the list is empty. @param hidden how many commands that are hidden may be meant */
function nothing(all: number, hidden: number): Child {
  if (all === 0) return empty('No command is deployed here', 'Deploy one, or choose another server or app.')
  if (hidden > 0)
    return empty('No command is shown here', 'The reasons are below. Another person or channel may have it.')
  return empty('No command has that name', 'Names in the person’s language and default names both count.')
}

/** Where a command belongs, unless it is global and alone. */
function scopeHint({ local, twice }: CommandEntry): Child {
  if (!twice) return local && h`<span class="hint">this server only</span>`
  const title = 'A global command and one of this server have this name; people see both'
  return h`<span class="hint twice" title=${title}>${local ? 'this server' : 'global'}, seen twice</span>`
}

function hiddenList(hidden: Answer<'picker'>['hidden']): Child {
  const reasons = [...new Set(hidden.map(({ reason }) => reason))]
  return h`<section class="hidden-commands" aria-label="Hidden commands" id="hidden">
    <h3>Hidden from ${personName()}</h3>
    ${reasons.map((reason) => {
      const commands = hidden.filter((one) => one.reason === reason)
      return h`<details key=${reason}>
        <summary>${reason}<span class="hint">${commands.map(typedName).join(', ')}</span></summary>
        ${commands.map(
          ({ id, type, name, why, trace }) => h`<div class="reason" key=${id}>
            <b class="name">${type === CommandType.CHAT_INPUT && '/'}${inLanguage(name)}</b>
            ${why.map((sentence) => h`<p>${sentence}</p>`)}
            ${trace.length > 0 && traceList(trace)}
          </div>`,
        )}
      </details>`
    })}
  </section>`
}

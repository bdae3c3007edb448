/** The Plan view: the changes, costs and losses of a deploy; and the deploy itself. */
import { definitionsIn } from '../../../authoring/definitions-in-body.ts'
import { applyEdits } from '../../../authoring/edits.ts'
import { commandLabel } from '../../../authoring/words.ts'
import { isObject, parsedJson } from '../../../../core/json.ts'
import { counted } from '../../../../core/text.ts'
import { DEFAULT_BASE_PATH } from '../../../../service/http/base-path.ts'
import type { Answer } from '../../questions/questions.ts'
import { ask, Source, tokenField, write } from '../parts/ask.ts'
import { composer } from './member/draft.ts'
import { announce, h, type Child } from '../parts/dom.ts'
import { droppingText } from '../parts/dropped.ts'
import { definitions, deployed, draftText, isOneOfFiles, isReadOnly, keepEdited } from './edited-text.ts'
import { openInEditor, openSource, sendText, sourceName, translated, TRANSLATIONS } from './edited-text.ts'
import { feedOf } from './member/feeds.ts'
import { button, check, copyButton, empty, failure, fileButton, asJson, problemList } from '../parts/parts.ts'
import { drawFailures } from '../parts/test-list.ts'
import { about, go, nameById, place, refreshAbout, SAMPLE_APPLICATION } from '../parts/place.ts'
import type { ViewParts } from '../parts/frame.ts'

type Plan = Answer<'plan'>
type Change = Plan['deletes'][number]

const planned = new Source('plan')

const state = {
  /** How many deletions the person has agreed to; asked for where more commands are deleted than kept. */
  agreed: -1,
  /** The snapshot that is compared with; null for this server. */
  snapshot: null as { readonly name: string; readonly body: unknown } | null,
}

/** A dropped snapshot is compared with; any other file becomes the draft, whose plan is shown. */
async function dropped(content: string, name: string): Promise<void> {
  const body = parsedJson(content)
  if (isObject(body) && 'scopes' in body) state.snapshot = { name, body }
  else {
    const source = isReadOnly() || sourceName() === 'Deployed' ? 'Draft' : sourceName()
    await openInEditor(source, place.scope, content)
    go({ view: 'plan' })
  }
}

const content = { class: 'content', ...droppingText(dropped) }

const openEditor = (): void => go({ view: 'editor' })

async function deploy(app: string, guild: string, commands: readonly unknown[]): Promise<void> {
  const scope = guild === '' ? '' : `/guilds/${guild}`
  await write('PUT', `/applications/${app}${scope}/commands`, commands)
  announce('Deployed')
  await refreshAbout()
  // The list of commands shows what was deployed; before the first use it is in sight anyway.
  if ((feedOf(place.as).value?.items.length ?? 0) > 0) composer().text = '/'
  go({ view: 'member', app, ...(isOfTexts() && { source: '' }) })
}

const isOfTexts = (): boolean => sourceName() === TRANSLATIONS

export function firstRun(): ViewParts {
  const line = `new REST({ api: '${location.origin}${DEFAULT_BASE_PATH.replace(/\/v\d+$/, '')}' })`
  const load = async () => deploy(SAMPLE_APPLICATION, '', await ask('samples'))
  return {
    main: h`<div class="empty first">
      <h2>Nothing deployed yet</h2>
      <p>This page fills itself with your first deploy to ${location.host}.</p>
      <div class="ways">
        ${button('Load the sample commands', load, { class: 'main' })}
        ${copyButton('Copy the REST line for discord.js', () => line)}
        ${button('Paste a definition', openEditor)}
      </div>
      <p class="dim"><code>${line}</code></p>
    </div>`,
  }
}

function nothingYet(): ViewParts {
  return {
    content,
    main: empty(
      'Nothing to compare yet',
      'Write a definition, or change one, to see what a deploy would change, cost and lose.',
      button('Open the Editor', openEditor, { class: 'main' }),
      about.applications.length > 0 &&
        button('Edit what is deployed', () => go({ view: 'editor', source: 'Deployed' })),
    ),
  }
}

const kinds = { '-': ['deleted', 'no'], '~': ['changed', ''], '+': ['new', 'yes'] } as const

function changeItem(mark: keyof typeof kinds, { label, differences, losses, renamedTo, id }: Change): Child {
  const [words, color] = kinds[mark]
  const losing = ({ guildId, entries }: (typeof losses)[number]) =>
    entries.map(
      (one) =>
        h`<p class="no">loses: ${one}, in ${nameById(about.servers, guildId) ?? `Server ${guildId}`}</p>`,
    )
  return h`<li key="${mark}${label}" class=${losses.length > 0 && 'risky'}>
    <p><b class="mark ${color}">${mark}</b><b>${label}</b><span class="hint"> ${words}</span></p>
    ${differences.slice(0, 40).map((line) => h`<p class="difference">${line}</p>`)}
    ${losses.map(losing)}
    ${renamedTo && h`<p>looks renamed to ${commandLabel(renamedTo)} ${keepButton(id, renamedTo)}</p>`}
  </li>`
}

/** Writes the id of a command into its definition, so that it is renamed; nothing if that is in another file. */
function keepButton(id: string, { name, type }: NonNullable<Change['renamedTo']>): Child {
  const isRenamed = (body: unknown) => isObject(body) && body.name === name && (body.type ?? 1) === type
  const found = definitionsIn(parsedJson(draftText())).find(({ body }) => isRenamed(body))
  if (found === undefined || isOfTexts()) return null
  const withId = () => applyEdits(draftText(), [{ op: 'set', path: [...found.path, 'id'], value: id }])
  return button('Keep its id', () => keepEdited(withId()))
}

/** A list longer than this is folded to its first names. */
const MAX_LISTED = 8

function list(title: string, mark: keyof typeof kinds, changes: readonly Change[]): Child {
  if (changes.length === 0) return null
  const items = h`<ul class="plan">${changes.map((change) => changeItem(mark, change))}</ul>`
  if (changes.length <= MAX_LISTED) return [h`<h3>${title}</h3>`, items]
  const labels = changes.slice(0, MAX_LISTED).map(({ label }) => label)
  const names = `${labels.join(', ')} and ${changes.length - MAX_LISTED} more`
  return h`<details><summary>${changes.length} ${title.toLowerCase()}: ${names}</summary>${items}</details>`
}

function head(app: string, count: number): Child {
  const server = nameById(about.servers, place.scope)
  const scope = server === undefined ? 'global commands' : `commands of ${server}`
  return h`<div class="toolbar">
    <h2>${sourceName()}${isOneOfFiles() && ' and the other files'} (${counted(count, 'command')}) → ${scope} of app ${app}</h2>
    <span class="hint">compared with ${state.snapshot?.name ?? 'this server'}</span>
    ${state.snapshot !== null && button('This server', () => (state.snapshot = null))}
    ${fileButton('Snapshot file…', (body, name) => (state.snapshot = { name, body }))}
    ${isOfTexts() ? button('Back to Translations', () => go({ view: 'translations' })) : button('Back to the Editor', openEditor)}
  </div>`
}

/** Why there is nothing to deploy; empty when there is. */
function reasonAgainst({ refused, deletes, updates, creates }: Plan): string {
  if (refused !== '') return refused
  if (deletes.length + updates.length + creates.length === 0) return 'Nothing would change.'
  return state.snapshot === null ? '' : 'A snapshot is only compared; choose this server to deploy.'
}

export function planView(): ViewParts {
  const loading = { content, main: [failure(deployed), failure(translated)] }
  if (draftText().trim() === '') return openSource() === undefined ? loading : nothingYet()
  const app = place.app === '' ? SAMPLE_APPLICATION : place.app
  const bodies = definitions()
  const text = bodies === null ? draftText() : asJson(bodies)
  const plan = planned.exactly({ app, server: place.scope, text, snapshot: state.snapshot?.body })
  if (plan === undefined) return { content, main: [head(app, bodies?.length ?? 0), failure(planned)] }
  const { lost, createsLeft, counts, unchanged, issues, refused, deletes } = plan
  const isRisky = deletes.length > plan.updates.length + unchanged.length
  const isAgreed = !isRisky || state.agreed === deletes.length
  const agree = () => (state.agreed = isAgreed ? -1 : deletes.length)
  const reason = reasonAgainst(plan)
  const label = lost > 0 ? `Deploy and lose ${counted(lost, 'permission')}` : 'Deploy'
  const more = { class: 'main', disabled: reason !== '' || !isAgreed }
  const costs = h`<span class="hint">Creates left today ${createsLeft} · ${counts.join(' · ')} · Permissions lost
    <b class=${lost > 0 && 'no'}> ${lost}</b></span>`
  return {
    content,
    main: [
      head(app, bodies?.length ?? 0),
      failure(planned),
      plan.isOverwritten &&
        h`<p class="notice" role="status">The bot deploys its own commands at each start and will overwrite this; save the texts as a file, or change its code.</p>`,
      issues.length > 0 && problemList(issues),
      list('Deleted', '-', deletes),
      list('Changed', '~', plan.updates),
      list('New', '+', plan.creates),
      unchanged.length > 0 &&
        h`<details><summary>${unchanged.length} unchanged</summary><p class="dim">${unchanged.join(', ')}</p></details>`,
    ],
    foot: h`<div class="toolbar">
      ${refused === '' && costs}${drawFailures()}<output>${reason}</output>${tokenField()}
      ${isRisky && reason === '' && check(`Delete ${counted(deletes.length, 'command')}`, isAgreed, agree)}
      ${button(label, () => sendText(() => deploy(app, place.scope, bodies ?? [])), more)}
    </div>`,
  }
}

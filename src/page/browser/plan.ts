/** The Plan view: the changes, costs and losses of a deploy. */
import { counted } from '../../core/text.ts'
import type { PlanAnswer, PlannedChange } from '../answers.ts'
import { Source } from './ask.ts'
import { deploy, tokenField } from './deploy.ts'
import { draw, h, type Child } from './dom.ts'
import { definitions, draft, followSource, isOneOfFiles, keep, openSource } from './draft.ts'
import { button, check, empty, failure, fileButton, json, problemList } from './parts.ts'
import { about, go, place, SAMPLE_APPLICATION } from './place.ts'
import type { ViewParts } from './shell.ts'

const planned = new Source<PlanAnswer>()
/** How many deletions the person has agreed to; asked for where more commands are deleted than kept. */
let agreed = -1
/** The snapshot that is compared with; null for this server. */
let snapshot: { readonly name: string; readonly body: unknown } | null = null

function compareWith(value: typeof snapshot): void {
  snapshot = value
  draw()
}

function changeItem(mark: '-' | '~' | '+', { label, differences, loses, renamed, id }: PlannedChange): Child {
  const words = { '-': 'deleted', '~': 'changed', '+': 'new' }[mark]
  const color = { '-': 'no', '~': '', '+': 'yes' }[mark]
  return h`<li key="${mark}${label}" class=${loses.length > 0 && 'risky'}>
    <p><b class="mark ${color}">${mark}</b><b>${label}</b><span class="hint"> ${words}</span></p>
    ${differences.slice(0, 40).map((line) => h`<p class="difference">${line}</p>`)}
    ${loses.map((line) => h`<p class="no">loses: ${line}</p>`)}
    ${renamed !== null && h`<p>looks renamed to ${renamed.label} ${button('Keep its id', () => keepId(id, renamed.index))}</p>`}
  </li>`
}

/** A longer list is folded to the names. */
const MOST_LISTED = 8

function list(title: string, mark: '-' | '~' | '+', changes: readonly PlannedChange[]): Child {
  if (changes.length === 0) return null
  const items = h`<ul class="plan">${changes.map((change) => changeItem(mark, change))}</ul>`
  if (changes.length <= MOST_LISTED) return [h`<h3>${title}</h3>`, items]
  const names = changes.map(({ label }) => label).join(', ')
  return h`<details><summary>${changes.length} ${title.toLowerCase()}: ${names}</summary>${items}</details>`
}

/** Writes the id of a command into its definition, so that it is renamed and not made anew. */
function keepId(id: string, at: number): void {
  keep(json((definitions() ?? []).map((body, index) => (index === at ? { id, ...body } : body))))
}

function nothingYet(): ViewParts {
  const openDeployed = () => void openSource('Deployed').then(() => go({ view: 'editor' }))
  return {
    main: empty(
      'Nothing to compare yet',
      'Write a definition, or change what is deployed: this view then shows what a deploy would change, cost and lose.',
      button('Open the Editor', () => go({ view: 'editor' }), { class: 'main' }),
      about.applications.length > 0 && button('Edit what is deployed', openDeployed),
    ),
  }
}

function head(app: string, count: number): Child {
  const server = about.servers.find(({ id }) => id === draft.server)
  const scope = server === undefined ? 'global commands' : `commands of ${server.name}`
  return h`<div class="toolbar">
    <h2>${draft.source}${isOneOfFiles() && ' and the other files'} (${counted(count, 'command')}) → ${scope} of app ${app}</h2>
    <span class="hint">compared with ${snapshot?.name ?? 'this server'}</span>
    ${snapshot !== null && button('This server', () => compareWith(null))}
    ${fileButton('Snapshot file…', (body, name) => compareWith({ name, body }))}
    ${button('Back to the Editor', () => go({ view: 'editor' }))}
  </div>`
}

/** Why there is nothing to deploy; empty when there is. */
function reasonAgainst({ refused, deletes, updates, creates }: PlanAnswer): string {
  if (refused !== '') return refused
  if (deletes.length + updates.length + creates.length === 0) return 'Nothing would change.'
  return snapshot === null ? '' : 'A snapshot is only compared; choose this server to deploy.'
}

export function planView(): ViewParts {
  followSource()
  if (draft.text.trim() === '') return nothingYet()
  const app = place.app === '' ? SAMPLE_APPLICATION : place.app
  const bodies = definitions()
  const text = bodies === null ? draft.text : json(bodies)
  const question = { app, server: draft.server, text, snapshot: snapshot?.body }
  const plan = planned.ask('plan', question, true)
  if (plan === undefined) return { main: failure(planned) }
  const { lost, createsLeft, counts, unchanged, issues, refused } = plan
  const kept = plan.updates.length + plan.unchanged.length
  const isRisky = plan.deletes.length > kept
  const isAgreed = !isRisky || agreed === plan.deletes.length
  const reason = reasonAgainst(plan)
  const label = lost > 0 ? `Deploy and lose ${counted(lost, 'permission')}` : 'Deploy'
  const costs = h`<span class="hint">Creates left today ${createsLeft} · ${counts.join(' · ')} · Permissions lost
    <b class=${lost > 0 && 'no'}> ${lost}</b></span>`
  const agree = () => {
    agreed = isAgreed ? -1 : plan.deletes.length
    draw()
  }
  const deployNow = () => void deploy(app, draft.server, bodies ?? [])
  return {
    main: [
      head(app, bodies?.length ?? 0),
      failure(planned),
      issues.length > 0 && problemList(issues),
      list('Deleted', '-', plan.deletes),
      list('Changed', '~', plan.updates),
      list('New', '+', plan.creates),
      unchanged.length > 0 &&
        h`<details><summary>${unchanged.length} unchanged</summary><p class="dim">${unchanged.join(', ')}</p></details>`,
    ],
    foot: h`<div class="toolbar">
      ${refused === '' && costs}<output>${reason}</output>${tokenField()}
      ${isRisky && reason === '' && check(`Delete ${counted(plan.deletes.length, 'command')}`, isAgreed, agree)}
      ${button(label, deployNow, { class: 'main', disabled: reason !== '' || !isAgreed })}
    </div>`,
  }
}

/** What a deploy would change, cost and lose. */
import type { Change, PlanAnswer } from '../questions/plan.ts'
import { deploy, tokenField } from './deploy.ts'
import { h, type Child, type Described } from './dom.ts'
import { definitions, draft, keep, openSource } from './draft.ts'
import { button, empty, failure, problemList } from './parts.ts'
import { SAMPLE_APPLICATION } from './samples.ts'
import { about, go, place, Source } from './state.ts'
import type { Drawn } from './shell.ts'

const planned = new Source<PlanAnswer>()

function changeItem(mark: '-' | '~' | '+', change: Change): Described {
  const words = { '-': 'deleted', '~': 'changed', '+': 'new' }[mark]
  return h(
    'li',
    { key: `${mark}${change.label}`, class: change.loses.length > 0 && 'risky' },
    h(
      'p',
      h('b', { class: { '-': 'mark no', '~': 'mark', '+': 'mark yes' }[mark] }, mark),
      h('b', change.label),
      h('span.hint', ` ${words}`),
    ),
    change.differences.slice(0, 40).map((line) => h('p.difference', line)),
    change.loses.map((line) => h('p.no', 'loses: ', line)),
  )
}

function list(title: string, mark: '-' | '~' | '+', changes: readonly Change[]): Child {
  return (
    changes.length > 0 && [
      h('h3', title),
      h(
        'ul.plan',
        changes.map((change) => changeItem(mark, change)),
      ),
    ]
  )
}

function renames({ deletes, creates }: PlanAnswer): Child {
  return (
    deletes.length === 1 &&
    creates.length === 1 &&
    h(
      'p.notice',
      `${deletes[0]!.label} looks renamed to ${creates[0]!.label}.`,
      button('Keep its id', () => keepId(deletes[0]!.id, creates[0]!.label)),
    )
  )
}

/** Writes the id of a command into its definition, so that it is renamed and not made anew. */
function keepId(id: string, label: string): void {
  const named = (body: object) => `/${(body as { name?: string }).name}` === label
  const bodies = definitions() ?? []
  keep(
    JSON.stringify(
      bodies.map((body) => (named(body) ? { id, ...body } : body)),
      null,
      2,
    ),
  )
}

export function planView(): Drawn {
  if (draft.text.trim() === '') {
    return {
      main: empty(
        'Nothing to compare yet',
        'Write a definition, or change what is deployed: this view then shows what a deploy would change, cost and lose.',
        button('Open the Editor', () => go({ view: 'editor' }), { class: 'main' }),
        about.applications.length > 0 &&
          button(
            'Edit what is deployed',
            () => void openSource('Deployed').then(() => go({ view: 'editor' })),
          ),
      ),
    }
  }
  const app = place.app === '' ? SAMPLE_APPLICATION : place.app
  const plan = planned.ask('plan', { app, server: draft.server, text: draft.text }, true)
  if (plan === undefined) return { main: failure(planned) }
  const scope =
    draft.server === ''
      ? 'global commands'
      : `commands of ${about.servers.find(({ id }) => id === draft.server)?.name ?? draft.server}`
  const bodies = definitions() ?? []
  const isSame = plan.refused === '' && plan.deletes.length + plan.updates.length + plan.creates.length === 0
  const label =
    plan.lost > 0
      ? `Deploy and lose ${plan.lost} ${plan.lost === 1 ? 'permission' : 'permissions'}`
      : 'Deploy'
  const reason = plan.refused !== '' ? plan.refused : isSame ? 'Nothing would change.' : ''
  return {
    main: [
      h(
        'div.toolbar',
        h('h2', `${draft.source} → ${scope} of app ${app}`),
        h('span.hint', `${bodies.length} commands`),
        button('Back to the Editor', () => go({ view: 'editor' })),
      ),
      failure(planned),
      plan.issues.length > 0 && problemList(plan.issues),
      list('Deleted', '-', plan.deletes),
      renames(plan),
      list('Changed', '~', plan.updates),
      list('New', '+', plan.creates),
      plan.unchanged.length > 0 &&
        h(
          'details',
          h('summary', `${plan.unchanged.length} unchanged`),
          h('p.dim', plan.unchanged.join(', ')),
        ),
    ],
    foot: h(
      'div.toolbar',
      plan.refused === '' &&
        h(
          'span.hint',
          `Creates left today ${plan.createsLeft} · Permissions lost `,
          h('b', { class: plan.lost > 0 && 'no' }, plan.lost),
        ),
      h('output', reason),
      tokenField(),
      button(label, () => void deploy(app, draft.server, bodies), { class: 'main', disabled: reason !== '' }),
    ),
  }
}

import { expect, it } from 'vitest'
import { read } from '../support/markdown.ts'
import { quotedErrors } from '../reference/quoted-errors.ts'
import { refusals, type Refusal } from '../support/service-tables.ts'
import { words } from '../support/words.ts'
import { call, directoryOf } from '../tools/cli/program.ts'
import { cellOf, seenAtDiscord, withColumn, type Vectors } from './seen.ts'

const vectors = JSON.parse((await call(['vectors'])).out) as Vectors

it('every decision has a probe, or a reason why the token of a bot cannot observe it', () => {
  const rows = Array.from(read('docs/conformance.md').matchAll(/^\| ([0-9.]+-\d\d) *\| (.*?) *\|/gm))
  const decisions = rows.filter(([, , holds]) => /decision/i.test(holds!)).map(([, clause]) => clause!)
  const observed = new Set(vectors.probes.map(({ clause }) => clause))
  const reasons = Object.keys(vectors.unobservable)
  expect(decisions.filter((clause) => !observed.has(clause) && !reasons.includes(clause))).toEqual([])
  expect([...observed, ...reasons].filter((clause) => !decisions.includes(clause))).toEqual([])
  expect(decisions.filter((clause) => observed.has(clause)).length).toBeGreaterThan(decisions.length / 2)
})

it('probes have names of their own, and say what another response means', () => {
  const names = vectors.probes.map(({ clause, holds }) => `${clause} ${holds}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const probe of vectors.probes)
    expect(probe).toMatchObject({ otherwise: expect.stringMatching(/^.{5}/) })
})

/** The codes that no probe leads to, by the reason. */
const NOT_ASKED = {
  'needs an interaction, or its token': words('already_answered invalid_webhook_token too_many_follow_ups'),
  'needs a token of a person': words('missing_scope'),
  'needs another person, bot or message': words(`
    unknown_member not_in_dms foreign_message unreachable_user reaction_blocked system_message not_in_voice
    unreadable_forward unreadable_reply locked_thread archived_thread
  `),
  'needs a community server': words(`
    not_in_forums unknown_tag duplicate_tag tag_required published_before too_many_pinned_posts
    hook_needs_thread hook_has_thread hook_without_forum
  `),
  'needs many requests, or time': words(`
    daily_creates_exhausted body_too_large poll_ended too_many_pins too_many_roles too_many_webhooks too_many_emojis
    too_many_reactions too_many_channels too_many_invites too_many_overwrites too_many_threads
  `),
  'would delete what is there, if it were accepted': words('entry_point_required'),
  'is only of a service for tests': words('unknown_application'),
}

it('probes and cases lead to every code of a refusal, and to every quoted error', () => {
  const asked = new Set(vectors.probes.map(({ expects }) => expects.code))
  const isAsked = ({ status, code }: (typeof refusals)[Refusal]) =>
    status >= 500 || code === 0 || asked.has(code)
  const others = (Object.keys(refusals) as Refusal[]).filter((name) => !isAsked(refusals[name]))
  expect(others.sort()).toEqual(Object.values(NOT_ASKED).flat().sort())
  const rows = [...vectors.cases, ...vectors.probes.map(({ expects }) => expects)]
  const codes = new Set(rows.flatMap(({ errors }) => (errors ?? []).map(({ code }) => code)))
  const isQuoted = (error: string) => {
    const code = /^[^:]*: ([A-Z_]+): /.exec(error)?.[1]
    return code === undefined ? asked.has(parseInt(error)) : codes.has(code)
  }
  expect(quotedErrors.flatMap(({ errors }) => errors).filter((error) => !isQuoted(error))).toEqual([])
})

// A clause that was seen otherwise fails here until its decision, and with it the probe, follows.
it('src/reference/verified.json has nothing that this version decides otherwise', async () => {
  const { code, out } = await call(['vectors', '--seen', 'src/reference/verified.json'])
  expect(out.match(/^\S+ +otherwise .*$/gm) ?? []).toEqual([])
  expect(code).toBe(0)
})

it('a clause that was seen otherwise, or whose probe is gone, is found', async () => {
  const [probe] = vectors.probes
  const row = { ...probe, day: '2026-12-01', outcome: 'as decided', came: '' }
  const seen = [
    { ...row, response: { status: 200, body: {} } },
    { ...row, holds: 'an earlier decision', response: { status: 200, body: {} } },
  ]
  const cwd = await directoryOf({
    'seen.json': { format: 'commandry-verified', version: 1, seen },
    'no.json': {},
  })
  const { code, out } = await call(['vectors', '--seen', 'seen.json'], { cwd })
  expect(code).toBe(1)
  expect(out).toMatch(/^2\.1-02 +otherwise +an edit cannot change the type: 200; then /m)
  expect(out).toMatch(/^2\.1-02 +otherwise +an earlier decision: this version does not have this probe/m)
  expect(await call(['vectors', '--seen', 'no.json'], { cwd })).toMatchObject({
    code: 1,
    err: 'commandry vectors: no.json: is not a file of "commandry vectors --against discord"\n',
  })
})

it('docs/conformance.md has a column of what was seen at Discord', async () => {
  const page = read('docs/conformance.md')
  await expect(withColumn(page, vectors, seenAtDiscord)).toMatchFileSnapshot('../../docs/conformance.md')
  const row = { day: '2026-12-01', clause: '2.1-04', holds: '', outcome: 'as decided' }
  expect(cellOf('2.1-04', vectors, [row, { ...row, day: '2026-11-30', outcome: 'otherwise' }])).toBe(
    '2026-12-01: 1 of 2 as decided',
  )
})

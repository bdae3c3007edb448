/**
 * Schedules of two people who use a bot at the same time: each order of two presses, a press during an edit, a double
 * click, a rate limit, a gateway that drops. The smallest that fails is reported, with how often it does.
 */
import type { ServerSettings } from '../../model/server.ts'
import type { Shown } from '../testbed/answers/shown.ts'
import type { Testbed } from '../testbed/bed.ts'
import { javaScript } from '../test-code/language.ts'
import { vitest } from '../test-code/frameworks.ts'
import { warningOf, type FuzzCode, type FuzzFailure, type FuzzWarning } from './fuzz-report.ts'
import type { Subject, Use } from './planned-uses.ts'
import { mustRepeat, type Fault } from './faults.ts'
import type { Player } from './player.ts'
import { callCode, lineOfUse, reactionsTo, stepName, type Reply, type Step } from './steps.ts'

/** Who acts: the person of the use, or another one who sees the answer. */
type Act = (who: 'one' | 'other') => Promise<Fault | undefined>

interface Schedule {
  /** Continues "ada and grace: ". */
  readonly name: string
  /** Whether it needs a gateway. */
  readonly drops?: boolean
  readonly run: (act: Act, bed: Testbed, player: Player) => Promise<readonly (Fault | undefined)[]>
  /** The statements of a test, from the expressions of the two calls. */
  readonly code: (one: string, other: string) => readonly string[]
}

const atOnce = (calls: readonly string[]) => [`await Promise.all([${calls.join(', ')}])`]

/** A message of a bot is edited by this route, and that of an answer too. */
const EDIT = 'PATCH /webhooks/:application/:token/messages/:message'
const LIMIT_MS = 50
const tooMany = `() => Response.json({ message: 'You are being rate limited.', retry_after: ${LIMIT_MS / 1_000}, global: false }, { status: 429, headers: { 'retry-after': '1' } })`

function limited(): Response {
  const body = { message: 'You are being rate limited.', retry_after: LIMIT_MS / 1_000, global: false }
  return Response.json(body, { status: 429, headers: { 'retry-after': '1' } })
}

/** The simplest first: a fault is reported with the first one that shows it. */
const schedules: readonly Schedule[] = [
  {
    name: 'one after the other',
    run: async (act) => [await act('one'), await act('other')],
    code: (one, other) => [`await ${one}`, `await ${other}`],
  },
  {
    name: 'twice by one person at once',
    run: (act) => Promise.all([act('one'), act('one')]),
    code: (one) => atOnce([one, one]),
  },
  {
    name: 'by both at once',
    run: (act) => Promise.all([act('one'), act('other')]),
    code: (one, other) => atOnce([one, other]),
  },
  {
    name: 'by both at once, in the other order',
    run: (act) => Promise.all([act('other'), act('one')]),
    code: (one, other) => atOnce([other, one]),
  },
  {
    name: 'by the other in the next turn, before the answer',
    async run(act) {
      const first = act('one')
      await new Promise(setImmediate)
      return Promise.all([first, act('other')])
    },
    code: (one, other) => [
      `const first = ${one}`,
      'await new Promise(setImmediate)',
      ...atOnce(['first', other]),
    ],
  },
  {
    name: 'while an edit is rate limited',
    async run(act, bed, player) {
      let refused: number | undefined
      const refuse = () => {
        refused = player.position
        return limited()
      }
      const end = bed.on(EDIT, refuse, { once: true })
      try {
        const outcome = await act('one')
        // The bot sends the edit again later, which belongs to this schedule.
        if (refused !== undefined) await player.retried(refused, LIMIT_MS)
        return [outcome]
      } finally {
        end()
      }
    },
    code: (one) => [`bed.on(${javaScript.value(EDIT)}, ${tooMany}, { once: true })`, `await ${one}`],
  },
  {
    name: 'after the gateway has dropped',
    drops: true,
    run: async (act, _, player) => [(await player.reconnected()) ?? (await act('one'))],
    code: (one) => ['bed.drop()', 'await bed.online()', `await ${one}`],
  },
]

/** How often a schedule is tried again once it has failed. */
const REPEATS = 5
/** The buttons and menus of one answer that are tried. */
const MAX_REACTIONS = 4

export interface TogetherOptions {
  readonly player: Player
  readonly bed: Testbed
  readonly server: ServerSettings
  /** What must hold after each schedule; the text or the error that it returns or throws is the fault. */
  readonly invariant: ((bed: Testbed) => unknown) | undefined
  readonly isOver: () => boolean
}

/** What was found, and how often two people have used something at once. */
interface FoundTogether {
  readonly failures: readonly FuzzFailure[]
  readonly warnings: readonly FuzzWarning[]
  readonly schedules: number
}

/** What two people do at once: the same use, or the same reaction to an answer of the first. */
interface Pair {
  readonly one: Step
  readonly other: Step
  readonly hasUse: boolean
}

/**
 * The faults of one command with two people. Those that one person alone sees are the caller's.
 *
 * @param other a person who sees the place of the use
 */
export async function faultsTogether(
  subject: Subject,
  use: Use,
  other: string,
  options: TogetherOptions,
): Promise<FoundTogether> {
  const { server, player, isOver, invariant } = options
  const failures: FuzzFailure[] = []
  const warnings: FuzzWarning[] = []
  let played = 0
  const play = (pair: Pair, schedule: Schedule, waits: Player['patient']) => {
    played++
    return faultOf(first, pair, schedule, options, waits)
  }
  const found = () => ({ failures, warnings, schedules: played })
  const first: Step = { kind: 'use', use }
  const second: Step = { kind: 'use', use: { ...use, place: { ...use.place, as: other } } }
  const pairs: Pair[] = [{ one: first, other: second, hasUse: false }]
  await player.recover()
  await player.restore()
  const { reply } = await player.play(first, [], player.patient)
  if (reply !== undefined && !('length' in reply) && !reply.ephemeral)
    for (const reaction of reactionsTo(reply, 0, use, server).slice(0, MAX_REACTIONS))
      if (reaction.kind !== 'submit')
        pairs.push({
          one: reaction,
          other: { ...reaction, as: { name: other, place: use.place } },
          hasUse: true,
        })
  for (const pair of pairs) {
    const kinds = new Set<FuzzCode>()
    for (const schedule of schedules) {
      if (isOver()) return found()
      if (schedule.drops === true && (!player.usesGateway || failures.some(isLost))) continue
      const fault = await play(pair, schedule, player.patient)
      if (fault === undefined || kinds.has(fault.code)) continue
      const failure = (failed: number, of: number) =>
        togetherFailure(subject, use, pair, schedule, { ...fault, failed, of, other, server, invariant })
      const again = () => play(pair, schedule, player.patient)
      if (mustRepeat(fault) && (await player.slowly(again))?.code !== fault.code) {
        warnings.push(warningOf(failure(1, 2), 2))
        continue
      }
      kinds.add(fault.code)
      let failed = 1
      const repeats = isLost(fault) ? 1 : REPEATS
      for (let times = 0; times < repeats && !isOver(); times++)
        if ((await play(pair, schedule, player.brief))?.code === fault.code) failed++
      failures.push(failure(failed, repeats + 1))
      // Each further try of a bot that does not answer takes seconds.
      if (fault.code === 'no_answer' || fault.code === 'never_edited') break
    }
  }
  return found()
}

/** A bot that stays away costs many seconds at each try, and does so whatever people do. */
function isLost({ code }: { readonly code: FuzzCode }): boolean {
  return code === 'lost_connection'
}

/** Plays a schedule from the start. */
async function faultOf(
  first: Step,
  pair: Pair,
  schedule: Schedule,
  { player, bed, invariant }: TogetherOptions,
  waits: Player['patient'],
): Promise<Fault | undefined> {
  if (!(await player.recover())) return undefined
  await player.restore()
  const replies: Reply[] = []
  if (pair.hasUse) {
    const { reply, fault } = await player.play(first, [], player.patient)
    if (reply === undefined) return fault
    replies.push(reply as Shown)
  }
  const began = player.position
  const act: Act = async (who) => (await player.play(pair[who], replies, waits)).fault
  const faults = await schedule.run(act, bed, player)
  // A second answer comes after the first.
  await player.quiet()
  const found = faults.find((fault) => fault !== undefined) ?? player.answeredTwice(began)
  if (found !== undefined) return found
  const broken = await brokenBy(invariant, bed)
  return broken === undefined ? undefined : { code: 'broken_invariant', message: broken, issues: [] }
}

async function brokenBy(invariant: TogetherOptions['invariant'], bed: Testbed): Promise<string | undefined> {
  try {
    const said = await invariant?.(bed)
    return typeof said === 'string' && said !== ''
      ? said
      : said === false
        ? 'the invariant is false'
        : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function togetherFailure(
  subject: Subject,
  use: Use,
  pair: Pair,
  schedule: Schedule,
  found: Fault & {
    readonly failed: number
    readonly of: number
    readonly other: string
    readonly server: ServerSettings
    readonly invariant: TogetherOptions['invariant']
  },
): FuzzFailure {
  const { server, failed, other, code, message, issues, invariant } = found
  const calls = [pair.one, pair.other].map((step) => callCode(step, server)) as [string, string]
  const before = pair.hasUse ? [`const shown = await ${callCode({ kind: 'use', use }, server)}`] : []
  const step = `${stepName(pair.one)}, ${schedule.name}`
  const line = lineOfUse(use, server)
  return {
    code,
    command: subject.name,
    line,
    step,
    ...use.place,
    message,
    issues,
    ...{ repeated: failed > 1, fresh: null },
    together: { other, failed, of: found.of },
    test: vitest.test(`${line}, ${step}`, [
      ...before,
      ...schedule.code(...calls),
      ...invariantCode(code, invariant),
    ]),
  }
}

/** An arrow function or a function, which is an expression as it stands; a method needs the object around it. */
const EXPRESSION = /^(?:async\b\s*)?(?:function\b|\(|[\w$]+\s*=>)/

/** The statements that fail while the invariant is broken. */
function invariantCode(code: FuzzCode, invariant: TogetherOptions['invariant']): readonly string[] {
  if (code !== 'broken_invariant') return []
  const source = String(invariant)
  // As it was given to fuzz: it reads variables of that file.
  const declared = EXPRESSION.test(source)
    ? `const invariant = ${source}`
    : `const { invariant } = { ${source.replace(/^(async\s+)?[\w$]+(?=\s*\()/, '$1invariant')} }`
  return [declared, "expect([undefined, null, true, '']).toContain(await invariant(bed))"]
}

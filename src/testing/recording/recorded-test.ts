/** A recording as one test. */
import { isAnswerVerb } from '../../interactions/usage/component.ts'
import { frameworks, type Framework, type FrameworkName, type TestSetup } from '../test-code/frameworks.ts'
import {
  AttachedContent,
  Variable,
  variablesIn,
  type CodeCall,
  type Value,
  type Who,
} from '../test-code/language.ts'
import type { RecordedStep, Seen } from './recorded-step.ts'

/** Words that a variable of a test must not hide. */
const RESERVED = new Set(
  'assert await bed class const def del expect for from if import in is let not or pass people test var with'.split(
    ' ',
  ),
)

const THINKING = /^\((?:ephemeral, )?thinking\)/

const OLDER = 'The bot has to send this again: it was there before the recording.'

/** The variables of a test: people in places, answers and messages. */
class Variables {
  readonly #taken = new Set(RESERVED)
  readonly #people = new Map<string, string>()
  /** By the id of a message or an interaction, with the person of an answer. */
  readonly #shown = new Map<string, { readonly name: string; readonly owner: string }>()
  readonly #join: (words: readonly string[]) => string

  constructor(join: (words: readonly string[]) => string) {
    this.#join = join
  }

  #take(words: readonly string[]): string {
    const base = this.#join(words)
    let name = base
    for (let count = 2; this.#taken.has(name); count++) name = `${base}${count}`
    this.#taken.add(name)
    return name
  }

  /** The variable of a person, and whether it is a new one. */
  person({ name, place }: Who): { readonly variable: Variable; readonly isNew: boolean } {
    const key = JSON.stringify([name, place])
    const known = this.#people.get(key)
    if (known !== undefined) return { variable: new Variable(known), isNew: false }
    const { channel = '', server = '', locale = '' } = place
    const words = [name, ...(channel === '' ? [] : ['in', channel]), server, locale].flatMap(
      (text) => text.match(/[A-Za-z\d]+/g) ?? [],
    )
    const isName = /^[A-Za-z]/.test(words[0] ?? '')
    const variable = this.#take(isName ? [words[0]!.toLowerCase(), ...words.slice(1)] : ['person', ...words])
    this.#people.set(key, variable)
    return { variable: new Variable(variable), isNew: true }
  }

  /** A new variable for an answer or a message. @param owner the variable of the person who has got an answer */
  keep(word: string, keys: readonly string[], owner = ''): string {
    const name = this.#take([word])
    for (const key of keys) this.#shown.set(key, { name, owner })
    return name
  }

  ownerOf = (key: string): string => this.#shown.get(key)?.owner ?? ''
  nameOf = (key: string): string => this.#shown.get(key)?.name ?? key

  /** A value with the variables in place of the ids. */
  resolved(value: Value): Value {
    if (value instanceof Variable) return new Variable(this.nameOf(value.name))
    if (Array.isArray(value)) return value.map((one) => this.resolved(one))
    if (typeof value !== 'object' || value === null || value instanceof AttachedContent) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.resolved(one)]))
  }
}

/** What a step is called in the title of the test. */
function titleOf({ verb, values }: RecordedStep): string {
  const [first, second] = values
  if (verb === 'use') return String(first).split(' ').slice(0, 1).join('')
  if (verb === 'press') return `press ${String(second)}`
  return verb.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

const TITLED_STEPS = 5

function titleFor(steps: readonly RecordedStep[]): string {
  const titles = steps.map(titleOf)
  const shown = titles.slice(0, TITLED_STEPS).join(', ')
  return titles.length > TITLED_STEPS ? `${shown} and ${titles.length - TITLED_STEPS} more steps` : shown
}

/** Writes the statements of steps, one after the other. */
class StepWriter {
  readonly #framework: Framework
  readonly #variables: Variables
  /** The ids that a later step names. */
  readonly #named: ReadonlySet<string>

  constructor(framework: Framework, steps: readonly RecordedStep[]) {
    this.#framework = framework
    this.#variables = new Variables(framework.language.name)
    this.#named = new Set(
      steps.flatMap(({ values, seen }) => [...variablesIn(values), ...seen.map(({ of }) => of)]),
    )
  }

  linesOf(step: RecordedStep): readonly string[] {
    const { by, server, post, verb, values, key, interaction, text, failure } = step
    const { language, refused } = this.#framework
    const lines: string[] = []
    if (verb !== '') {
      const person = by === null ? null : this.#personOf(by, lines)
      const call = this.#callOf(person, verb, values)
      const expression = language.call({ ...call, ...(server && { server }), ...(post && { post }) })
      // What is done to a server has no promise.
      const awaited = post ? expression : language.awaited(expression)
      if (failure !== '') lines.push(refused(expression, language.value(failure)))
      else if (text !== null) {
        const shown = this.#variables.keep('shown', [key, interaction], person?.name)
        lines.push(language.declare(shown, awaited))
        // What a deferred answer becomes is seen by its edit.
        if (!THINKING.test(text)) lines.push(this.#check(shown, text))
      } else if (key !== '' && this.#named.has(key))
        lines.push(language.declare(this.#variables.keep('message', [key]), awaited))
      else lines.push(awaited)
    }
    return [...lines, ...step.seen.flatMap((seen) => this.#linesOfSeen(seen))]
  }

  #linesOfSeen({ kind, key, of, by, nth, times, text, isOlder }: Seen): readonly string[] {
    const { language } = this.#framework
    const variables = this.#variables
    if (kind === 'edited') {
      const shown = variables.nameOf(key)
      if (times > 1) return [language.updateUntil(shown, 'edited', language.value(text))]
      return [language.update(shown, 'edited'), this.#check(shown, text)]
    }
    if (kind === 'followedUp') {
      const answer = new Variable(variables.nameOf(of))
      const call = language.call({ by: answer, verb: 'followedUp', values: [] })
      const shown = variables.keep('shown', [key], variables.ownerOf(of))
      return [language.declare(shown, language.awaited(call)), this.#check(shown, text)]
    }
    if (by === null) return []
    const lines: string[] = []
    const person = this.#personOf(by, lines)
    if (isOlder) lines.push(language.comment(OLDER))
    const values = nth > 1 ? [text, nth] : [text]
    const call = language.awaited(language.call({ by: person, verb: 'sees', values }))
    if (kind === 'noLongerSees' || kind === 'seesReaction') {
      const values = kind === 'seesReaction' ? [new Variable(variables.nameOf(of)), text] : [text]
      return [...lines, language.awaited(language.call({ by: person, verb: kind, values }))]
    }
    const isNew = this.#named.has(key) && variables.nameOf(key) === key
    return [...lines, isNew ? language.declare(variables.keep('message', [key]), call) : call]
  }

  #check(variable: string, text: string): string {
    const { language, equal } = this.#framework
    return equal(language.text(variable), language.value(text))
  }

  /** The variable of a person, declared before its first use. */
  #personOf(who: Who, lines: string[]): Variable {
    const { language } = this.#framework
    const { variable, isNew } = this.#variables.person(who)
    if (isNew) lines.push(language.declare(variable.name, language.person(who)))
    return variable
  }

  /** On an own answer, a person acts by the answer itself. */
  #callOf(person: Variable | null, verb: string, values: readonly Value[]): CodeCall {
    const [target] = values
    const given = values.map((value) => this.#variables.resolved(value))
    const isOnShown = isAnswerVerb(verb) && target instanceof Variable
    if (isOnShown && (verb === 'submit' || this.#variables.ownerOf(target.name) === person?.name))
      return { by: given[0] as Variable, verb, values: given.slice(1) }
    return { by: person, verb, values: given }
  }
}

/** A comment behind a line of a test, or behind the first one of the file. */
export interface NoteOnTest {
  /** How many lines the file for JavaScript has after that line, which are as many for each of its frameworks. */
  readonly fromEnd: number
  readonly text: string
}

export interface RecordedSetup extends Omit<TestSetup, 'movesClock'> {
  /** The title of the test. Default: what its steps are called. */
  readonly title?: string
  readonly note?: NoteOnTest
}

/** @param steps the first one has what was seen before any step */
export function recordedTest(
  steps: readonly RecordedStep[],
  name: FrameworkName,
  setup: RecordedSetup,
): string {
  const framework = frameworks[name]
  const writer = new StepWriter(framework, steps)
  const blocks = steps.map((step) => writer.linesOf(step)).filter((lines) => lines.length > 0)
  const statements = blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
  const movesClock = steps.some(({ verb }) => verb === 'advance')
  const { title = titleFor(steps.slice(1)), note, ...rest } = setup
  const at = statements.length - (note?.fromEnd ?? 0)
  const header = note !== undefined && at < 0 ? `${rest.header} ${note.text}` : rest.header
  const lines = statements.map((line, index) =>
    note !== undefined && index === at ? `${line} ${framework.language.comment(note.text)}` : line,
  )
  return framework.file([framework.test(title, lines)], { ...rest, header, movesClock })
}

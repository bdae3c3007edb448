/** Calls of a testbed as code: in JavaScript, and in Python with the fixtures of pytest. */
import { isAnswerVerb } from '../../interactions/usage/component.ts'

/** A person in a place, as `bed.as` takes them. */
export interface Who {
  readonly name: string
  readonly place: { readonly [option: string]: string }
}

/** Something that the test has in a variable. */
export class Variable {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A file that a person attaches; without a content only its name. */
export class AttachedContent {
  readonly filename: string
  readonly content: string | Uint8Array | undefined

  constructor(filename: string, content: string | Uint8Array | undefined) {
    this.filename = filename
    this.content = content
  }
}

export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | Variable
  | AttachedContent
  | readonly Value[]
  | { readonly [key: string]: Value }

/** The names of the variables in values. */
export function variablesIn(value: Value): readonly string[] {
  if (value instanceof Variable) return [value.name]
  if (typeof value !== 'object' || value === null || value instanceof AttachedContent) return []
  return Object.values(value).flatMap(variablesIn)
}

/** A server of the testbed, by its place among them. */
export interface NthServer {
  readonly index: number
  readonly name: string
}

/** The action below `/people/` that does the same to a server, with the names of its fields. */
export interface ServerPost {
  readonly action: string
  readonly fields: readonly string[]
}

/** A call of a person, of an answer, of a server, or of the testbed (null). */
export interface CodeCall {
  readonly by: Who | Variable | null
  readonly server?: NthServer
  readonly verb: string
  readonly values: readonly Value[]
  /** For languages without the method. */
  readonly post?: ServerPost
}

/** How a language writes what a test does. */
export interface Language {
  readonly value: (value: Value) => string
  /** A person, as an expression. */
  readonly person: (who: Who) => string
  /** A call, as an expression without `await`. */
  readonly call: (call: CodeCall) => string
  /** Waits for an expression. */
  readonly awaited: (expression: string) => string
  /** A statement that gives a new variable a value. */
  readonly declare: (name: string, expression: string) => string
  /** A statement that updates an answer by a verb that waits: `edited`. */
  readonly update: (name: string, verb: string) => string
  /** The same until the text of the answer is this one. */
  readonly updateUntil: (name: string, verb: string, text: string) => string
  /** The text of an answer. */
  readonly text: (name: string) => string
  /** A name of several words: `adaInStaff`. */
  readonly name: (words: readonly string[]) => string
  readonly comment: (text: string) => string
}

// --- Texts --------------------------------------------------------------------------------------------------------

/** A text in quotes. JavaScript and Python read the escapes of JSON alike. */
function quotedText(text: string): string {
  const json = JSON.stringify(text)
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`
}

/** A text whose long runs of one character are repeated by the code. */
function textIn(text: string, repeat: (one: string, count: number) => string): string {
  const parts = text.matchAll(/(.)\1{49,}|(?:(?!(.)\2{49,}).)+/gsu)
  const words = Array.from(parts, ([part, one]) =>
    one === undefined ? quotedText(part) : repeat(quotedText(one), [...part].length),
  )
  return words.join(' + ') || "''"
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The entries of an object that have a value. */
const entriesOf = (object: object): readonly (readonly [string, Value])[] =>
  Object.entries(object).filter(([, value]) => value !== undefined)

const isName = (text: string) => /^[A-Za-z_]\w*$/.test(text)

const isOptions = (value: Value | undefined): value is { readonly [key: string]: Value } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Variable || value instanceof AttachedContent)

// --- JavaScript ---------------------------------------------------------------------------------------------------

function javaScriptValue(value: Value): string {
  if (typeof value === 'string') return textIn(value, (one, count) => `${one}.repeat(${count})`)
  if (value instanceof Variable) return value.name
  if (Array.isArray(value)) return `[${value.map(javaScriptValue).join(', ')}]`
  if (value instanceof AttachedContent) {
    const { filename, content } = value
    if (content === undefined) return javaScriptValue({ filename })
    const code =
      typeof content === 'string' ? javaScriptValue(content) : `Buffer.from('${base64Of(content)}', 'base64')`
    return `{ filename: ${javaScriptValue(filename)}, content: ${code} }`
  }
  if (!isOptions(value)) return String(value)
  const entries = entriesOf(value).map(
    ([key, one]) => `${isName(key) ? key : quotedText(key)}: ${javaScriptValue(one)}`,
  )
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

export const javaScript: Language = {
  value: javaScriptValue,
  person({ name, place }) {
    const options = entriesOf(place).length === 0 ? [] : [place]
    return `bed.as(${[name, ...options].map(javaScriptValue).join(', ')})`
  },
  call({ by, server, verb, values }) {
    const service =
      server === undefined ? 'bed' : server.index === 0 ? 'bed.server' : `bed.servers[${server.index}]`
    const receiver = by === null ? service : by instanceof Variable ? by.name : javaScript.person(by)
    // A modal may be submitted as it is.
    const given = values.filter(
      (value) => verb === 'submit' || !isOptions(value) || entriesOf(value).length > 0,
    )
    return `${receiver}.${verb}(${given.map(javaScriptValue).join(', ')})`
  },
  // A launch has its answer as a field.
  awaited: (expression) =>
    expression.endsWith('.launch()') ? `(await ${expression}).shown` : `await ${expression}`,
  declare: (name, expression) => `const ${name} = ${expression}`,
  update: (name, verb) => `await ${name}.${verb}()`,
  updateUntil: (name, verb, text) => `while (${name}.text() !== ${text}) await ${name}.${verb}()`,
  text: (name) => `${name}.text()`,
  name: ([first = '', ...words]) => first + words.map(capital).join(''),
  comment: (text) => `// ${text}`,
}

// --- Python -------------------------------------------------------------------------------------------------------

const constants: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
  undefined: 'None',
}

function pythonValue(value: Value): string {
  if (typeof value === 'string') return textIn(value, (one, count) => `${one} * ${count}`)
  if (value instanceof Variable) return value.name
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (value instanceof AttachedContent) {
    const { filename, content } = value
    if (content === undefined) return pythonValue({ filename })
    const code = typeof content === 'string' ? pythonValue(content) : `b64decode('${base64Of(content)}')`
    return `attachment(${pythonValue(filename)}, ${code})`
  }
  if (!isOptions(value)) return constants[String(value)] ?? String(value)
  const entries = entriesOf(value).map(([key, one]) => `${quotedText(key)}: ${pythonValue(one)}`)
  return `{${entries.join(', ')}}`
}

/** Arguments with names, those whose name Python does not take in a dictionary. */
function keywords(options: object): readonly string[] {
  const entries = entriesOf(options)
  const others = entries.filter(([key]) => !isName(key))
  return [
    ...entries.filter(([key]) => isName(key)).map(([key, one]) => `${key}=${pythonValue(one)}`),
    ...(others.length > 0 ? [`**${pythonValue(Object.fromEntries(others))}`] : []),
  ]
}

const snakeCase = (verb: string) => verb.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const python: Language = {
  value: pythonValue,
  person: ({ name, place }) => `people(${[pythonValue(name), ...keywords(place)].join(', ')})`,
  call({ by, server, verb, values, post }) {
    if (post !== undefined) {
      const { action, fields } = post
      const named = values.map((value, index) => `${fields[index]}=${pythonValue(value)}`)
      const place = server === undefined || server.index === 0 ? {} : { server: server.name }
      return `people.post(${[`'${action}'`, ...named, ...keywords(place)].join(', ')})`
    }
    const last = values.at(-1)
    // Modals are filled with a dictionary.
    const options = isOptions(last) && verb !== 'submit' ? last : {}
    const given = options === last ? values.slice(0, -1) : values
    const codes = given.map(pythonValue)
    const receiver = by === null ? 'people' : by instanceof Variable ? by.name : python.person(by)
    const [target, ...rest] = codes
    // What one person does with the answer to another is a method of the answer.
    if (isAnswerVerb(verb) && given[0] instanceof Variable)
      return `${target}.${verb}(${[...rest, `who=${receiver}`].join(', ')})`
    if (verb === 'useOn') {
      const kind = given[1] instanceof Variable ? `message=${rest[0]}` : `user=${rest[0]}`
      return `${receiver}.use_on(${target}, ${kind})`
    }
    return `${receiver}.${snakeCase(verb)}(${[...codes, ...keywords(options)].join(', ')})`
  },
  awaited: (expression) => expression,
  declare: (name, expression) => `${name} = ${expression}`,
  update: (name, verb) => `${name} = ${name}.${snakeCase(verb)}()`,
  updateUntil: (name, verb, text) =>
    `while ${name}.text != ${text}:\n    ${name} = ${name}.${snakeCase(verb)}()`,
  text: (name) => `${name}.text`,
  name: (words) => words.map((word) => word.toLowerCase()).join('_'),
  comment: (text) => `# ${text}`,
}

/** Finds the definitions among the exports of a module, and makes plain data of them. */
import type { Definition } from '../../authoring/definitions-in-body.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import { nearest } from '../../../core/nearest.ts'
import { builderFields, jsonOf, messageOf, readableCopy, thrownBy } from '../../../core/rules/readable.ts'
import type { Path } from '../../../core/rules/rule.ts'
import { camelCase, describeValue, quoted } from '../../../core/text.ts'
import {
  classesOf,
  hasPart,
  isBuiltCommand,
  isPartOfCommand,
  isPlain,
  isTextCommand,
  isWithFunction,
  verdictOf,
  type ExportSite,
  type ExportKind,
} from './verdict.ts'

export type Exported = ReturnType<typeof definitionsOfModule>

/** The names of the fields of commands and options, which the worker receives: their table is most of the library. */
export interface FieldNames {
  /** Those that discord.js has in camel case too. */
  readonly long: readonly string[]
  readonly short: readonly string[]
}

/** The fields in which frameworks keep the definition of a command. */
const HOLDERS = ['data', 'command', 'builder', 'slashCommand'] as const

/** The methods of a command's class in frameworks. */
const HANDLERS = ['execute', 'run', 'exec', 'handle', 'handler', 'callback']

// Commands lie in lists and maps of lists; below that are the objects of the bot itself.
const MAX_DEPTH = 12

/** What is known of commands, and what the modules before have exported. */
export class Known {
  readonly fields: ReadonlySet<string>
  readonly camelCase: ReadonlyMap<string, string>
  readonly values = new WeakSet<object>()
  /** The options of commands, which are exported on their own too. */
  readonly parts = new WeakSet<object>()
  /** Classes of which an instance was made here to read its definition. */
  readonly madeClasses = new WeakSet<object>()
  /** Classes of which a module exports an instance with a definition. */
  readonly exportedClasses = new WeakSet<object>()

  constructor({ long, short }: FieldNames) {
    this.fields = new Set([...long, ...short])
    this.camelCase = new Map(long.map((field) => [camelCase(field), field]))
  }

  /** Whether a key is a field, perhaps with a typing mistake. */
  isLikeField(key: string): boolean {
    return this.camelCase.has(key) || isLikeOneOf(this.fields, key)
  }
}

/** Whether a key is one of the fields, perhaps with a typing mistake. */
export function isLikeOneOf(fields: ReadonlySet<string>, key: string): boolean {
  if (fields.has(key)) return true
  const alike = [...fields].filter((field) => field[0] === key[0])
  return key.length > 4 && nearest(key, alike) !== undefined
}

/**
 * The definitions that a module exports: its default export, otherwise its named exports. An export is a definition, a
 * builder, an object or class with one in `data`, or a list, map or object of those.
 *
 * @param known the exports of this module are added
 * @param isCommandFile whether it is given by name, or has a name of commands
 */
export function definitionsOfModule(module: JsonObject, known: Known, isCommandFile: boolean) {
  const search = new Search(known, isCommandFile)
  search.module(module)
  /** The names in camel case that were read as fields, each with the field. */
  const camelCase = Array.from(search.camelCase, (name) => [name, known.camelCase.get(name)!] as const)
  return { ...search.found, camelCase }
}

/** A value that may be a command. */
export interface Unsure {
  /** The keys from the exports to it, joined by dots. */
  readonly name: string
  /** Whether it has a name: what has none gets it from its program. */
  readonly isNamed: boolean
}

class Search {
  readonly found = {
    definitions: [] as Definition[],
    /** Whether it exports definitions that another module has exported before. */
    repeats: false,
    /** Whether an object has only a part of a command, which its class completes. */
    hasPart: false,
    /** What may be a command, which is never deployed for its shape alone. */
    unsure: [] as Unsure[],
    /** The names of its classes, whose commands only the program itself can build. */
    classes: [] as string[],
    /** Those of the classes that are commands, by their methods or their names. */
    commandClasses: [] as string[],
    /** The names of functions that may return commands to its program. */
    makers: [] as string[],
    /** The names of promises, which its program awaits. */
    promises: [] as string[],
    /** Sentences about what throws when it is read. */
    faults: [] as string[],
    /** Sentences about what may surprise the author. */
    warnings: [] as string[],
  }
  readonly camelCase = new Set<string>()
  readonly #known: Known
  readonly #isCommandFile: boolean
  readonly #visited = new Set<unknown>()
  readonly #unsure = new Map<JsonObject, Path>()
  /** What lies beside a handler, and what that handles. */
  readonly #beside = new WeakMap<object, ExportSite['handles'] & string>()

  constructor(known: Known, isCommandFile: boolean) {
    this.#known = known
    this.#isCommandFile = isCommandFile
  }

  module(module: JsonObject): void {
    this.#exports(module)
    const { values, parts } = this.#known
    for (const [value, path] of this.#unsure) {
      const isNamed = 'name' in value
      // Beside a command, other lists of names are about something else.
      const isBeside = isNamed && !isWithFunction(value) && this.found.definitions.length > 0
      if (!isBeside && !values.has(value) && !parts.has(value))
        this.found.unsure.push({ name: path.join('.') || 'default', isNamed })
    }
  }

  #exports(module: JsonObject): void {
    const { default: exported } = module
    // Compilers to CommonJS put the default export one level deeper.
    const isCompiled = isObject(exported) && '__esModule' in exported
    const { default: inner, ...named } = isCompiled ? exported : module
    for (const [name, value] of Object.entries({ ...named, default: inner })) {
      if (isMaker(name, value, 'data' in named)) this.found.makers.push(name)
      if (isObject(value) && typeof value.then === 'function') this.found.promises.push(name)
    }
    if (inner !== undefined) {
      // The event handlers of a bot have functions too.
      const isMeant = isPlain(inner)
        ? Object.keys(inner).length > 0 && !isWithFunction(inner)
        : Array.isArray(inner)
      if (isMeant ? this.meant(inner, []) : this.#collect(inner, [])) return
    }
    this.#each(named, Object.keys(named), [])
  }

  /** Collects from a value that is meant as a definition: validation reports what is wrong with it. */
  meant(value: unknown, path: Path): boolean {
    const isKnown = this.#visited.has(value)
    return this.#collect(value, path) || (!isKnown && this.#addExpected(value, path))
  }

  #addExpected(value: unknown, path: Path): boolean {
    const isList = Array.isArray(value) && value.length > 0
    if (!isObject(value)) return !isList && typeof value !== 'function' && this.#add(value, path)
    if (hasPart(value) || isPartOfCommand(value)) return false
    const json: unknown = typeof value.toJSON === 'function' ? jsonOf(value, '', builderFields) : value
    const isCommand = typeof json === 'symbol' || this.#verdictOf(json, path, value, true) === 'command'
    return isCommand && this.#add(value, path)
  }

  /** @param source what is listed if it may be a command */
  #verdictOf(value: unknown, path: Path, source: JsonObject, isExpected = false): ExportKind {
    if (this.#known.parts.has(source)) return 'other'
    const isLikeField = (key: string) => this.#known.isLikeField(key)
    const handles = this.#beside.get(source)
    const place = { path, isExpected, handles, isCommandFile: this.#isCommandFile, isLikeField }
    const verdict = verdictOf(value, place)
    if (verdict !== 'unsure') return verdict
    this.#unsure.set(source, path)
    // Another export of it may be sure.
    this.#visited.delete(source)
    return verdict
  }

  /** @returns whether the value is a definition or has one in it */
  #collect(value: unknown, path: Path): boolean {
    if (path.length > MAX_DEPTH) return false
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
    if (this.#visited.has(value)) return false
    this.#visited.add(value)
    if (typeof value === 'function') return isClass(value) && this.#class(value, path)
    if (Array.isArray(value)) return this.#list(value, path)
    if (value instanceof Map || value instanceof Set) return this.#list([...value.values()], path)
    const { madeClasses, exportedClasses } = this.#known
    const { constructor } = value
    try {
      if (typeof constructor === 'function' && madeClasses.has(constructor)) return this.#repeat()
      const isFound = this.#object(value as JsonObject, path)
      if (isFound && typeof constructor === 'function') exportedClasses.add(constructor)
      return isFound
    } catch (error) {
      return this.#fault(path, thrownBy(error))
    }
  }

  #object(object: JsonObject, path: Path): boolean {
    if (isPartOfCommand(object)) return false
    if (typeof object.serialize === 'function' && !isPlain(object)) return this.#serialized(object, path)
    if (typeof object.toJSON === 'function') {
      const json = jsonOf(object, '', builderFields)
      if (isBuiltCommand(json) && !isTextCommand(json)) return this.#add(object, path)
      return isObject(json) && this.#each(json, HOLDERS, path)
    }
    if (hasPart(object)) {
      this.found.hasPart = true
      return false
    }
    const hasHandler = isWithFunction(object)
    if ('data' in object && hasHandler) return this.meant(object.data, [...path, 'data'])
    if (this.#verdictOf(object, path, object) === 'command') return this.#add(object, path)
    if (!isPlain(object)) return this.#each(object, [...HOLDERS, ...heldBy(object)], path)
    const { definitions } = this.found
    const before = definitions.length
    const { options } = object as JsonObject
    // The options of a command whose name is kept elsewhere, such as in the name of its file, have names too.
    const keys = Object.keys(object).filter((key) => key !== 'options' || !Array.isArray(options))
    const isFound = this.#each(object, keys, path)
    if (isFound) this.#unsure.delete(object)
    const key = definitions[before]?.path[path.length]
    if (hasHandler && definitions.length === before + 1 && nearest(String(key), ['data']) !== undefined)
      this.found.warnings.push(`exports no "data"; did you mean it by ${quoted(String(key), 40)}?`)
    return isFound
  }

  /** A command of a framework that makes the body it sends, which its fields may not be. */
  #serialized(object: JsonObject, path: Path): boolean {
    if (this.#known.values.has(object)) return this.#repeat()
    this.#known.values.add(object)
    const json = serializedOf(object)
    if (isBuiltCommand(json)) return this.#add(json, path)
    // Such as of one that needs its client.
    this.found.hasPart ||= 'name' in object
    return false
  }

  #each(object: JsonObject, keys: readonly string[], path: Path): boolean {
    // As exports by name: `export const data = …; export function execute() {}`.
    if ('data' in object && keys.includes('data') && typeof object.execute === 'function')
      return this.meant(object.data, [...path, 'data'])
    const hasHandler = HANDLERS.some((name) => keys.includes(name))
    let isFound = false
    for (const key of keys) {
      try {
        const value = object[key]
        if (hasHandler && isPlain(value)) this.#beside.set(value, isTextCommand(object) ? 'messages' : 'uses')
        if (key in object && this.#collect(value, [...path, key])) isFound = true
      } catch (error) {
        this.#fault([...path, key], thrownBy(error))
      }
    }
    return isFound
  }

  /** Items beside a definition are meant as definitions too; other lists have none, such as the ids of owners. */
  #list(items: readonly unknown[], path: Path): boolean {
    const isFound = items.map((item, index) => this.#collect(item, [...path, index]))
    const isOfCommands = isFound.includes(true)
    if (path.length > 0 && !isOfCommands) return false
    for (const [index, item] of items.entries())
      if (!isFound[index] && (isOfCommands || !isObject(item) || !('name' in item)))
        isFound[index] = this.#addExpected(item, [...path, index])
    return isFound.includes(true)
  }

  #class(value: Class, path: Path): boolean {
    if (this.#known.exportedClasses.has(value)) return this.#repeat()
    if (this.#each(value as never, HOLDERS, path)) return true
    const isMade = [...HANDLERS, 'serialize'].some((name) => name in value.prototype)
    if (isMade && this.#made(value, path)) return true
    this.found.classes.push(value.name)
    if (isCommandClass(value)) this.found.commandClasses.push(value.name)
    return false
  }

  /** Reads an instance. Without the arguments that its program gives, it may have no name. */
  #made(value: Class, path: Path): boolean {
    const { definitions } = this.found
    const before = definitions.length
    const made = constructed(value)
    if (made === undefined) return false
    const isSerialized = typeof made.serialize === 'function'
    if (!isSerialized && isBuiltCommand(made) && hasOptionsMethod(value)) this.found.hasPart = true
    if (this.found.hasPart || !this.#collect(made, path)) return false
    const isNamed = definitions
      .slice(before)
      .every(({ body }) => isObject(body) && typeof body.name === 'string' && body.name !== '')
    if (!isNamed) definitions.length = before
    else this.#known.madeClasses.add(value)
    return isNamed
  }

  #repeat(): true {
    this.found.repeats = true
    return true
  }

  #add(value: unknown, path: Path): true {
    const { definitions } = this.found
    if (typeof value === 'object' && value !== null) {
      if (this.#known.values.has(value)) return this.#repeat()
      this.#known.values.add(value)
      this.#addParts(value)
    }
    let thrown: string | undefined
    const copy = readableCopy(value, (builder, error) => {
      thrown ??= `toJSON() throws ${quoted(messageOf(error), 100)}`
      return builderFields(builder, error)
    })
    const isFramework = isObject(value) && (isWithFunction(value) || !(isPlain(value) || 'toJSON' in value))
    const body = isFramework && isObject(copy) ? commandOf(copy, this.#known) : copy
    if (typeof body === 'symbol') return this.#fault(path, body)
    if (typeof body === 'object' && body !== null)
      this.#clean(body as Record<string, unknown>, path, new Set())
    definitions.push({ body, path, ...(thrown !== undefined && { thrown }) })
    return true
  }

  #addParts(command: object): void {
    const { value: options } = Object.getOwnPropertyDescriptor(command, 'options') ?? {}
    for (const option of Array.isArray(options) ? (options as unknown[]) : []) {
      if (!isObject(option) || this.#known.parts.has(option)) continue
      this.#known.parts.add(option)
      this.#addParts(option)
    }
  }

  /** Names the fields of a copy as JSON has them, and takes out what cannot leave the worker. */
  #clean(copy: Record<string, unknown>, path: Path, visited: Set<object>): void {
    visited.add(copy)
    for (const [key, value] of Object.entries(copy)) {
      const field = this.#known.camelCase.get(key)
      if (typeof value === 'symbol') {
        this.#fault([...path, key], value)
        delete copy[key]
      } else if (field !== undefined && !(field in copy)) {
        this.camelCase.add(key)
        delete copy[key]
        copy[field] = value
      }
      if (typeof value === 'object' && value !== null && !visited.has(value))
        this.#clean(value as Record<string, unknown>, [...path, key], visited)
    }
  }

  /** Reports a value that cannot be read. */
  #fault(path: Path, value: symbol): true {
    this.found.faults.push(`${path.join('.') || 'the export'}: is ${describeValue(value)}`)
    return true
  }
}

type Class = (new (...args: unknown[]) => JsonObject) & { readonly prototype: object }

/** Decorators wrap a class in a Proxy, which has no text. */
function isClass(value: Function): value is Class {
  const isDerived = Object.getPrototypeOf(value) !== Object.getPrototypeOf(Function)
  return (
    typeof value.prototype === 'object' &&
    (isDerived || /^class\b/.test(Function.prototype.toString.call(value)))
  )
}

/** Whether a class is that of a command, which only its program builds; those of events have the same methods. */
function isCommandClass(value: Class): boolean {
  const names: string[] = []
  for (let each: unknown = value; typeof each === 'function' && each !== Function.prototype;) {
    names.push(each.name)
    each = Object.getPrototypeOf(each)
  }
  if (names.some((name) => /Event|Listener|Precondition|Inhibitor/.test(name))) return false
  const text = Function.prototype.toString.call(value)
  const hasFields = /\bdata\s*=[^=]/.test(text) || (/\bname\s*=/.test(text) && /\bdescription\s*=/.test(text))
  return (
    hasFields ||
    names.some((name) => /Command/.test(name)) ||
    HANDLERS.some((name) => name in value.prototype)
  )
}

/** Names of functions that act, and return no commands. */
const ACTION = /^(?:register|deploy|publish|sync|handle|on[A-Z])/

/**
 * Whether an exported function may return commands to its program.
 *
 * @param isBesideData whether the module exports "data" too: then its other functions are mostly those of that command
 */
function isMaker(name: string, value: unknown, isBesideData: boolean): boolean {
  if (typeof value !== 'function' || isClass(value)) return false
  if (HANDLERS.includes(name) || ACTION.test(name)) return false
  const text = Function.prototype.toString.call(value)
  if (/CommandBuilder\b/.test(text)) return true
  const hasFields = /\bname\b/.test(text) && /\bdescription\b/.test(text)
  return value.length === 0 && (hasFields || !isBesideData)
}

/** What `serialize()` returns; undefined when it throws. */
function serializedOf(object: JsonObject): unknown {
  try {
    return (object.serialize as () => unknown)()
  } catch {
    return undefined
  }
}

/** An instance; undefined when the class needs arguments. */
function constructed(value: Class): JsonObject | undefined {
  try {
    return Reflect.construct(value, []) as JsonObject
  } catch {
    return undefined
  }
}

/** Whether a method of a class makes the options of its command, which only its program calls. */
function hasOptionsMethod(value: Class): boolean {
  const names = [value, value.prototype].flatMap((each) => Object.getOwnPropertyNames(each))
  return names.some((name) => /options?$/i.test(name))
}

/** The fields of an instance that have the builder of a command, or an object with its handler, whatever they are called. */
function heldBy(instance: JsonObject): readonly string[] {
  return Object.keys(instance).filter((key) => {
    const { value } = Object.getOwnPropertyDescriptor(instance, key) ?? {}
    if (isObject(value) && isPlain(value)) return 'data' in value || isWithFunction(value)
    return classesOf(value).some((name) => /CommandBuilder$/.test(name)) && !isPartOfCommand(value)
  })
}

/**
 * The fields of a command that stands in one object with its functions. Frameworks keep their own settings beside them,
 * so only keys that look like a typing mistake are left for validation to report.
 */
function commandOf(object: JsonObject, known: Known): JsonObject {
  const { options } = isObject(object.slashCommand) ? object.slashCommand : {}
  const own = Object.entries(object).filter(([key]) => known.isLikeField(key))
  return { ...Object.fromEntries(own), ...(Array.isArray(options) && { options }) }
}

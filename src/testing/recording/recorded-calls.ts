/** What a person sent to a bot, as the call of a testbed that sends it again. */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Files } from '../../interactions/bot/files.ts'
import { componentsOf } from '../../interactions/usage/component.ts'
import { menuKinds, type Component } from '../../interactions/usage/component-values.ts'
import { inputsOf, objectsIn } from '../../interactions/usage/modal-inputs.ts'
import type { AnswerModal } from '../../model/answer-types.ts'
import { CommandType, OptionType } from '../../model/command-types.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import { ComponentType, InteractionType } from '../../model/interaction-types.ts'
import type { ServerSettings } from '../../model/server.ts'
import { AttachedContent, Variable, type Value } from '../test-code/language.ts'
import { componentName, componentWithId, mentionOf, typedLine } from '../test-code/typed-text.ts'

/** A verb of a person, and its arguments. A message is a variable with its id as the name. */
export interface RecordedCall {
  readonly verb: string
  readonly values: readonly Value[]
}

export interface CallSource {
  readonly server: Pick<ServerSettings, 'members' | 'roles' | 'channels'>
  readonly files: Files
  /** The modal that a person has open, and the id of the answer that opened it. */
  readonly modalOf: (customId: string) => { readonly key: string; readonly modal: AnswerModal } | undefined
  readonly usernameOf: (id: string) => string | undefined
}

/** The bytes of a file that are written into a test; a longer one becomes zeros of its length. */
const MAX_WRITTEN_FILE_BYTES = 16 * 1024

interface Attachment {
  readonly filename: string
  readonly size?: number
  readonly url?: string
}

/** A file with its content, as far as the service has it. */
export function attachedFile({ filename, size = 0, url = '' }: Attachment, files: Files): AttachedContent {
  const stored = URL.canParse(url) ? files.at(new URL(url).pathname) : undefined
  if (stored === undefined) return new AttachedContent(filename, undefined)
  return writtenFile({ filename, bytes: stored.bytes, size })
}

/** A file with these contents, as a test writes it. */
export function writtenFile({
  filename,
  bytes,
  size,
}: {
  readonly filename: string
  readonly bytes?: Uint8Array
  readonly size: number
}): AttachedContent {
  if (bytes === undefined) return new AttachedContent(filename, undefined)
  if (bytes.length > MAX_WRITTEN_FILE_BYTES) return new AttachedContent(filename, '0'.repeat(size))
  return new AttachedContent(filename, textIn(bytes) ?? bytes)
}

/** The text of a file; undefined for bytes that are not text. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return /[^\P{Cc}\t\r\n]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** The call of an interaction; undefined for one that no person repeats, such as suggestions. */
export function callOf(interaction: AnyInteraction, source: CallSource): RecordedCall | undefined {
  const { type } = interaction
  const data = interaction.data as unknown as JsonObject
  if (type === InteractionType.APPLICATION_COMMAND) return commandCall(data, source)
  if (type === InteractionType.MESSAGE_COMPONENT) {
    const { message } = interaction as unknown as { readonly message: Component & { readonly id: string } }
    return componentCall(data, message, source)
  }
  return type === InteractionType.MODAL_SUBMIT ? modalCall(data, source) : undefined
}

function attachmentsOf({ resolved }: JsonObject): Readonly<Record<string, Attachment>> {
  const { attachments = {} } = (resolved ?? {}) as { readonly attachments?: Record<string, Attachment> }
  return attachments
}

function commandCall(data: JsonObject, source: CallSource): RecordedCall {
  const { type, name, target_id: target } = data as { readonly [field: string]: string | number }
  if (type === CommandType.PRIMARY_ENTRY_POINT) return { verb: 'launch', values: [] }
  if (type === CommandType.USER) {
    const id = String(target)
    return { verb: 'useOn', values: [String(name), source.usernameOf(id) ?? id] }
  }
  if (type === CommandType.MESSAGE)
    return { verb: 'useOn', values: [String(name), new Variable(String(target))] }
  const path = [`/${String(name)}`]
  let options = objectsIn(data.options)
  // A subcommand is the only option, and has its own.
  while (options[0]?.type === OptionType.SUB_COMMAND || options[0]?.type === OptionType.SUB_COMMAND_GROUP) {
    path.push(String(options[0].name))
    options = objectsIn(options[0].options)
  }
  const isFile = (one: Component) => one.type === OptionType.ATTACHMENT
  const typed = options
    .filter((one) => !isFile(one))
    .map(({ name, type, value }) => ({ option: { name: String(name), type: Number(type) }, value }))
  const attachments = attachmentsOf(data)
  const files = options
    .filter(isFile)
    .map(({ name, value }) => [String(name), attachedFile(attachments[String(value)]!, source.files)])
  const line = typedLine(path.join(' '), typed, source.server)
  return { verb: 'use', values: files.length === 0 ? [line] : [line, Object.fromEntries(files)] }
}

function componentCall(
  data: JsonObject,
  message: Component & { readonly id: string },
  source: CallSource,
): RecordedCall | undefined {
  const component = componentWithId(message.components, data.custom_id)
  if (component === undefined) return undefined
  const name = componentName(component, componentsOf(message.components))
  const target = new Variable(message.id)
  if (component.type === ComponentType.BUTTON) return { verb: 'press', values: [target, name] }
  const chosen = chosenOf(component, data.values, source)
  return { verb: 'choose', values: [target, name, ...chosen] }
}

/** What a person chose in a menu or a group, by the words that they saw. */
function chosenOf(input: Component, values: unknown, { server }: CallSource): readonly string[] {
  const kinds = menuKinds[Number(input.type)] ?? []
  const options = objectsIn(input.options)
  return (Array.isArray(values) ? values : []).map((value) => {
    if (kinds.length > 0) return mentionOf(value, server) ?? String(value)
    const label = options.find((one) => one.value === value)?.label
    const isAlone = options.filter((one) => one.label === label || one.value === label).length === 1
    return typeof label === 'string' && isAlone ? label : String(value)
  })
}

function modalCall(data: JsonObject, source: CallSource): RecordedCall | undefined {
  const open = source.modalOf(String(data.custom_id))
  if (open === undefined) return undefined
  const sent = new Map(componentsOf(data.components).map((one) => [one.custom_id, one]))
  const inputs = inputsOf(open.modal.components, (one) => 'custom_id' in one)
  const entries = inputs.flatMap(({ input, label }): [string, Value][] => {
    const one = sent.get(input.custom_id)
    const value = one && inputValue(input, one, data, source)
    if (value === undefined) return []
    const isAlone = inputs.filter((other) => other.label === label).length === 1
    return [[typeof label === 'string' && isAlone ? label : String(input.custom_id), value]]
  })
  return { verb: 'submit', values: [new Variable(open.key), Object.fromEntries(entries)] }
}

/** What a person entered; undefined for what the modal had before. */
function inputValue(
  input: JsonObject,
  { value, values }: Component,
  data: JsonObject,
  source: CallSource,
): Value | undefined {
  switch (input.type) {
    case ComponentType.TEXT_INPUT:
      return value === (input.value ?? '') ? undefined : String(value)
    case ComponentType.CHECKBOX:
      return value === (input.default === true) ? undefined : value === true
    case ComponentType.RADIO_GROUP:
      return value === null ? undefined : chosenOf(input, [value], source)[0]
    case ComponentType.FILE_UPLOAD: {
      const attachments = attachmentsOf(data)
      const files = (values as readonly string[]).map((id) => attachedFile(attachments[id]!, source.files))
      return files.length === 0 ? undefined : files
    }
    default: {
      const chosen = chosenOf(input, values, source)
      return chosen.length === 0 && !isObject(input.default_values) ? undefined : chosen
    }
  }
}

/** Reads the components of messages and modals. */
import { valueOf, type Reader, type Readers } from '../../core/rules/readers.ts'
import type { Report } from '../../core/rules/report.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { ButtonStyle, ComponentType as Type } from '../../model/interaction-types.ts'
import { partsOf, type Part } from './component-parts.ts'
import { componentRules as rules, TOTAL_MAX } from './component-rules.ts'
import { readFileTypes } from '../../commands/definition/rules/file-type-rules.ts'
import { address, wholeNumber, listIn, media, messagePart, part, readId, textIn } from './message-fields.ts'
import { referenceRules } from './reference-rules.ts'

const menus = [
  Type.STRING_SELECT,
  Type.USER_SELECT,
  Type.ROLE_SELECT,
  Type.MENTIONABLE_SELECT,
  Type.CHANNEL_SELECT,
]
const inContainer = [
  Type.ACTION_ROW,
  Type.SECTION,
  Type.TEXT_DISPLAY,
  Type.MEDIA_GALLERY,
  Type.FILE,
  Type.SEPARATOR,
]
const inMessage: readonly number[] = [...inContainer, Type.CONTAINER]
const inModal = [Type.ACTION_ROW, Type.TEXT_DISPLAY, Type.LABEL]
const inLabel = [
  ...menus,
  Type.TEXT_INPUT,
  Type.FILE_UPLOAD,
  Type.RADIO_GROUP,
  Type.CHECKBOX_GROUP,
  Type.CHECKBOX,
]

/** A type of components: its fields, those it requires, and the rules about several of them. */
interface Kind {
  readonly fields: Readers
  readonly required?: readonly string[]
  readonly whole?: (report: Report, component: JsonObject) => void
}

const flag = valueOf(shape.boolean)
/** What it must be, the pass over references looks up. */
const emoji = part({ id: readId })
const numericId = wholeNumber(rules.componentNumber)
const customId = textIn(rules.componentId)

const option = part(
  {
    label: textIn(rules.optionLabel),
    value: textIn(rules.optionValue),
    description: textIn(rules.optionDescription),
    emoji,
    default: flag,
  },
  'label',
  'value',
)

/** The fields of smallest numbers, and those of the largest. */
const bounds = { min_values: 'max_values', min_length: 'max_length' }

/** The largest number of choices of a component that gives none. */
function usualMax({ type, options }: JsonObject): number {
  return type === Type.CHECKBOX_GROUP && Array.isArray(options) ? options.length : 1
}

/** The largest number that a smallest one may be: `max_values` is no more than there are options. */
function largestOf(component: JsonObject, max: string): unknown {
  if (max !== 'max_values') return component[max]
  const most = component[max] ?? usualMax(component)
  const { options } = component
  const hasOptions = Array.isArray(options) && options.length > 0
  return hasOptions && typeof most === 'number' ? Math.min(most, options.length) : most
}

/** A component that sends its custom_id to the app. */
function interactive(fields: Readers, ...required: readonly string[]): Kind {
  return {
    fields: { custom_id: customId, disabled: flag, required: flag, ...fields },
    required,
    whole: (report, component) => {
      report.at('custom_id', () => report.check(rules.componentIdMissing, component.custom_id))
      for (const [min, max] of Object.entries(bounds))
        if (min in fields)
          report.at(min, () => report.check(rules.boundsInverted, component, min, largestOf(component, max)))
      if (Array.isArray(component.options)) checkValues(report, component.options)
    },
  }
}

function menu(fields: Readers = {}, ...required: readonly string[]): Kind {
  const own = {
    placeholder: textIn(rules.menuPlaceholder),
    min_values: wholeNumber(rules.menuMin),
    max_values: wholeNumber(rules.menuMax),
    ...fields,
  }
  return interactive(own, ...required)
}

/** The words for the objects of a menu, in its `default_values`. */
const objectWords: Readonly<Record<number, readonly string[]>> = {
  [Type.USER_SELECT]: ['user'],
  [Type.ROLE_SELECT]: ['role'],
  [Type.MENTIONABLE_SELECT]: ['user', 'role'],
  [Type.CHANNEL_SELECT]: ['channel'],
}

/** A menu of objects of the server, some of which it can preset. */
function objectMenu(type: number, fields: Readers = {}): Kind {
  const words = objectWords[type]!
  const kind: Reader = (report, value) => report.check(rules.defaultKind, value, words)
  const preset = part({ id: readId, type: kind }, 'id', 'type')
  const own = menu({ ...fields, default_values: listIn(rules.defaultsMax, preset) })
  return {
    ...own,
    whole: (report, component) => {
      own.whole!(report, component)
      report.at('default_values', () => report.check(rules.defaultCount, component))
    },
  }
}

/** Reports options of a menu with the same value. */
function checkValues(report: Report, options: readonly unknown[]): void {
  const values = options.slice(0, 25).map((one, index) => (isObject(one) ? (one.value ?? index) : index))
  values.forEach((_, index) =>
    report.at(['options', index, 'value'], () => report.check(rules.optionsUnique, values, index)),
  )
}

const button: Kind = {
  fields: {
    style: valueOf(rules.buttonStyle),
    label: textIn(rules.buttonLabel),
    custom_id: customId,
    url: valueOf(shape.string, rules.buttonUrl),
    sku_id: readId,
    emoji,
    disabled: flag,
  },
  required: ['style'],
  whole: (report, component) => {
    const { style, custom_id, url } = component
    for (const field of ['custom_id', 'label', 'url', 'sku_id', 'emoji'])
      report.at(field, () => report.check(rules.buttonFields, component, field))
    for (const field of ['label', 'url', 'sku_id'])
      report.at(field, () => report.check(rules.buttonMissing, component, field))
    if (typeof url === 'string') report.at('url', address('http', 'https', 'discord'), url)
    if (style !== ButtonStyle.LINK && style !== ButtonStyle.PREMIUM)
      report.at('custom_id', () => report.check(rules.componentIdMissing, custom_id))
  },
}

/** A row of buttons or one menu in a message, of one text input in a modal. */
function row(fitting: readonly number[]): Kind {
  return {
    fields: { components: listIn(rules.componentRow, componentIn(fitting)) },
    required: ['components'],
    whole: (report, { components }) => {
      if (!Array.isArray(components)) return
      const types = components.slice(0, 5).map((one) => (isObject(one) ? one.type : Type.BUTTON))
      types.forEach((type, index) => {
        report.at(['components', index], () => report.check(rules.rowWidth, types, index))
        if (type !== Type.TEXT_INPUT) return
        const { label, disabled } = components[index] as JsonObject
        // Only an input in a label of its own has no label.
        report.at(['components', index, 'label'], () => report.check(shape.present, label))
        report.at(['components', index, 'disabled'], () => report.check(rules.inputDisabled, disabled))
      })
    },
  }
}

const described: Readers = { description: textIn(rules.mediaDescription), spoiler: flag }

const kinds: Readonly<Record<number, Kind>> = {
  [Type.ACTION_ROW]: row([Type.BUTTON, ...menus]),
  [Type.BUTTON]: button,
  [Type.STRING_SELECT]: menu({ options: listIn(rules.menuOptions, option) }, 'options'),
  [Type.USER_SELECT]: objectMenu(Type.USER_SELECT),
  [Type.ROLE_SELECT]: objectMenu(Type.ROLE_SELECT),
  [Type.MENTIONABLE_SELECT]: objectMenu(Type.MENTIONABLE_SELECT),
  [Type.CHANNEL_SELECT]: objectMenu(Type.CHANNEL_SELECT, { channel_types: valueOf(shape.list) }),
  [Type.TEXT_INPUT]: interactive(
    {
      style: valueOf(rules.inputStyle),
      label: textIn(rules.inputLabel),
      placeholder: textIn(rules.inputPlaceholder),
      value: textIn(rules.inputValue),
      min_length: wholeNumber(rules.inputMin),
      max_length: wholeNumber(rules.inputMax),
    },
    'style',
  ),
  [Type.SECTION]: {
    fields: {
      components: listIn(rules.sectionTexts, componentIn([Type.TEXT_DISPLAY])),
      accessory: componentIn([Type.BUTTON, Type.THUMBNAIL]),
    },
    required: ['components', 'accessory'],
  },
  [Type.TEXT_DISPLAY]: { fields: { content: textIn(rules.shownText) }, required: ['content'] },
  [Type.THUMBNAIL]: { fields: { media, ...described }, required: ['media'] },
  [Type.MEDIA_GALLERY]: {
    fields: { items: listIn(rules.galleryItems, part({ media, ...described }, 'media')) },
    required: ['items'],
  },
  [Type.FILE]: {
    fields: { file: part({ url: address('attachment') }, 'url'), spoiler: flag },
    required: ['file'],
  },
  [Type.SEPARATOR]: { fields: { divider: flag, spacing: valueOf(rules.separatorSpacing) } },
  [Type.CONTAINER]: {
    fields: {
      components: listIn(rules.containerParts, componentIn(inContainer), TOTAL_MAX),
      accent_color: wholeNumber(rules.containerColor),
      spoiler: flag,
    },
    required: ['components'],
  },
  [Type.LABEL]: {
    fields: {
      label: textIn(rules.inputLabel),
      description: textIn(rules.inputHint),
      component: componentIn(inLabel),
    },
    required: ['label', 'component'],
    whole: (report, { component }) => {
      if (!isObject(component)) return
      const { min_values, required, disabled } = component
      report.at(['component', 'min_values'], () => report.check(rules.requiredMin, min_values, required))
      report.at(['component', 'disabled'], () => report.check(rules.inputDisabled, disabled))
    },
  },
  [Type.FILE_UPLOAD]: interactive({
    min_values: wholeNumber(rules.uploadMin),
    max_values: wholeNumber(rules.uploadMax),
    file_types: (report, value) =>
      report.check(shape.list, value) ? readFileTypes(report, value) : undefined,
  }),
  [Type.RADIO_GROUP]: interactive({ options: listIn(rules.radioOptions, option) }, 'options'),
  [Type.CHECKBOX_GROUP]: interactive(
    {
      options: listIn(rules.checkboxOptions, option),
      min_values: wholeNumber(rules.checkboxMin),
      max_values: wholeNumber(rules.checkboxMax),
    },
    'options',
  ),
  [Type.CHECKBOX]: interactive({ default: flag }),
}

/**
 * Reads a component where only some types fit. Those that do not fit are not read further, which limits the depth.
 *
 * @param own kinds that are others in this place
 */
function componentIn(fitting: readonly number[], own?: Readonly<Record<number, Kind>>): Reader {
  return (report, value) => {
    if (!report.check(messagePart, value)) return
    const type = value.type as number
    const isFitting = report.at(
      'type',
      () => report.check(rules.componentType, type) && report.check(rules.componentPlace, type, fitting),
    )
    if (!isFitting) return
    const { fields, required, whole } = own?.[type] ?? kinds[type]!
    part({ id: numericId, ...fields } as Readers, ...(required ?? []))(report, value)
    whole?.(report, value)
  }
}

const readRow = componentIn([Type.ACTION_ROW])
const readPart = componentIn(inMessage)
const readModalPart = componentIn(inModal, { [Type.ACTION_ROW]: row([Type.TEXT_INPUT]) })

/** The components of a message without IS_COMPONENTS_V2. */
const readLegacyList = listIn(rules.messageRows, (report, value) => {
  const type = isObject(value) ? (value.type as number) : Type.ACTION_ROW
  const isRow = !inMessage.includes(type) || report.at('type', () => report.check(rules.componentV2, type))
  if (isRow) readRow(report, value)
})

const readModalList = listIn(rules.modalComponents, readModalPart)

/** Reads the components of a message, at their path. */
export function readComponents(report: Report, components: readonly unknown[], isV2: boolean): void {
  const parts = partsOf(components)
  if (isV2) {
    report.items(components, TOTAL_MAX, readPart)
    report.check(rules.componentsTotal, parts)
    if (report.check(rules.componentsText, parts))
      report.check(
        referenceRules.shownBytes,
        parts.map(({ component }) => component),
      )
  } else readLegacyList(report, components)
  checkIds(report, parts)
}

/** Reads the data of a MODAL answer. */
export const readModal = part(
  {
    custom_id: textIn(rules.modalId),
    title: textIn(rules.modalTitle),
    components: (report, components) => {
      readModalList(report, components)
      if (Array.isArray(components)) checkIds(report, partsOf(components))
    },
  },
  'custom_id',
  'title',
  'components',
)

function checkIds(report: Report, parts: readonly Part[]): void {
  const named = parts.filter(({ component }) => typeof component.custom_id === 'string')
  const ids = named.map(({ component }) => component.custom_id)
  named.forEach(({ path }, index) =>
    report.at([...path, 'custom_id'], () => report.check(rules.componentsUnique, ids, index)),
  )
}

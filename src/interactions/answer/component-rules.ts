/**
 * Rules about the components of messages and modals. Limits are those of developers/components/reference.mdx, discord-api-docs
 * at f36e7ca3.
 */
import type { JsonObject } from '../../core/json.ts'
import {
  distinctItems,
  form,
  found,
  oneOfMembers,
  memberRule,
  namedNumbers,
} from '../../core/rules/rule-kinds.ts'
import { NO_PARAMS } from '../../core/rules/rule.ts'
import { counted, countCharacters, isBlank, listed, quoted } from '../../core/text.ts'
import { badLength, minLength, numberMax, mustBeOneOf, isRequired } from '../../core/rules/wire-errors.ts'
import { ButtonStyle, ComponentType } from '../../model/interaction-types.ts'
import { answerListRule, answerRangeRule, answerRule, answerTextRule, CLAUSE } from './answer-rule.ts'

const { ACTION_ROW, BUTTON, FILE_UPLOAD, CHECKBOX_GROUP } = ComponentType
const { LINK, PREMIUM } = ButtonStyle

const ROWS_MAX = 5
export const TOTAL_MAX = 40
const SHOWN_TEXT_MAX = 4_000

const typeWords = namedNumbers(ComponentType)

function words(types: readonly number[]): readonly string[] {
  return types.map((type) => typeWords.find((word) => word.startsWith(`${type} `)) ?? String(type))
}

function choices(types: readonly number[]) {
  const list = types.length === 1 ? `${types[0]},` : types.join(', ')
  return { code: 'UNION_TYPE_CHOICES', message: `Value of field "type" must be one of (${list}).` }
}

/** The largest `min_values` of a type of components. */
function mostValues({ type }: JsonObject): number {
  return type === FILE_UPLOAD || type === CHECKBOX_GROUP ? 10 : 25
}

/** The bounds of a menu are 1 unless given. */
function numberOr1(value: unknown): number {
  return typeof value === 'number' ? value : 1
}

/** The field that a style requires, and those that it does not allow. */
function fieldsOf(style: unknown): { readonly needs: string; readonly refuses: readonly string[] } {
  if (style === LINK) return { needs: 'url', refuses: ['custom_id', 'sku_id'] }
  if (style === PREMIUM) return { needs: 'sku_id', refuses: ['custom_id', 'label', 'url', 'emoji'] }
  return { needs: 'custom_id', refuses: ['url', 'sku_id'] }
}

export const componentRules = {
  componentType: answerRule({
    code: 'component.type',
    summary: 'A component has a known type.',
    ...oneOfMembers(ComponentType, 'give a type such as 1 ACTION_ROW, 2 BUTTON or 3 STRING_SELECT'),
    wire: ({ given }) =>
      typeof given === 'number'
        ? choices(Object.values(ComponentType))
        : { code: 'TAG_FIELD_MISSING', message: 'Field "type" is required' },
    at: 'parent',
  }),
  componentPlace: answerRule({
    code: 'component.place',
    summary: 'The type of a component fits its place.',
    check: (type: number, fitting: readonly number[]) =>
      fitting.includes(type) ? undefined : { type, fitting },
    message: ({ type, fitting }) =>
      `is ${words([type])[0]}; this place takes ${listed(words(fitting), 'or')}`,
    wire: ({ fitting }) => choices(fitting),
    at: 'parent',
  }),
  componentV2: answerRule({
    code: 'component.flag',
    summary: 'A message without IS_COMPONENTS_V2 has its components in action rows.',
    check: (type: number) => (type === ACTION_ROW ? undefined : { type }),
    message: ({ type }) =>
      `is ${words([type])[0]}; put it in a row, or set the flag IS_COMPONENTS_V2 (32768) for such components`,
    wire: choices([ACTION_ROW]),
    at: 'parent',
  }),
  componentIdMissing: answerRule({
    code: 'component.custom_id_required',
    summary: 'Buttons that are not links, select menus and inputs have a custom_id.',
    ...form((id) => id !== undefined && id !== null, 'the app needs it to identify the component'),
    wire: isRequired,
  }),
  componentId: answerTextRule({
    code: 'component.custom_id',
    subject: 'The custom_id of a component has',
    max: 100,
    min: 1,
  }),
  componentNumber: answerRangeRule({
    code: 'component.id',
    subject: 'The numeric id of a component',
    min: 0,
    max: 2_147_483_647,
  }),
  componentsUnique: answerRule({
    code: 'components.unique',
    summary: 'The components of a message or a modal have different custom_ids.',
    check: distinctItems.check,
    message: distinctItems.message,
    wire: { code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message: 'Component custom id cannot be duplicated' },
  }),
  messageRows: answerListRule({
    code: 'components.rows',
    subject: 'A message has',
    item: 'row',
    max: ROWS_MAX,
  }),
  modalComponents: answerListRule({
    code: 'modal.components',
    subject: 'A modal has',
    item: 'component',
    max: 5,
    min: 1,
  }),
  componentRow: answerListRule({
    code: 'component.row',
    subject: 'An action row has',
    item: 'component',
    max: 5,
    min: 1,
  }),
  sectionTexts: answerListRule({
    code: 'component.section',
    subject: 'A section has',
    item: 'text',
    max: 3,
    min: 1,
  }),
  galleryItems: answerListRule({
    code: 'component.gallery',
    subject: 'A media gallery has',
    item: 'item',
    max: 10,
    min: 1,
  }),
  containerParts: answerRule({
    code: 'component.container',
    summary: 'A container has at least 1 component.',
    check: ({ length }: readonly unknown[]) => (length > 0 ? undefined : NO_PARAMS),
    message: () => 'is empty; a container needs at least 1 component',
    wire: minLength(1),
  }),
  rowWidth: answerRule({
    code: 'component.width',
    summary: 'A select menu or a text input is alone in its row.',
    check: (types: readonly unknown[], index: number) =>
      index > 0 && types.some((type) => type !== BUTTON) ? NO_PARAMS : undefined,
    message: () => 'has no space in this row: a select menu or a text input fills it; add a row',
    wire: {
      code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
      message: 'The specified component exceeds the maximum width',
    },
  }),
  componentsTotal: answerRule({
    code: 'components.total',
    limit: { max: TOTAL_MAX },
    summary: `A message with IS_COMPONENTS_V2 has at most ${TOTAL_MAX} components, nested ones included.`,
    check: (components: readonly unknown[]) =>
      components.length <= TOTAL_MAX ? undefined : { actual: components.length },
    message: ({ actual }) =>
      `has ${actual} components, nested ones included; at most ${TOTAL_MAX} are allowed`,
    wire: {
      code: 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
      message: `Total number of components cannot exceed ${TOTAL_MAX}`,
    },
  }),
  componentsText: answerRule({
    code: 'components.text',
    limit: { max: SHOWN_TEXT_MAX },
    summary: `The text displays of a message have at most ${SHOWN_TEXT_MAX} characters together.`,
    check: (parts: readonly { readonly component: JsonObject }[]) => {
      const texts = parts.map(({ component: { content } }) => (typeof content === 'string' ? content : ''))
      const actual = texts.reduce((sum, text) => sum + countCharacters(text), 0)
      return actual <= SHOWN_TEXT_MAX ? undefined : { actual }
    },
    message: ({ actual }) =>
      `have ${actual} characters of text together; at most ${SHOWN_TEXT_MAX} are allowed`,
    wire: {
      code: 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
      message: `Components displayable text size exceeds maximum size of ${SHOWN_TEXT_MAX}`,
    },
  }),
  buttonStyle: memberRule({
    code: 'button.style',
    clause: CLAUSE,
    subject: 'The style of a button',
    members: ButtonStyle,
  }),
  buttonLabel: answerTextRule({ code: 'button.label', subject: 'The label of a button has', max: 80 }),
  buttonUrl: answerTextRule({ code: 'button.url', subject: 'The address of a button has', max: 512 }),
  buttonMissing: answerRule({
    code: 'button.required',
    summary:
      'A link has a url, a premium button a sku_id, and any button but a premium one a label or an emoji.',
    check: ({ style, label, emoji, ...button }: JsonObject, field: string) => {
      const isNeeded = field === 'label' ? style !== PREMIUM && !emoji : fieldsOf(style).needs === field
      return isNeeded && !(field === 'label' ? label : button[field]) ? { field } : undefined
    },
    message: ({ field }) =>
      field === 'label'
        ? 'is missing; give the button a label or an emoji'
        : `is missing; a button of this style needs a ${field}`,
    wire: isRequired,
  }),
  buttonFields: answerRule({
    code: 'button.fields',
    summary:
      'A link has no custom_id, a premium button only a sku_id, and other buttons no url and no sku_id.',
    check: (button: JsonObject, field: string) => {
      const { needs, refuses } = fieldsOf(button.style)
      return refuses.includes(field) && button[field] ? { field, needs } : undefined
    },
    about: 'text',
    message: ({ field, needs }) =>
      `is not allowed: a button of this style has a ${needs} and no ${field}; remove it`,
    wire: {
      code: 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
      message: 'A custom id and url cannot both be specified',
    },
  }),
  menuPlaceholder: answerTextRule({
    code: 'menu.placeholder',
    subject: 'The placeholder of a select menu has',
    max: 150,
  }),
  menuMin: answerRangeRule({
    code: 'menu.min_values',
    subject: 'The smallest number of choices',
    min: 0,
    max: 25,
  }),
  menuMax: answerRangeRule({
    code: 'menu.max_values',
    subject: 'The largest number of choices',
    min: 1,
    max: 25,
  }),
  menuOptions: answerListRule({
    code: 'menu.options',
    subject: 'A select menu has',
    item: 'option',
    max: 25,
    min: 1,
  }),
  radioOptions: answerListRule({
    code: 'radio_group.options',
    subject: 'A radio group has',
    item: 'option',
    max: 10,
    min: 2,
  }),
  checkboxOptions: answerListRule({
    code: 'checkbox_group.options',
    subject: 'A checkbox group has',
    item: 'option',
    max: 10,
    min: 1,
  }),
  checkboxMin: answerRangeRule({
    code: 'checkbox_group.min_values',
    subject: 'The smallest number of checked options',
    min: 0,
    max: 10,
  }),
  checkboxMax: answerRangeRule({
    code: 'checkbox_group.max_values',
    subject: 'The largest number of checked options',
    min: 1,
    max: 10,
  }),
  uploadMin: answerRangeRule({
    code: 'upload.min_values',
    subject: 'The smallest number of files',
    min: 0,
    max: 10,
  }),
  uploadMax: answerRangeRule({
    code: 'upload.max_values',
    subject: 'The largest number of files',
    min: 1,
    max: 10,
  }),
  optionLabel: answerTextRule({
    code: 'menu_option.label',
    subject: 'The label of an option of a menu has',
    max: 100,
    min: 1,
  }),
  optionValue: answerTextRule({
    code: 'menu_option.value',
    subject: 'The value of an option of a menu has',
    max: 100,
    min: 1,
  }),
  optionDescription: answerTextRule({
    code: 'menu_option.description',
    subject: 'The description of an option of a menu has',
    max: 100,
  }),
  optionsUnique: answerRule({
    code: 'menu_options.unique',
    summary: 'The options of a menu have different values.',
    check: distinctItems.check,
    message: distinctItems.message,
    wire: {
      code: 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
      message: 'The specified option value is already used',
    },
  }),
  boundsInverted: answerRule({
    code: 'component.bounds',
    summary: 'The smallest number of choices or characters is not above the largest.',
    check: (component: JsonObject, field: string, max: unknown) => {
      const min = component[field]
      // A number above all that the field takes is reported by its own rule.
      const top = field === 'min_values' ? mostValues(component) : Infinity
      if (typeof min !== 'number' || typeof max !== 'number' || min <= max || min > top) return undefined
      return { min, max, isUsual: field === 'min_values' && typeof component.max_values !== 'number' }
    },
    message: ({ min, max, isUsual }) =>
      isUsual
        ? `is ${min}, but max_values is ${max} unless given; set max_values to at least ${min}`
        : `is ${min}, which is above the largest, ${max}`,
    wire: ({ max }) => numberMax('int', max),
  }),
  requiredMin: answerRule({
    code: 'component.required_min',
    summary: 'The `min_values` of a required input of a modal is at least 1.',
    check: (min: unknown, required: unknown) => (min === 0 && required !== false ? NO_PARAMS : undefined),
    message: () => 'is 0, but the input is required; set `required` to false, or `min_values` to at least 1',
    wire: {
      code: 'SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES',
      message: 'Select menus marked as required cannot have a min_values of 0',
    },
  }),
  inputDisabled: answerRule({
    code: 'component.disabled',
    summary: 'An input of a modal is not disabled.',
    check: (disabled: unknown) => (disabled === true ? NO_PARAMS : undefined),
    message: () => 'is true, but no input of a modal can be disabled; leave it out',
    wire: { code: 'BASE_TYPE_CHOICES', message: 'Value must be one of {False}.' },
  }),
  defaultKind: answerRule({
    code: 'menu.default_kind',
    summary: 'The type of a default value fits its select menu: `user`, `role` or `channel`.',
    check: (type: unknown, kinds: readonly string[]) =>
      kinds.includes(type as string) ? undefined : { ...found(type), kinds },
    message: ({ actual, kinds }) =>
      `is ${actual}; this menu takes ${listed(
        kinds.map((kind) => quoted(kind)),
        'or',
      )}`,
    wire: ({ kinds }) => mustBeOneOf(kinds),
  }),
  defaultsMax: answerListRule({
    code: 'menu.default_values',
    subject: 'A select menu has',
    item: 'default value',
    max: 25,
  }),
  defaultCount: answerRule({
    code: 'menu.default_count',
    summary:
      'A select menu with default values has at least its `min_values` and at most its `max_values` of them.',
    check: ({ default_values: values, min_values: min, max_values: max }: JsonObject) => {
      // A list beyond its limit is reported by that.
      if (!Array.isArray(values) || values.length === 0 || values.length > 25) return undefined
      const range = { min: numberOr1(min), max: numberOr1(max) }
      const actual = values.length
      return actual >= range.min && actual <= range.max ? undefined : { actual, ...range }
    },
    message: ({ actual, min, max }) =>
      actual > max
        ? `has ${counted(actual, 'value')}, but max_values is ${max}${max === 1 ? ' unless given' : ''}; set max_values to at least ${actual}`
        : `has ${counted(actual, 'value')}, but min_values is ${min}; add more, or leave them out`,
    wire: ({ min, max }) => badLength(min, max),
  }),
  shownText: answerRule({
    code: 'text_display.content',
    summary: 'A text display has a text that is not white space alone.',
    check: (text: string) => (isBlank(text) ? NO_PARAMS : undefined),
    message: () => 'is empty; give the text display a text',
    wire: isRequired,
  }),
  mediaDescription: answerTextRule({
    code: 'media.description',
    subject: 'The description of a picture or file has',
    max: 1_024,
  }),
  separatorSpacing: memberRule({
    code: 'separator.spacing',
    clause: CLAUSE,
    subject: 'The space of a separator',
    members: {
      SMALL: 1,
      LARGE: 2,
    },
  }),
  containerColor: answerRangeRule({
    code: 'container.accent_color',
    subject: 'The color of a container',
    min: 0,
    max: 0xff_ff_ff,
  }),
  inputStyle: memberRule({
    code: 'input.style',
    clause: CLAUSE,
    subject: 'The style of a text input',
    members: { SHORT: 1, PARAGRAPH: 2 },
  }),
  inputLabel: answerTextRule({ code: 'input.label', subject: 'The label of an input has', max: 45, min: 1 }),
  inputHint: answerTextRule({
    code: 'input.description',
    subject: 'The description of a label has',
    max: 100,
  }),
  inputPlaceholder: answerTextRule({
    code: 'input.placeholder',
    subject: 'The placeholder of a text input has',
    max: 100,
  }),
  inputValue: answerTextRule({ code: 'input.value', subject: 'The value of a text input has', max: 4_000 }),
  inputMin: answerRangeRule({
    code: 'input.min_length',
    subject: 'The smallest length of a text input',
    min: 0,
    max: 4_000,
  }),
  inputMax: answerRangeRule({
    code: 'input.max_length',
    subject: 'The largest length of a text input',
    min: 1,
    max: 4_000,
  }),
  modalId: answerTextRule({ code: 'modal.custom_id', subject: 'The id of a modal has', max: 100, min: 1 }),
  modalTitle: answerTextRule({ code: 'modal.title', subject: 'The title of a modal has', max: 45, min: 1 }),
} as const

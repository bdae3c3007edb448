/** Rules about the components of messages and modals. */
import { distinctItems, memberOf } from '../command/number-kinds.ts'
import { namedNumbers } from '../command/types.ts'
import { form } from '../core/form.ts'
import type { JsonObject } from '../core/json.ts'
import { NO_PARAMS, rule } from '../core/rule.ts'
import { countCharacters, listed } from '../core/text.ts'
import { minLength, numberMax, required } from '../core/wire.ts'
import { ButtonStyle, ComponentType } from '../interaction/types.ts'
import { answerListLength, answerMember, answerRange, answerTextLength, CLAUSE } from './limits.ts'

const { ACTION_ROW, BUTTON } = ComponentType
const { LINK, PREMIUM } = ButtonStyle

const ROWS_MAX = 5
export const TOTAL_MAX = 40
const SHOWN_TEXT_MAX = 4_000

const typeWords = namedNumbers(ComponentType)

function words(types: readonly number[]): readonly string[] {
  return types.map((type) => typeWords.find((word) => word.startsWith(`${type} `)) ?? String(type))
}

// --- Any component --------------------------------------------------------------------------------------------

export const componentType = rule({
  code: 'component.type',
  clause: CLAUSE,
  summary: 'A component has a known type.',
  ...memberOf(ComponentType, 'give a type such as 1 ACTION_ROW, 2 BUTTON or 3 STRING_SELECT'),
  wire: ({ given }) =>
    typeof given === 'number'
      ? choices(Object.values(ComponentType))
      : { code: 'TAG_FIELD_MISSING', message: 'Field "type" is required' },
  at: 'parent',
})

function choices(types: readonly number[]) {
  const list = types.length === 1 ? `${types[0]},` : types.join(', ')
  return { code: 'UNION_TYPE_CHOICES', message: `Value of field "type" must be one of (${list}).` }
}

export const componentPlace = rule({
  code: 'component.place',
  clause: CLAUSE,
  summary: 'The type of a component fits its place.',
  check: (type: number, fitting: readonly number[]) =>
    fitting.includes(type) ? undefined : { type, fitting },
  message: ({ type, fitting }) => `is ${words([type])[0]}; this place takes ${listed(words(fitting), 'or')}`,
  wire: ({ fitting }) => choices(fitting),
  at: 'parent',
})

export const componentV2 = rule({
  code: 'component.flag',
  clause: CLAUSE,
  summary: 'A message without IS_COMPONENTS_V2 has its components in action rows.',
  check: (type: number) => (type === ACTION_ROW ? undefined : { type }),
  message: ({ type }) =>
    `is ${words([type])[0]}; put it in a row, or set the flag IS_COMPONENTS_V2 (32768) for such components`,
  wire: choices([ACTION_ROW]),
  at: 'parent',
})

export const componentIdMissing = rule({
  code: 'component.custom_id_required',
  clause: CLAUSE,
  summary: 'Buttons that are not links, select menus and inputs have a custom_id.',
  ...form((id) => id !== undefined && id !== null, 'the app needs it to identify the component'),
  wire: required,
})

export const componentId = answerTextLength('component.custom_id', 'The custom_id of a component', 100, 1)

export const componentsUnique = rule({
  code: 'components.unique',
  clause: CLAUSE,
  summary: 'The components of a message or a modal have different custom_ids.',
  check: distinctItems.check,
  message: distinctItems.message,
  wire: { code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message: 'Component custom id cannot be duplicated' },
})

// --- Lists ----------------------------------------------------------------------------------------------------

export const messageRows = answerListLength('components.rows', 'A message', 'row', ROWS_MAX)
export const modalComponents = answerListLength('modal.components', 'A modal', 'component', 5, 1)
export const componentRow = answerListLength('component.row', 'An action row', 'component', 5, 1)
export const sectionTexts = answerListLength('component.section', 'A section', 'text', 3, 1)
export const galleryItems = answerListLength('component.gallery', 'A media gallery', 'item', 10, 1)
export const containerParts = rule({
  code: 'component.container',
  clause: CLAUSE,
  summary: 'A container has at least 1 component.',
  check: ({ length }: readonly unknown[]) => (length > 0 ? undefined : NO_PARAMS),
  message: () => 'is empty; a container needs at least 1 component',
  wire: minLength(1),
})

export const rowWidth = rule({
  code: 'component.width',
  clause: CLAUSE,
  summary: 'A select menu or a text input is alone in its row.',
  check: (types: readonly unknown[], index: number) =>
    index > 0 && types.some((type) => type !== BUTTON) ? NO_PARAMS : undefined,
  message: () => 'has no space in this row: a select menu or a text input fills it; add a row',
  wire: {
    code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
    message: 'The specified component exceeds the maximum width',
  },
})

export const componentsTotal = rule({
  code: 'components.total',
  clause: CLAUSE,
  limit: { max: TOTAL_MAX },
  summary: `A message with IS_COMPONENTS_V2 has at most ${TOTAL_MAX} components, nested ones included.`,
  check: (components: readonly unknown[]) =>
    components.length <= TOTAL_MAX ? undefined : { actual: components.length },
  message: ({ actual }) => `has ${actual} components, nested ones included; at most ${TOTAL_MAX} are allowed`,
  wire: {
    code: 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
    message: `Total number of components cannot exceed ${TOTAL_MAX}`,
  },
})

export const componentsText = rule({
  code: 'components.text',
  clause: CLAUSE,
  limit: { max: SHOWN_TEXT_MAX },
  summary: `The text displays of a message have at most ${SHOWN_TEXT_MAX} characters together.`,
  check: (parts: readonly { readonly component: JsonObject }[]) => {
    const actual = parts.reduce(
      (sum, { component: { content } }) => sum + (typeof content === 'string' ? countCharacters(content) : 0),
      0,
    )
    return actual <= SHOWN_TEXT_MAX ? undefined : { actual }
  },
  message: ({ actual }) =>
    `have ${actual} characters of text together; at most ${SHOWN_TEXT_MAX} are allowed`,
  wire: {
    code: 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
    message: `Components displayable text size exceeds maximum size of ${SHOWN_TEXT_MAX}`,
  },
})

// --- Buttons --------------------------------------------------------------------------------------------------

export const buttonStyle = answerMember('button.style', 'The style of a button', ButtonStyle)
export const buttonLabel = answerTextLength('button.label', 'The label of a button', 80)
export const buttonUrl = answerTextLength('button.url', 'The address of a button', 512)

/** The field that a style requires, and those that it does not allow. */
function fieldsOf(style: unknown): { readonly needs: string; readonly refuses: readonly string[] } {
  if (style === LINK) return { needs: 'url', refuses: ['custom_id', 'sku_id'] }
  if (style === PREMIUM) return { needs: 'sku_id', refuses: ['custom_id', 'label', 'url', 'emoji'] }
  return { needs: 'custom_id', refuses: ['url', 'sku_id'] }
}

export const buttonMissing = rule({
  code: 'button.required',
  clause: CLAUSE,
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
  wire: required,
})

export const buttonFields = rule({
  code: 'button.fields',
  clause: CLAUSE,
  summary: 'A link has no custom_id, a premium button only a sku_id, and other buttons no url and no sku_id.',
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
})

// --- Select menus and other choices ---------------------------------------------------------------------------

export const menuPlaceholder = answerTextLength('menu.placeholder', 'The placeholder of a select menu', 150)
export const menuMin = answerRange('menu.min_values', 'The smallest number of choices', 0, 25)
export const menuMax = answerRange('menu.max_values', 'The largest number of choices', 1, 25)
export const menuOptions = answerListLength('menu.options', 'A select menu', 'option', 25, 1)
export const radioOptions = answerListLength('radio_group.options', 'A radio group', 'option', 10, 2)
export const checkboxOptions = answerListLength('checkbox_group.options', 'A checkbox group', 'option', 10, 1)
export const uploadMin = answerRange('upload.min_values', 'The smallest number of files', 0, 10)
export const uploadMax = answerRange('upload.max_values', 'The largest number of files', 1, 10)
export const optionLabel = answerTextLength('menu_option.label', 'The label of an option of a menu', 100, 1)
export const optionValue = answerTextLength('menu_option.value', 'The value of an option of a menu', 100, 1)
export const optionDescription = answerTextLength(
  'menu_option.description',
  'The description of an option of a menu',
  100,
)

export const optionsUnique = rule({
  code: 'menu_options.unique',
  clause: CLAUSE,
  summary: 'The options of a menu have different values.',
  check: distinctItems.check,
  message: distinctItems.message,
  wire: {
    code: 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
    message: 'The specified option value is already used',
  },
})

export const boundsInverted = rule({
  code: 'component.bounds',
  clause: CLAUSE,
  summary: 'The smallest number of choices or characters is not above the largest.',
  check: (min: unknown, max: unknown) =>
    typeof min === 'number' && typeof max === 'number' && min > max ? { min, max } : undefined,
  message: ({ min, max }) => `is ${min}, which is above the largest, ${max}`,
  wire: ({ max }) => numberMax('int', max),
})

// --- Content --------------------------------------------------------------------------------------------------

export const shownText = rule({
  code: 'text_display.content',
  clause: CLAUSE,
  summary: 'A text display has a text that is not white space alone.',
  check: (text: string) => (text.trim() === '' ? NO_PARAMS : undefined),
  message: () => 'is empty; give the text display a text',
  wire: required,
})
export const mediaDescription = answerTextLength(
  'media.description',
  'The description of a picture or file',
  1_024,
)
export const separatorSpacing = answerMember('separator.spacing', 'The space of a separator', {
  SMALL: 1,
  LARGE: 2,
})
export const containerColor = answerRange('container.accent_color', 'The color of a container', 0, 0xff_ff_ff)

// --- Modals -----------------------------------------------------------------------------------------------

export const inputStyle = answerMember('input.style', 'The style of a text input', { SHORT: 1, PARAGRAPH: 2 })
export const inputLabel = answerTextLength('input.label', 'The label of an input', 45, 1)
export const inputHint = answerTextLength('input.description', 'The description of a label', 100)
export const inputPlaceholder = answerTextLength('input.placeholder', 'The placeholder of a text input', 100)
export const inputValue = answerTextLength('input.value', 'The value of a text input', 4_000)
export const inputMin = answerRange('input.min_length', 'The smallest length of a text input', 0, 4_000)
export const inputMax = answerRange('input.max_length', 'The largest length of a text input', 1, 4_000)

export const modalId = answerTextLength('modal.custom_id', 'The id of a modal', 100, 1)
export const modalTitle = answerTextLength('modal.title', 'The title of a modal', 45, 1)

/** Rules about components and modals. */
export const componentRules = [
  componentType,
  componentPlace,
  componentV2,
  componentIdMissing,
  componentId,
  componentsUnique,
  messageRows,
  modalComponents,
  componentRow,
  sectionTexts,
  galleryItems,
  containerParts,
  rowWidth,
  componentsTotal,
  componentsText,
  buttonStyle,
  buttonLabel,
  buttonUrl,
  buttonMissing,
  buttonFields,
  menuPlaceholder,
  menuMin,
  menuMax,
  menuOptions,
  radioOptions,
  checkboxOptions,
  uploadMin,
  uploadMax,
  optionLabel,
  optionValue,
  optionDescription,
  optionsUnique,
  boundsInverted,
  shownText,
  mediaDescription,
  separatorSpacing,
  containerColor,
  inputStyle,
  inputLabel,
  inputHint,
  inputPlaceholder,
  inputValue,
  inputMin,
  inputMax,
  modalId,
  modalTitle,
] as const

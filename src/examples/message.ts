/** How to break the rules about messages and modals: an interaction, and an answer with invalid data. */
import * as component from '../answer/component-rules.ts'
import * as embed from '../answer/embed-rules.ts'
import type { fieldRules } from '../answer/fields.ts'
import * as message from '../answer/message-rules.ts'
import type { Path, PathStep, Rule } from '../core/rule.ts'
import { ButtonStyle, ComponentType, InteractionCallbackType, MessageFlag } from '../interaction/types.ts'
import {
  broken,
  either,
  oneOf,
  several,
  sizesBeyond,
  wrongLists,
  wrongTexts,
  type Body,
  type Breaks,
  type BreaksOf,
} from './breaking.ts'

const { CHANNEL_MESSAGE_WITH_SOURCE, MODAL } = InteractionCallbackType

/** A used slash command. */
export const slash = {
  id: '0',
  application_id: '1',
  token: 't',
  type: 2,
  data: { id: '2', name: 'a', type: 1 },
}

/** Sets a value in the data of a valid answer to the slash command. */
function answerOf(type: number) {
  return (data: Body, path: Path, value: unknown, ...below: readonly PathStep[]): Breaks => {
    const changed = broken({ type, data }, ['data', ...path], value, ...below)
    return () => ({ body: { interaction: slash, callback: changed.body }, path: changed.path })
  }
}

const inMessage = answerOf(CHANNEL_MESSAGE_WITH_SOURCE)
const inModal = answerOf(MODAL)

type In = typeof inMessage

function texts(rule: Rule, data: Body, path: Path, to: In = inMessage): Breaks {
  return oneOf(wrongTexts(rule), (text) => to(data, path, text))
}

function numbers(rule: Rule, data: Body, path: Path, to: In = inMessage): Breaks {
  return oneOf(sizesBeyond(rule), (number) => to(data, path, number))
}

function lists(
  rule: Rule,
  item: (index: number) => unknown,
  data: Body,
  path: Path,
  to: In = inMessage,
): Breaks {
  return oneOf(wrongLists(rule, item), (list) => to(data, path, list))
}

// --- Messages -------------------------------------------------------------------------------------------------

const plain = { content: 'x' }
const poll = { poll: { question: { text: 'q' }, answers: [{ poll_media: { text: 'a' } }] } }
const button = (index: number) => ({
  type: ComponentType.BUTTON,
  style: ButtonStyle.PRIMARY,
  label: 'l',
  custom_id: `c${index}`,
})
const rowOf = (...components: readonly object[]) => ({ type: ComponentType.ACTION_ROW, components })
const v2 = { flags: MessageFlag.IS_COMPONENTS_V2 }
const display = { type: ComponentType.TEXT_DISPLAY, content: 'x' }
const shown = { ...v2, components: [display] }

const messageExamples: BreaksOf<typeof message.messageRules> = {
  'message.content': texts(message.messageContent, plain, ['content']),
  'message.empty': oneOf([{ tts: true }, { content: ' \n' }], (data) => inMessage({}, [], data)),
  'message.flags': oneOf([1, 2 ** 40], (flags) => inMessage(plain, ['flags'], flags)),
  'message.legacy': either(
    inMessage(shown, ['content'], 'x'),
    inMessage(shown, ['embeds'], [{ title: 't' }]),
    inMessage(shown, ['poll'], poll.poll),
  ),
  'message.stickers': lists(message.messageStickers, String, plain, ['sticker_ids']),
  'message.attachments': lists(message.messageAttachments, () => ({ filename: 'a' }), plain, ['attachments']),
  'attachment.description': texts(message.attachmentDescription, { attachments: [{ id: '0' }] }, [
    'attachments',
    0,
    'description',
  ]),
  'attachment.file': inMessage(
    { content: 'x', attachments: [{ filename: 'a' }] },
    ['attachments', 0, 'id'],
    '0',
  ),
  'mentions.parse': inMessage(plain, ['allowed_mentions', 'parse'], ['all'], 0),
  'mentions.ids': lists(message.mentionIds, String, plain, ['allowed_mentions', 'users']),
  'mentions.exclusive': oneOf(['users', 'roles'], (kind) =>
    inMessage({ ...plain, allowed_mentions: { parse: [kind] } }, ['allowed_mentions', kind], ['1']),
  ),
  'poll.question': texts(message.pollQuestion, poll, ['poll', 'question', 'text']),
  'poll.answers': lists(message.pollAnswers, () => ({ poll_media: { text: 'a' } }), poll, [
    'poll',
    'answers',
  ]),
  'poll.answer': texts(message.pollAnswer, poll, ['poll', 'answers', 0, 'poll_media', 'text']),
  'poll.duration': numbers(message.pollDuration, poll, ['poll', 'duration']),
}

// --- Embeds ---------------------------------------------------------------------------------------------------

const field = { name: 'n', value: 'v' }
const embeds = { embeds: [{ title: 't', fields: [field], footer: { text: 'f' }, author: { name: 'a' } }] }

const embedExamples: BreaksOf<readonly [...typeof fieldRules, ...typeof embed.embedRules]> = {
  'message.part': either(inMessage(embeds, ['embeds', 0], 'x'), inMessage(plain, ['components'], [5], 0)),
  'message.embeds': lists(embed.messageEmbeds, () => ({ title: 't' }), embeds, ['embeds']),
  'embed.title': texts(embed.embedTitle, embeds, ['embeds', 0, 'title']),
  'embed.description': texts(embed.embedDescription, embeds, ['embeds', 0, 'description']),
  'embed.fields': lists(embed.embedFields, () => field, embeds, ['embeds', 0, 'fields']),
  'embed.field_name': texts(embed.fieldName, embeds, ['embeds', 0, 'fields', 0, 'name']),
  'embed.field_value': texts(embed.fieldValue, embeds, ['embeds', 0, 'fields', 0, 'value']),
  'embed.footer': texts(embed.embedFooter, embeds, ['embeds', 0, 'footer', 'text']),
  'embed.author': texts(embed.embedAuthor, embeds, ['embeds', 0, 'author', 'name']),
  'embed.color': numbers(embed.embedColor, embeds, ['embeds', 0, 'color']),
  'embed.timestamp': oneOf(['today', 5], (time) => inMessage(embeds, ['embeds', 0, 'timestamp'], time)),
  'embed.empty': oneOf([{}, { color: 1 }], (empty) =>
    inMessage({ ...plain, embeds: [empty] }, ['embeds', 0, 'description'], undefined),
  ),
  'embeds.size': inMessage(
    {},
    ['embeds'],
    [3_000, 3_001].map((size) => ({ description: 'x'.repeat(size) })),
  ),
  'message.url': oneOf(['nope', 'ftp://a.example'], (url) => inMessage(embeds, ['embeds', 0, 'url'], url)),
}

// --- Components -----------------------------------------------------------------------------------------------

const option = (index: number) => ({ label: 'l', value: `v${index}` })
const menu = { type: ComponentType.STRING_SELECT, custom_id: 'm', options: [option(0)] }
const input = { type: ComponentType.TEXT_INPUT, style: 1, label: 'l', custom_id: 'i' }
const media = { media: { url: 'https://a.example/b.png' } }
const section = {
  type: ComponentType.SECTION,
  components: [display],
  accessory: { type: ComponentType.THUMBNAIL, ...media },
}
const modalOf = (...components: readonly object[]) => ({ custom_id: 'c', title: 't', components })
const labelOf = (labelled: object) => ({ type: ComponentType.LABEL, label: 'l', component: labelled })

/** The path of the only component in a row. */
const only: Path = ['components', 0, 'components', 0]
const first: Path = ['components', 0]
const labelled: Path = ['components', 0, 'component']

const buttons = { components: [rowOf(button(0))] }
const menus = { components: [rowOf(menu)] }
const inputs = modalOf(rowOf(input))
const upload = modalOf(labelOf({ type: ComponentType.FILE_UPLOAD, custom_id: 'u' }))
const choicesOf = (type: number) => modalOf(labelOf({ type, custom_id: 'r', options: several(2, option) }))
const { custom_id: _id, ...anonymous } = button(0)
const link = { ...anonymous, style: ButtonStyle.LINK, url: 'https://a.example' }

function inRow(one: object, field: PathStep, value: unknown): Breaks {
  return inMessage({ components: [rowOf(one)] }, [...only, field], value)
}

const componentExamples: BreaksOf<typeof component.componentRules> = {
  'component.type': oneOf([undefined, 0, 99, '2'], (type) => inRow(button(0), 'type', type)),
  'component.place': either(
    inRow(rowOf(button(0)), 'type', ComponentType.ACTION_ROW),
    inRow(input, 'type', ComponentType.TEXT_INPUT),
    inModal(modalOf(button(0)), [...first, 'type'], ComponentType.BUTTON),
    inMessage({ components: [button(0)] }, [...first, 'type'], ComponentType.BUTTON),
  ),
  'component.flag': inMessage({ components: [display] }, [...first, 'type'], display.type),
  'component.custom_id_required': either(
    inRow(button(0), 'custom_id', undefined),
    inRow(menu, 'custom_id', undefined),
    inModal(inputs, [...only, 'custom_id'], undefined),
  ),
  'component.custom_id': texts(component.componentId, buttons, [...only, 'custom_id']),
  'components.unique': either(
    inMessage(
      { components: [rowOf(button(0), button(1))] },
      ['components', 0, 'components', 1, 'custom_id'],
      'c0',
    ),
    inModal(modalOf(rowOf(input), rowOf(input)), ['components', 1, 'components', 0, 'custom_id'], 'i'),
  ),
  'components.rows': lists(component.messageRows, (index) => rowOf(button(index)), plain, ['components']),
  'modal.components': lists(
    component.modalComponents,
    (index) => rowOf({ ...input, custom_id: `i${index}` }),
    inputs,
    ['components'],
    inModal,
  ),
  'component.row': lists(component.componentRow, button, buttons, [...first, 'components']),
  'component.section': lists(component.sectionTexts, () => display, { ...v2, components: [section] }, [
    ...first,
    'components',
  ]),
  'component.gallery': lists(
    component.galleryItems,
    () => media,
    { ...v2, components: [{ type: ComponentType.MEDIA_GALLERY, items: [media] }] },
    [...first, 'items'],
  ),
  'component.container': inMessage(
    { ...v2, components: [{ type: ComponentType.CONTAINER }] },
    [...first, 'components'],
    [],
  ),
  'component.width': either(
    inMessage({ components: [rowOf(button(0))] }, ['components', 0, 'components', 1], menu),
    inModal(inputs, ['components', 0, 'components', 1], { ...input, custom_id: 'j' }),
  ),
  'components.total': lists(component.componentsTotal, () => display, shown, ['components']),
  'components.text': inMessage(
    v2,
    ['components'],
    [2_000, 2_001].map((size) => ({ ...display, content: 'x'.repeat(size) })),
  ),
  'button.style': oneOf([0, 7, 'x'], (style) => inRow(button(0), 'style', style)),
  'button.label': texts(component.buttonLabel, buttons, [...only, 'label']),
  'button.url': oneOf(sizesBeyond(component.buttonUrl), (size) =>
    inRow(link, 'url', 'https://a.example/'.padEnd(size, 'x')),
  ),
  'button.required': either(
    inRow(link, 'url', undefined),
    inRow({ type: ComponentType.BUTTON, style: ButtonStyle.PREMIUM }, 'sku_id', undefined),
    inRow(button(0), 'label', undefined),
  ),
  'button.fields': either(inRow(link, 'custom_id', 'c'), inRow(button(0), 'url', link.url)),
  'menu.placeholder': texts(component.menuPlaceholder, menus, [...only, 'placeholder']),
  'menu.min_values': numbers(component.menuMin, menus, [...only, 'min_values']),
  'menu.max_values': numbers(component.menuMax, menus, [...only, 'max_values']),
  'menu.options': lists(component.menuOptions, option, menus, [...only, 'options']),
  'radio_group.options': lists(
    component.radioOptions,
    option,
    choicesOf(ComponentType.RADIO_GROUP),
    [...labelled, 'options'],
    inModal,
  ),
  'checkbox_group.options': lists(
    component.checkboxOptions,
    option,
    choicesOf(ComponentType.CHECKBOX_GROUP),
    [...labelled, 'options'],
    inModal,
  ),
  'upload.min_values': numbers(component.uploadMin, upload, [...labelled, 'min_values'], inModal),
  'upload.max_values': numbers(component.uploadMax, upload, [...labelled, 'max_values'], inModal),
  'menu_option.label': texts(component.optionLabel, menus, [...only, 'options', 0, 'label']),
  'menu_option.value': texts(component.optionValue, menus, [...only, 'options', 0, 'value']),
  'menu_option.description': texts(component.optionDescription, menus, [
    ...only,
    'options',
    0,
    'description',
  ]),
  'menu_options.unique': inMessage(
    { components: [rowOf({ ...menu, options: several(2, option) })] },
    [...only, 'options', 1, 'value'],
    'v0',
  ),
  'component.bounds': either(
    inRow({ ...menu, max_values: 1 }, 'min_values', 2),
    inModal(modalOf(rowOf({ ...input, max_length: 1 })), [...only, 'min_length'], 2),
  ),
  'text_display.content': oneOf(['', ' '], (text) => inMessage(shown, [...first, 'content'], text)),
  'media.description': texts(component.mediaDescription, { ...v2, components: [section] }, [
    ...first,
    'accessory',
    'description',
  ]),
  'separator.spacing': inMessage(
    { ...v2, components: [{ type: ComponentType.SEPARATOR }] },
    [...first, 'spacing'],
    3,
  ),
  'container.accent_color': numbers(
    component.containerColor,
    { ...v2, components: [{ type: ComponentType.CONTAINER, components: [display] }] },
    [...first, 'accent_color'],
  ),
  'input.style': inModal(inputs, [...only, 'style'], 3),
  'input.label': texts(component.inputLabel, inputs, [...only, 'label'], inModal),
  'input.description': texts(
    component.inputHint,
    modalOf(labelOf(input)),
    [...first, 'description'],
    inModal,
  ),
  'input.placeholder': texts(component.inputPlaceholder, inputs, [...only, 'placeholder'], inModal),
  'input.value': texts(component.inputValue, inputs, [...only, 'value'], inModal),
  'input.min_length': numbers(component.inputMin, inputs, [...only, 'min_length'], inModal),
  'input.max_length': numbers(component.inputMax, inputs, [...only, 'max_length'], inModal),
  'modal.custom_id': texts(component.modalId, inputs, ['custom_id'], inModal),
  'modal.title': texts(component.modalTitle, inputs, ['title'], inModal),
}

/** How to break the rules about messages and modals. */
export const bodyExamples = { ...messageExamples, ...embedExamples, ...componentExamples }

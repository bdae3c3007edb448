/** How to break the rules about answers: an interaction, and an answer to it that is invalid. */
import { MAX_JSON_DEPTH } from '../../core/json.ts'
import { ANSWER_TIMEOUT, TOKEN_VALID } from '../../model/answer-types.ts'
import { callbackRules } from '../../interactions/answer/answer-rules.ts'
import { snowflakeTime } from '../../core/snowflake.ts'
import {
  ButtonStyle,
  ComponentType,
  InteractionCallbackType,
  MessageFlag,
} from '../../model/interaction-types.ts'
import {
  beyond,
  constant,
  either,
  eitherOf,
  set,
  several,
  type Body,
  type Breaks,
  type CodesOf,
  type Examples,
} from './breaking.ts'

const { CHANNEL_MESSAGE_WITH_SOURCE, MODAL, LAUNCH_ACTIVITY, PREMIUM_REQUIRED } = InteractionCallbackType

/** A used slash command. */
const slash = { id: '0', application_id: '1', token: 't', type: 2, data: { id: '2', name: 'a', type: 1 } }

/** An autocomplete interaction of a STRING option. */
const typing = {
  ...slash,
  type: 4,
  data: { ...slash.data, options: [{ name: 'o', type: 3, value: '', focused: true }] },
}

/** Sets one of some values in an answer to the slash command. */
function inAnswer(callback: object, steps: string, ...values: readonly unknown[]): Breaks {
  const way = set(constant(callback), steps, ...values)
  return (given, pick) => {
    const { body, path } = way(given, pick)
    return { body: { interaction: slash, callback: body }, path }
  }
}

/** Sets one of some values in the data of an answer: of a modal, which has a title, or of a message. */
function inData(data: Body, steps: string, ...values: readonly unknown[]): Breaks {
  const type = 'title' in data ? MODAL : CHANNEL_MESSAGE_WITH_SOURCE
  return inAnswer({ type, data }, `data.${steps}`, ...values)
}

// --- Answers --------------------------------------------------------------------------------------------------

const plain = { content: 'x' }
const plainAnswer = { type: CHANNEL_MESSAGE_WITH_SOURCE, data: plain }

function misfit(interaction: object, callback: object): Breaks {
  return constant({ interaction, callback }, ['type'])
}

function answeredAfter(milliseconds: number): Breaks {
  return constant({ interaction: slash, callback: plainAnswer, now: snowflakeTime(slash.id) + milliseconds })
}

/** Lists in lists, one level deeper than allowed. Two levels are the answer and its data. */
function tooDeep(): unknown {
  let components: readonly unknown[] = []
  for (let depth = 3; depth <= MAX_JSON_DEPTH; depth++) components = [components]
  return components
}

/** An answer with this data, which is invalid as a whole. */
function invalid(data: object): Breaks {
  return constant({ interaction: slash, callback: { ...plainAnswer, data } })
}

// --- Parts of messages ----------------------------------------------------------------------------------------

const poll = { poll: { question: { text: 'q' }, answers: [{ poll_media: { text: 'a' } }] } }
const field = { name: 'n', value: 'v' }
const embeds = { embeds: [{ title: 't', fields: [field], footer: { text: 'f' }, author: { name: 'a' } }] }
const embedOf = (size: number) => ({ description: 'x'.repeat(size) })
const attachments = { attachments: [{ id: '0' }] }

const rowOf = (...components: readonly object[]) => ({ type: ComponentType.ACTION_ROW, components })
const anonymous = { type: ComponentType.BUTTON, style: ButtonStyle.PRIMARY, label: 'l' }
const button = (index: number) => ({ ...anonymous, custom_id: `c${index}` })
const link = { ...anonymous, style: ButtonStyle.LINK, url: 'https://a.example' }
const premium = { type: ComponentType.BUTTON, style: ButtonStyle.PREMIUM }
const option = (index: number) => ({ label: 'l', value: `v${index}` })
const menu = { type: ComponentType.STRING_SELECT, custom_id: 'm', options: [option(0)] }
const preset = (index: number) => ({ id: String(index + 1), type: 'user' })
const userMenu = {
  type: ComponentType.USER_SELECT,
  custom_id: 'm',
  max_values: 25,
  default_values: [preset(0)],
}
const input = { type: ComponentType.TEXT_INPUT, style: 1, label: 'l', custom_id: 'i' }
const textOf = (size: number) => ({ type: ComponentType.TEXT_DISPLAY, content: 'x'.repeat(size) })
const display = textOf(1)
const media = { media: { url: 'https://a.example/b.png' } }
const thumbnail = { type: ComponentType.THUMBNAIL, ...media }

const buttons = { components: [rowOf(button(0))] }
const menus = { components: [rowOf(menu)] }
const userMenus = { components: [rowOf(userMenu)] }
const v2 = (...components: readonly object[]) => ({ flags: MessageFlag.IS_COMPONENTS_V2, components })
const sections = v2({ type: ComponentType.SECTION, components: [display], accessory: thumbnail })
const gallery = v2({ type: ComponentType.MEDIA_GALLERY, items: [media] })
const container = v2({ type: ComponentType.CONTAINER, components: [display] })
const modalOf = (...components: readonly object[]) => ({ custom_id: 'c', title: 't', components })
const labelOf = (component: object) => ({ type: ComponentType.LABEL, label: 'l', component })
const inputs = modalOf(rowOf(input))
const upload = modalOf(
  labelOf({ type: ComponentType.FILE_UPLOAD, custom_id: 'u', required: false, max_values: 10 }),
)
const choicesOf = (type: number, count = 2) =>
  modalOf(labelOf({ type, custom_id: 'r', required: false, max_values: 10, options: several(count, option) }))

/** The path of the only component in a row. */
const only = 'components.0.components.0'
const labelled = 'components.0.component'

function inRow(one: object, steps: string, ...values: readonly unknown[]): Breaks {
  return inData({ components: [rowOf(one)] }, `${only}.${steps}`, ...values)
}

/** The texts, numbers and lists that a rule limits: the data of an answer, the path, and the items of a list. */
const limited = {
  'message.content': [plain, 'content'],
  'message.stickers': [plain, 'sticker_ids', String],
  'message.attachments': [plain, 'attachments', () => ({ filename: 'a' })],
  'attachment.description': [attachments, 'attachments.0.description'],
  'mentions.ids': [plain, 'allowed_mentions.users', String],
  'poll.question': [poll, 'poll.question.text'],
  'poll.answers': [poll, 'poll.answers', () => poll.poll.answers[0]],
  'poll.answer': [poll, 'poll.answers.0.poll_media.text'],
  'poll.duration': [poll, 'poll.duration'],
  'message.embeds': [embeds, 'embeds', () => ({ title: 't' })],
  'embed.title': [embeds, 'embeds.0.title'],
  'embed.description': [embeds, 'embeds.0.description'],
  'embed.fields': [embeds, 'embeds.0.fields', () => field],
  'embed.field_name': [embeds, 'embeds.0.fields.0.name'],
  'embed.field_value': [embeds, 'embeds.0.fields.0.value'],
  'embed.footer': [embeds, 'embeds.0.footer.text'],
  'embed.author': [embeds, 'embeds.0.author.name'],
  'embed.color': [embeds, 'embeds.0.color'],
  'component.custom_id': [buttons, `${only}.custom_id`],
  'components.rows': [plain, 'components', (index) => rowOf(button(index))],
  'modal.components': [inputs, 'components', (index) => rowOf({ ...input, custom_id: `i${index}` })],
  'component.row': [buttons, 'components.0.components', button],
  'component.section': [sections, 'components.0.components', () => display],
  'component.gallery': [gallery, 'components.0.items', () => media],
  'components.total': [v2(display), 'components', () => display],
  'button.label': [buttons, `${only}.label`],
  'menu.placeholder': [menus, `${only}.placeholder`],
  'menu.min_values': [
    { components: [rowOf({ type: ComponentType.USER_SELECT, custom_id: 'm', max_values: 25 })] },
    `${only}.min_values`,
  ],
  'menu.max_values': [
    { components: [rowOf({ ...menu, options: several(25, option) })] },
    `${only}.max_values`,
  ],
  'menu.default_values': [userMenus, `${only}.default_values`, preset],
  'menu.options': [menus, `${only}.options`, option],
  'menu_option.label': [menus, `${only}.options.0.label`],
  'menu_option.value': [menus, `${only}.options.0.value`],
  'menu_option.description': [menus, `${only}.options.0.description`],
  'media.description': [sections, 'components.0.accessory.description'],
  'container.accent_color': [container, 'components.0.accent_color'],
  'radio_group.options': [choicesOf(ComponentType.RADIO_GROUP), `${labelled}.options`, option],
  'checkbox_group.options': [choicesOf(ComponentType.CHECKBOX_GROUP), `${labelled}.options`, option],
  'checkbox_group.min_values': [choicesOf(ComponentType.CHECKBOX_GROUP, 10), `${labelled}.min_values`],
  'checkbox_group.max_values': [choicesOf(ComponentType.CHECKBOX_GROUP), `${labelled}.max_values`],
  'upload.min_values': [upload, `${labelled}.min_values`],
  'upload.max_values': [upload, `${labelled}.max_values`],
  'input.label': [inputs, `${only}.label`],
  'input.description': [modalOf(labelOf(input)), 'components.0.description'],
  'input.placeholder': [inputs, `${only}.placeholder`],
  'input.value': [inputs, `${only}.value`],
  'input.min_length': [inputs, `${only}.min_length`],
  'input.max_length': [inputs, `${only}.max_length`],
  'modal.custom_id': [inputs, 'custom_id'],
  'modal.title': [inputs, 'title'],
} satisfies Readonly<Record<string, readonly [Body, string, ((index: number) => unknown)?]>>

function exceeding(): Readonly<Record<keyof typeof limited, Breaks>> {
  const entries = Object.entries(limited).map(([code, [data, steps, item]]) => {
    const rule = callbackRules.find((one) => one.code === code)!
    return [code, inData(data, steps, ...beyond(rule, item))]
  })
  return Object.fromEntries(entries) as Record<keyof typeof limited, Breaks>
}

export const callbackExamples = {
  ...exceeding(),
  'callback.json': invalid({ content: 'x', nonce: 1n }),
  'callback.depth': invalid({ content: 'x', components: tooDeep() }),
  'callback.type': inAnswer({}, 'type', 2, 3, 99, '4', null),
  'callback.fits': either(
    misfit(slash, { type: 8, data: { choices: [] } }),
    misfit(slash, { type: 7, data: plain }),
    misfit(typing, plainAnswer),
    misfit({ ...slash, type: 1 }, plainAnswer),
  ),
  'callback.launch': inAnswer({}, 'type', LAUNCH_ACTIVITY),
  'callback.late': answeredAfter(ANSWER_TIMEOUT + 1),
  'callback.token': answeredAfter(TOKEN_VALID + 1),
  'deferred.flags': inAnswer({ type: 5 }, 'data.flags', MessageFlag.EPHEMERAL | 4),
  'deferred.data': inAnswer({ type: 5 }, 'data.content', 'x'),
  'callback.deprecated': inAnswer({}, 'type', PREMIUM_REQUIRED),
  'message.part': either(
    inData(embeds, 'embeds.0', 'x'),
    inData({ ...plain, components: [] }, 'components.0', 5),
  ),
  'message.url': inData(embeds, 'embeds.0.url', 'nope', 'ftp://a.example'),
  'answer.converted': either(inData(plain, 'content', 4), inData(embeds, 'embeds.0.color', '255')),
  'message.empty': inAnswer(plainAnswer, 'data', { tts: true }, { content: ' \n' }),
  'message.flags': inData(plain, 'flags', 1, 2 ** 40),
  'message.legacy': either(
    inData(v2(display), 'content', 'x'),
    inData(v2(display), 'embeds', [{ title: 't' }]),
    inData(v2(display), 'poll', poll.poll),
  ),
  'attachment.file': inData({ ...plain, attachments: [{ filename: 'a' }] }, 'attachments.0.id', '0'),
  'mentions.parse': inData({ ...plain, allowed_mentions: { parse: [] } }, 'allowed_mentions.parse.0', 'all'),
  'mentions.exclusive': eitherOf(['users', 'roles'], (kind) =>
    inData({ ...plain, allowed_mentions: { parse: [kind] } }, `allowed_mentions.${kind}`, ['1']),
  ),
  'embed.timestamp': inData(embeds, 'embeds.0.timestamp', 'today', 5),
  'embed.empty': eitherOf([{}, { color: 1 }], (empty) =>
    inData({ ...plain, embeds: [empty] }, 'embeds.0.description', undefined),
  ),
  'embeds.size': inData({}, 'embeds', [embedOf(3_000), embedOf(3_001)]),
  'component.type': inRow(button(0), 'type', undefined, 0, 99, '2'),
  'component.place': either(
    inRow(rowOf(button(0)), 'type', ComponentType.ACTION_ROW),
    inRow(input, 'type', ComponentType.TEXT_INPUT),
    inData(modalOf(button(0)), 'components.0.type', ComponentType.BUTTON),
    inData({ components: [button(0)] }, 'components.0.type', ComponentType.BUTTON),
  ),
  'component.flag': inData({ components: [display] }, 'components.0.type', display.type),
  'component.custom_id_required': either(
    inRow(button(0), 'custom_id', undefined),
    inRow(menu, 'custom_id', undefined),
    inData(inputs, `${only}.custom_id`, undefined),
  ),
  'components.unique': either(
    inData({ components: [rowOf(button(0), button(1))] }, 'components.0.components.1.custom_id', 'c0'),
    inData(modalOf(rowOf(input), rowOf(input)), 'components.1.components.0.custom_id', 'i'),
  ),
  'component.container': inData(container, 'components.0.components', []),
  'component.width': either(
    inData(buttons, 'components.0.components.1', menu),
    inData(inputs, 'components.0.components.1', { ...input, custom_id: 'j' }),
  ),
  'components.text': inData(v2(), 'components', [textOf(2_000), textOf(2_001)]),
  'button.style': inRow(button(0), 'style', 0, 7, 'x'),
  'button.url': inRow(link, 'url', 'https://a.example/'.padEnd(513, 'x')),
  'button.required': either(
    inRow(link, 'url', undefined),
    inRow(premium, 'sku_id', undefined),
    inRow(button(0), 'label', undefined),
  ),
  'button.fields': either(inRow(link, 'custom_id', 'c'), inRow(button(0), 'url', link.url)),
  'menu_options.unique': inRow({ ...menu, options: several(2, option) }, 'options.1.value', 'v0'),
  'component.bounds': either(
    inRow({ ...menu, max_values: 1 }, 'min_values', 2),
    inRow(menu, 'min_values', 2),
    inData(modalOf(rowOf({ ...input, max_length: 1 })), `${only}.min_length`, 2),
  ),
  'component.disabled': either(
    inData(modalOf(labelOf(menu)), `${labelled}.disabled`, true),
    inData(inputs, `${only}.disabled`, true),
  ),
  'menu.default_kind': inRow(userMenu, 'default_values.0.type', 'role', 'channel', 'users', 1),
  'menu.default_count': either(
    inRow({ ...userMenu, max_values: 1 }, 'default_values', [preset(0), preset(1)]),
    inRow({ ...userMenu, min_values: 2 }, 'default_values', [preset(0)]),
  ),
  'component.required_min': inData(modalOf(labelOf(menu)), `${labelled}.min_values`, 0),
  'text_display.content': inData(v2(display), 'components.0.content', '', ' '),
  'separator.spacing': inData(v2({ type: ComponentType.SEPARATOR }), 'components.0.spacing', 3),
  'component.id': inRow(button(0), 'id', -1, 2 ** 31),
  'component.emoji': either(
    inRow(button(0), 'emoji.name', 'black_nib', '<:party:123>', undefined),
    inRow(menu, 'options.0.emoji.name', ':x:'),
  ),
  'component.emoji_unknown': inRow(button(0), 'emoji.id', '123'),
  'media.attachment': either(
    inData(gallery, 'components.0.items.0.media.url', 'attachment://missing.png'),
    inData(sections, 'components.0.accessory.media.url', 'attachment://missing.png'),
  ),
  'embed.attachment': inData(
    { embeds: [{ title: 't', image: media.media }] },
    'embeds.0.image.url',
    'attachment://a.png',
  ),
  'components.numbers': inData(v2({ ...display, id: 5 }, display), 'components.1.id', 5),
  'menu.max_options': inRow({ ...menu, max_values: 2 }, 'options', [option(0)]),
  'button.sku': inRow(premium, 'sku_id', '1'),
  'callback.sku': inAnswer({}, 'type', PREMIUM_REQUIRED),
  'components.bytes': inData(v2(), 'components', [{ ...display, content: '漢'.repeat(4_000) }]),
  'input.style': inData(inputs, `${only}.style`, 3),
} satisfies Examples<CodesOf<typeof callbackRules>>

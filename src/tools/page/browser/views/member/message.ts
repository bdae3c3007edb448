/** The content of a message as a person sees it, with components that can be used. */
import { ButtonStyle, ComponentType, hasFlag, MessageFlag } from '../../../../../model/interaction-types.ts'
import { h, type Child } from '../../parts/dom.ts'
import { cover, inline, link, markdown } from '../../parts/markdown.ts'
import { button } from '../../parts/parts.ts'
import { does } from '../../parts/place.ts'
import { barColor, drawEmbed } from './embed.ts'
import { drawFile, drawFiles, gallery, drawMedia } from './media.ts'
import { drawMenu, isMenu, type Widget } from './menu.ts'
import { drawPoll } from './poll.ts'

export interface ComponentAction {
  readonly kind: 'press' | 'choose'
  readonly name: string
  /** Shown in the channel: `pressed` and `Yes`. */
  readonly verb: string
  readonly label: string
  readonly values: unknown
}

/** Who uses the components of a message, and how. */
interface Acting {
  /** The files of the message. */
  readonly attachments?: readonly Widget[]
  /** Names the message and the person. */
  readonly key: string
  readonly as: string
  readonly act: (action: ComponentAction) => unknown
}

/** The parts of a component that are drawn themselves. */
export const drawnParts = ({ components = [], accessory, component }: Widget): readonly Widget[] =>
  [...components, accessory, component].filter((one) => one !== undefined)

/** @param isEdited whether the content was changed */
export function drawMessage(fields: Widget, isEdited: boolean, acting: Acting): Child {
  const { id, content = '', flags, embeds = [], components = [], poll, message_snapshots = [] } = fields
  const system = systemText(fields)
  if (system !== undefined) return h`<p class="dim">${system}</p>`
  const vote = (verb: 'vote' | 'unvote', answer: string) => does(verb, { as: acting.as, id, answer })
  return [
    message_snapshots.map(({ message }: Widget) => drawForward(message, acting)),
    hasFlag(flags, MessageFlag.LOADING) ? h`<p class="dim">thinking…</p>` : markdown(content),
    drawFiles(fields),
    !hasFlag(flags, MessageFlag.SUPPRESS_EMBEDS) && embeds.map(drawEmbed),
    (fields.sticker_items ?? []).map(
      ({ name }: Widget) => h`<span class="box"><b>Sticker</b> ${name}</span>`,
    ),
    poll && drawPoll(poll, { vote }),
    components.map((one: Widget) => drawComponent(one, { ...acting, attachments: fields.attachments })),
    isEdited && h`<span class="hint"> (edited)</span>`,
  ]
}

/** A forwarded message: as it was, and nothing in it can be used. */
function drawForward(message: Widget, acting: Acting): Child {
  return h`<blockquote aria-label="Forwarded message"><p class="hint">↱ <em>Forwarded</em></p>${drawMessage(
    { ...message, components: (message.components ?? []).map(withoutUse) },
    false,
    acting,
  )}</blockquote>`
}

/** A component with all in it that can be used disabled. */
const withoutUse = (component: Widget): Widget => ({
  ...component,
  disabled: true,
  ...(component.components && { components: component.components.map(withoutUse) }),
  ...(component.accessory && { accessory: withoutUse(component.accessory) }),
})

const systemTexts: Readonly<Record<number, (message: Widget) => string>> = {
  1: ({ mentions = [] }) => `added ${mentions[0]?.username ?? 'someone'} to the group.`,
  2: ({ mentions = [] }) => `removed ${mentions[0]?.username ?? 'someone'} from the group.`,
  3: () => 'started a call.',
  4: ({ content }) => `changed the channel name: ${content}`,
  5: () => 'changed the channel icon.',
  6: () => 'pinned a message to this channel.',
  7: () => 'joined the server.',
  8: () => 'boosted the server.',
  12: ({ content }) => `added ${content} to this channel: its most important updates appear here.`,
  18: ({ content }) => `started a thread: ${content}`,
  46: ({ embeds = [] }) => pollResult(embeds[0]),
}

/** What a message of the service says after the name of its author; undefined for the message of a person or a bot. */
export const systemText = (message: Widget): string | undefined => systemTexts[message.type]?.(message)

function pollResult(embed: Widget | undefined): string {
  const fields: readonly Widget[] = embed?.fields ?? []
  const valueOf = (name: string) => fields.find((one) => one.name === name)?.value
  const winner = valueOf('victor_answer_text')
  const result =
    winner === undefined
      ? 'there is no winner'
      : `${winner} has won with ${valueOf('victor_answer_votes')} of ${valueOf('total_votes')} votes`
  return `The poll “${valueOf('poll_question_text')}” has closed: ${result}.`
}

/** The line above a reply: who is answered, and what they wrote. */
export function drawReplied(message: Widget, nameOf: (message: Widget) => string): Child {
  const { type, referenced_message: replied } = message
  if (!replied)
    return type === REPLY && replied === null && h`<p class="used hint">↱ Original message was deleted</p>`
  const { content, attachments = [] } = replied
  const words = content === '' ? `Click to see ${attachments.length > 0 ? 'attachment' : 'embed'}` : content
  return h`<p class="used hint">↱ ${nameOf(replied)}: ${words === content ? inline(content.slice(0, 80)) : h`<em>${words}</em>`}</p>`
}

const REPLY = 19

const buttonClasses: Readonly<Record<number, string>> = {
  [ButtonStyle.PRIMARY]: 'main',
  [ButtonStyle.SUCCESS]: 'success',
  [ButtonStyle.DANGER]: 'danger',
}

function drawComponent(component: Widget, acting: Acting): Child {
  const all = (list: readonly Widget[]) => list.map((one) => drawComponent(one, acting))
  const { type, style, disabled, custom_id: name } = component
  if (isMenu(component)) {
    const send = (values: readonly string[], label: string) =>
      acting.act({ kind: 'choose', name, verb: 'chose', label, values })
    return drawMenu(component, { key: `${acting.key} ${name}`, send })
  }
  switch (type) {
    case ComponentType.BUTTON: {
      const label = [component.emoji?.name, component.label].filter(Boolean).join(' ') || name
      if (style === ButtonStyle.LINK && !disabled) return link(component.url, label, 'button')
      if (style === ButtonStyle.PREMIUM)
        return button(label || 'Premium', () => {}, { disabled: true, class: 'main' })
      const press = () => acting.act({ kind: 'press', name, verb: 'pressed', label, values: [] })
      return button(label, press, { disabled, class: buttonClasses[style] })
    }
    case ComponentType.TEXT_DISPLAY:
      return h`<div>${markdown(component.content)}</div>`
    case ComponentType.SECTION:
      return h`<div class="section"><div>${all(component.components)}</div>${all([component.accessory])}</div>`
    case ComponentType.THUMBNAIL:
      return h`<div class="thumbnail">${drawMedia(component)}</div>`
    case ComponentType.MEDIA_GALLERY:
      return gallery(component.items.map(drawMedia))
    case ComponentType.FILE:
      return drawFile(component, acting.attachments)
    case ComponentType.SEPARATOR:
      return h`<hr class="${component.divider === false && 'space'} ${component.spacing === 2 && 'large'}" />`
    case ComponentType.CONTAINER: {
      const content = h`<div class="embed" role="group" aria-label="Container" ...${barColor(component.accent_color)}>${all(drawnParts(component))}</div>`
      return component.spoiler === true ? cover(content, 'Container') : content
    }
    default:
      return h`<div class="row">${all(drawnParts(component))}</div>`
  }
}

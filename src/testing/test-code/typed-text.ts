/** What a person types and chooses, by the names that people see. */
import { componentsOf } from '../../interactions/usage/component.ts'
import type { Component } from '../../interactions/usage/component-values.ts'
import { mentionKinds } from '../../interactions/usage/usage-rules.ts'
import { ButtonStyle, ComponentType } from '../../model/interaction-types.ts'
import type { CommandChoice } from '../../model/command-definition.ts'
import { OptionType } from '../../model/command-types.ts'
import type { ServerSettings } from '../../model/server.ts'

export interface TypedOption {
  readonly option: {
    readonly name: string
    readonly type: number
    readonly choices?: readonly CommandChoice[] | undefined
  }
  readonly value: unknown
}

type Names = Pick<ServerSettings, 'members' | 'roles' | 'channels'>

/** A person, a role or a channel of the server as people mention it; undefined for others. */
export function mentionOf(id: unknown, { members, roles, channels }: Names): string | undefined {
  const user = members.find((one) => one.user.id === id)?.user
  if (user !== undefined) return `@${user.username}`
  const role = roles.find((one) => one.id === id)
  const channel = channels.find((one) => one.id === id)
  return role === undefined ? channel && `#${channel.name}` : role.name.replace(/^@?/, '@')
}

function textOf({ option, value }: TypedOption, server: Names): string {
  const choice = option.choices?.find((one) => one.value === value)
  if (choice !== undefined) return choice.name
  if (mentionKinds[option.type] !== undefined)
    return mentionOf(value, server) ?? `${option.type === OptionType.CHANNEL ? '#' : '@'}${String(value)}`
  if (typeof value !== 'number') return String(value)
  // A person types no exponents.
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}

/** The line that a person types for a use of a slash command. @param path such as `/note add` */
export function typedLine(path: string, values: readonly TypedOption[], server: Names): string {
  const typed = values.map((given) => {
    const text = textOf(given, server)
    const isPlain = /^[^\s":\\]*$/u.test(text)
    return `${given.option.name}:${isPlain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`}`
  })
  return [path, ...typed].join(' ')
}

/** How a person names a button or a menu among others: by what is on it, else by its custom_id. */
export function componentName(component: Component, others: readonly Component[]): string {
  // A label stays the same where a bot draws custom_ids by chance.
  const key = component.type === ComponentType.BUTTON ? 'label' : 'placeholder'
  const label = component[key]
  const isAlone = others.filter((one) => one[key] === label).length === 1
  return typeof label === 'string' && isAlone ? label : String(component.custom_id)
}

/** The name of a component without numbers, which differ between pages and counters. */
export const reactionName = (name: string): string => name.replace(/\d+/g, '#')

const LINKS: ReadonlySet<unknown> = new Set([ButtonStyle.LINK, ButtonStyle.PREMIUM])

/** The buttons and menus that reach the bot. */
export function usableComponents(components: unknown): readonly Component[] {
  return componentsOf(components).filter(
    ({ disabled, custom_id: id, style }) => disabled !== true && typeof id === 'string' && !LINKS.has(style),
  )
}

/** The component of a message or a modal with a custom_id. */
export const componentWithId = (components: unknown, id: unknown): Component | undefined =>
  componentsOf(components).find((one) => one.custom_id === id)

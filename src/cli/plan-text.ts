/** A plan, for people and for programs. */
import type { ApplicationCommand } from '../command/definition.ts'
import { CommandType, commandTypeNames } from '../command/kinds.ts'
import { DAILY_CREATES_MAX } from '../command/scope-rules.ts'
import { counted, listed, quoted } from '../core/text.ts'
import { PermissionTargetType } from '../permission/kinds.ts'
import { allChannelsId, everyoneId, type CommandPermission } from '../permission/overwrite.ts'
import type { OverwritePlan } from '../registry/preview.ts'
import type { Scope } from '../registry/scope.ts'
import { asText as checkText, linesOf, type Checked } from './check.ts'
import { differencesOf, differenceText } from './differences.ts'

/** What became of a file. */
export interface Planned {
  /** With what the service would refuse it for among its errors. */
  readonly checked: Checked
  /** Null when it cannot be told what a deploy would do. */
  readonly preview: Preview | null
}

export interface Preview {
  /** The file, or the address of the service. */
  readonly against: string
  readonly scope: Scope
  readonly plan: OverwritePlan
  /** Null when nobody knows, and when there are not enough. */
  readonly createsLeft: number | null
  readonly renames: readonly Rename[]
  /** What could not be seen, in words. */
  readonly unseen: readonly string[]
}

/** A delete and a create that look like one command with a new name. */
export interface Rename {
  readonly from: ApplicationCommand
  readonly to: ApplicationCommand
}

// --- For programs ---------------------------------------------------------------------------------------------

export function asJson({ checked: { file, ok, errors, warnings }, preview }: Planned): string {
  return JSON.stringify({ file, ok, errors, warnings, plan: preview && previewJson(preview) }, null, 2)
}

function previewJson({ against, scope, plan, createsLeft, renames, unseen }: Preview): object {
  return {
    against,
    applicationId: scope.applicationId,
    guildId: scope.kind === 'guild' ? scope.guildId : null,
    creates: plan.creates.map(({ id, version, ...command }) => command),
    updates: plan.updates.map((update) => {
      const { version, ...after } = update.after
      return { before: update.before, after, fields: update.fields, differences: differencesOf(update) }
    }),
    deletes: plan.deletes,
    unchanged: plan.unchanged,
    createsLeft,
    permissionsLost: plan.permissionsLost,
    renames: renames.map(({ from, to }) => ({ id: from.id, type: from.type, from: from.name, to: to.name })),
    unseen,
  }
}

// --- For people -----------------------------------------------------------------------------------------------

// Lines below one entry; a command in all languages may differ in hundreds of places, and a program can ask for all.
const MOST_DETAILS = 12

export function asText({ checked, preview }: Planned): string {
  if (preview === null) return checkText([checked])
  const { against, scope, plan, renames, unseen } = preview
  const which = scope.kind === 'guild' ? `the commands of guild ${scope.guildId}` : 'the global commands'
  const rows = [
    ...plan.creates.flatMap((command) => row('create', labelOf(command))),
    ...plan.updates.flatMap((update) =>
      row('update', labelOf(update.before), differencesOf(update).map(differenceText)),
    ),
    ...plan.deletes.flatMap((command) => row('delete', labelOf(command))),
    ...lossesOf(plan),
    ...hintsOf(renames),
    ...unseen.flatMap((note) => row('note', note)),
  ]
  return [
    ...linesOf(checked),
    `${checked.file}: against ${which} of application ${scope.applicationId} in ${against}`,
    ...rows,
    `${checked.file}: ${summaryOf(checked, preview)}`,
  ].join('\n')
}

function row(verb: string, text: string, details: readonly string[] = []): readonly string[] {
  const shown = details.length > MOST_DETAILS ? details.slice(0, MOST_DETAILS - 1) : details
  const more = details.length - shown.length
  const lines = more > 0 ? [...shown, `and ${more} more`] : shown
  return [`  ${verb.padEnd(6)}  ${text}`, ...lines.map(detail)]
}

function detail(text: string): string {
  return `            ${text}`
}

function lossesOf({ updates, deletes, permissionsLost }: OverwritePlan): readonly string[] {
  const before = new Map(
    [...deletes, ...updates.map((update) => update.before)].map((each) => [each.id, each]),
  )
  return permissionsLost.flatMap(({ id, guild_id, permissions }) =>
    row(
      'lose',
      `permissions of ${labelOf(before.get(id)!)} in guild ${guild_id}`,
      permissions.map((entry) => entryText(entry, guild_id)),
    ),
  )
}

function hintsOf(renames: readonly Rename[]): readonly string[] {
  const hints = renames.flatMap(({ from, to }) =>
    row(
      'hint',
      `${labelOf(from)} looks renamed to ${labelOf(to)}; "id": "${from.id}" in its definition keeps the id`,
    ),
  )
  return hints.length === 0 ? [] : [...hints, detail('its permissions are lost either way')]
}

function labelOf({ type, name }: ApplicationCommand): string {
  return type === CommandType.CHAT_INPUT
    ? `/${name}`
    : `${commandTypeNames[type]} command ${quoted(name, 40)}`
}

const targets: { readonly [Type in PermissionTargetType]: string } = { 1: 'role', 2: 'user', 3: 'channel' }

function entryText({ type, id, permission }: CommandPermission, guildId: string): string {
  let target = `${targets[type]} ${id}`
  if (type === PermissionTargetType.ROLE && id === everyoneId(guildId)) target = 'everyone'
  if (type === PermissionTargetType.CHANNEL && id === allChannelsId(guildId)) target = 'all channels'
  return `${target}: ${permission ? 'allowed' : 'denied'}`
}

function summaryOf({ errors }: Checked, { plan, createsLeft }: Preview): string {
  const { creates, updates, deletes, unchanged, permissionsLost } = plan
  const changes = [
    ...(creates.length > 0 ? [counted(creates.length, 'create')] : []),
    ...(updates.length > 0 ? [counted(updates.length, 'update')] : []),
    ...(deletes.length > 0 ? [counted(deletes.length, 'delete')] : []),
  ]
  const same = unchanged.length > 0 ? [`${unchanged.length} unchanged`] : []
  return [
    changes.length === 0 ? ['nothing would change', ...same].join('; ') : listed([...changes, ...same]),
    ...(createsLeft === null ? [] : [`${createsLeft} of ${DAILY_CREATES_MAX} creates left today`]),
    ...(permissionsLost.length > 0 ? ['permissions would be lost'] : []),
    ...(errors.length > 0 ? ['it would be refused'] : []),
  ].join('; ')
}

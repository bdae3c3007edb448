/** What stops a person who types a command: a channel without a text box, and ids and names that nothing has. */
import { InvocationError, invalidOptions } from '../../../interactions/client/invocation-error.ts'
import type { MentionKind } from '../../../interactions/usage/usage-rules.ts'
import type { OptionValues } from '../../../interactions/client/use-options.ts'
import { isSnowflake } from '../../../core/snowflake.ts'
import { muteError } from '../../../interactions/client/service-checks.ts'
import { CommandType } from '../../../model/command-types.ts'
import type { ServerSettings, ServerUser } from '../../../model/server.ts'
import { isDirect } from '../../../service/world/entities.ts'
import type { World } from '../../../service/world/world.ts'
import { ActingPerson, asPerson } from './acting-person.ts'
import { unknownId } from './line.ts'
import type { People } from './people.ts'

interface Known {
  readonly resolved: Parameters<typeof unknownId>[2]
  readonly people: People
  readonly server: ServerSettings
}

/** Uses a command. @throws InvocationError `invalid_options` that also says what there is in place of unknown ids and names */
export async function withUnknown<T>(
  values: OptionValues,
  kindsOf: (name: string) => readonly MentionKind[],
  { resolved, people, server }: Known,
  use: () => Promise<T>,
): Promise<T> {
  const ids: string[] = []
  const unknown = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    const kinds = kindsOf(name)
    if (kinds.length === 0 || typeof value !== 'string') continue
    if (!isSnowflake(value)) unknown.set(name, people.unknownName(value, kinds, server))
    // The client would invent an object for an unknown id.
    else
      ids.push(
        ...[unknownId(value, kinds, resolved)].flatMap((problem) => (problem ? [`${name}: ${problem}`] : [])),
      )
  }
  if (ids.length > 0) {
    const names = [...unknown].map(([name, problem]) => `${name}: ${problem}`)
    throw new InvocationError('invalid_options', { message: [...ids, ...names].join('\n') })
  }
  return use().catch((error: unknown) => {
    if (!(error instanceof InvocationError) || error.code !== 'invalid_options') throw error
    const issues = error.issues.map((issue) => {
      const problem = unknown.get(String(issue.path[1]))
      return problem === undefined ? issue : { ...issue, message: problem }
    })
    throw invalidOptions(issues, { options: values }, error.commandId ?? '')
  })
}

/** The client has no text box where a person cannot see the channel or may not write in it. @throws InvocationError `permission_denied` */
export function needTextBox(world: World, user: ServerUser, channelId: string | undefined): void {
  const channel = channelId === undefined ? undefined : world.channel(channelId)
  if (channel === undefined || isDirect(channel)) return
  const person = new ActingPerson(world, user)
  asPerson(() => person.needSight(channel))
  if (!person.hasIn(channel, 'SEND_MESSAGES')) throw muteError(CommandType.CHAT_INPUT)
}

/** Valid bodies to break rules in, and the validator that a rule is for. */
import {
  CommandRegistry,
  globalScope,
  validateCommand,
  validateCommands,
  validatePatch,
  validatePermissions,
  type Issue,
} from 'commandry'
import type { Rule } from 'commandry/reference'
import { createInteraction, validateCallback } from 'commandry/interactions'
import { slashCommand, type Violation } from 'commandry/testing'
import { attempt } from '../support/attempt.ts'
import { handClock } from '../support/clock.ts'

export { validBodies } from '../../src/testing/samples/violations.ts'

interface Found {
  readonly issues: readonly Issue[]
  readonly warnings: readonly Issue[]
}

type Validators = {
  // Bodies of every kind.
  readonly [Subject in Rule['on']]: (body: any, context: object) => Partial<Found> | Promise<Partial<Found>>
}

const scope = globalScope('1001')
const { command: current } = await new CommandRegistry().upsert(scope, slashCommand())

const validators: Validators = {
  command: validateCommand,
  commands: validateCommands,
  permissions: validatePermissions,
  patch: (body, context) => validatePatch(body, current, context),
  scope: play,
  snapshot: (body) => issuesOf(() => new CommandRegistry().restore(body)),
  interaction: ({ command, request }) => createInteraction(command, request),
  callback: ({ interaction, callback, now }, context) =>
    validateCallback(interaction, callback, { ...context, ...(now !== undefined && { now }) }),
}

export async function judge(on: Rule['on'], body: unknown, context: object | null): Promise<Found> {
  return { issues: [], warnings: [], ...(await validators[on](body, context ?? {})) }
}

/** The issues of the change of a scenario. */
async function play({
  before,
  churn,
  change,
}: Violation<'scope.name_taken'>['body']): Promise<Partial<Found>> {
  const registry = new CommandRegistry({ clock: handClock() })
  const standing = await registry.overwrite(scope, before)
  for (let i = 0; i < churn; i++) {
    const { command } = await registry.upsert(scope, slashCommand({ name: 'churn' }))
    await registry.delete(scope, command.id)
  }
  return issuesOf(async () => {
    if (change.kind === 'upsert') await registry.upsert(scope, change.body)
    else if (change.kind === 'overwrite') await registry.overwrite(scope, change.bodies)
    else {
      const { id } = standing.find(({ name }) => name === change.name)!
      await registry.edit(scope, id, change.patch)
    }
  })
}

async function issuesOf(call: () => Promise<unknown>): Promise<Partial<Found>> {
  return { issues: (await attempt(call))?.issues ?? [] }
}

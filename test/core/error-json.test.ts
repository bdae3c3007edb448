import { AuthorizationArgs, AuthorizationClient, CommandRegistry, globalScope, StoreError } from 'commandry'
import { ChatClient, ComponentError } from 'commandry/interactions'
import { TestbedError } from 'commandry/testbed'
import { expect, it } from 'vitest'
import { person } from '../interactions/client/person.ts'
import { app, ping } from '../support/fixtures.ts'

const registry = new CommandRegistry()
const rejected = (call: Promise<unknown>) => call.catch((error: unknown) => error)

it.each<[string, () => unknown, object]>([
  [
    'RegistryError',
    () => rejected(registry.upsert(globalScope(app), { ...ping, default_member_permissions: -1n })),
    { code: 'invalid', issues: [{ path: ['default_member_permissions'] }], retryAfter: null, missing: [] },
  ],
  ['StoreError', () => new StoreError('x', { cause: 1, mayHaveHappened: true }), { mayHaveHappened: true }],
  [
    'AuthorizationError',
    () => rejected(new AuthorizationClient().authorize(new AuthorizationArgs())),
    { code: expect.any(String) as string, issues: expect.any(Array) as object[] },
  ],
  [
    'InvocationError',
    () => rejected(new ChatClient(registry, person).invoke('nothing', {})),
    { code: 'unknown_command', commandId: null, issues: [] },
  ],
  ['ComponentError', () => new ComponentError('disabled', 'x'), { code: 'disabled' }],
  ['TestbedError', () => new TestbedError('no_answer', 'x'), { code: 'no_answer', issues: [] }],
])(
  '%s keeps name, message, code and details in JSON and as the message of a thread',
  async (name, make, details) => {
    const error = (await make()) as Error & { toJSON(): object }
    expect(error.name).toBe(name)
    const { message } = error
    expect(JSON.parse(JSON.stringify({ error }))).toMatchObject({ error: { name, message, ...details } })
    expect(structuredClone(error.toJSON())).toEqual(JSON.parse(JSON.stringify(error)))
  },
)

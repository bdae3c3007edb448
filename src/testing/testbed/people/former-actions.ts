/** The actions on `bed` itself, as version 0.2.0 had them: each acts on one of the servers. */
import { serverOf, type People, type PersonName, type Person, type ServerOption } from './people.ts'
import { ABOUT_MEMBERS, serverActions, type ChannelPermissions } from './server-actions.ts'

/** What `bed.server` does, by its names of 0.2.0; they work until 0.4.0. */
export interface FormerActions {
  /** As `bed.server.addPerson`, in the server of the options. @deprecated Use `bed.server.addPerson`. */
  addPerson(username: string, roles?: readonly string[], options?: ServerOption): Person
  /** As `bed.server.setRoles`, in the server of the options or the first that has the person. @deprecated Use `bed.server.setRoles`. */
  setRoles(name: PersonName, roles: readonly string[], options?: ServerOption): void
  /** As `bed.server.leave`, in the server of the options or the first that has the person. @deprecated Use `bed.server.leave`. */
  leave(name: PersonName, options?: ServerOption): void
  /** As `bed.server.timeout`, in the server of the options or the first that has the person. @deprecated Use `bed.server.timeout`. */
  timeout(name: PersonName, duration: number | string | null, options?: ServerOption): void
  /** As `bed.server.mute`, in the server of the options or the first that has the person. @deprecated Use `bed.server.mute`. */
  mute(name: PersonName, isMuted?: boolean, options?: ServerOption): void
  /** As `bed.server.setPermissions`, in the server of the options. @deprecated Use `bed.server.setPermissions`. */
  setPermissions(channel: string, name: string, permissions: ChannelPermissions, options?: ServerOption): void
}

/** Where each has its options. */
const optionsAt: { readonly [Verb in keyof FormerActions]: number } = {
  addPerson: 2,
  setRoles: 2,
  leave: 1,
  timeout: 2,
  mute: 2,
  setPermissions: 3,
}

export function formerActions(people: People): FormerActions {
  const action =
    (verb: keyof FormerActions, at: number) =>
    (...given: readonly unknown[]) => {
      const name = serverOf(verb, given[at] as ServerOption | undefined)
      // Without a name, the first server that has the person.
      const isAboutMember = ABOUT_MEMBERS.includes(verb)
      const id = isAboutMember ? people.find(given[0] as string, name).serverId : people.server(name).id
      const act = serverActions(people, id)[verb] as (...given: readonly unknown[]) => unknown
      return act(...given.slice(0, at))
    }
  const verbs = Object.entries(optionsAt).map(([verb, at]) => [verb, action(verb as keyof FormerActions, at)])
  return Object.fromEntries(verbs) as FormerActions
}

/** Every probe, and why the other decisions cannot be observed by a bot. */
import { commandProbes } from './command-probes.ts'
import { messageProbes } from './message-probes.ts'
import type { Probe } from './probe.ts'
import { serviceProbes } from './service-probes.ts'

export const probes: readonly Probe[] = [...commandProbes, ...serviceProbes, ...messageProbes]

const OWN = 'it is about this library, not about the service'
const VALUES = 'it is about values of JavaScript, which JSON does not have'
const PEOPLE = 'only a person can use a command, and a bot cannot be one'
const BEARER = 'it needs the token of a person who manages the server'
const BROWSER = 'it needs a person at the authorization page'
const EVENTS = 'it needs a second application in the server, and the gateway'

/** By clause: why a decision, or what no probe asks of it, cannot be observed with the token of a bot. */
export const unobservable: Readonly<Record<string, string>> = {
  '1-05': VALUES,
  '1-06': VALUES,
  '1-07': OWN,
  '2.1-25': 'its first half needs a change of the settings of the application between two requests',
  '2.8-06': PEOPLE,
  '2.8-07': 'it needs a person who has installed the application',
  '2.9-02': BEARER,
  '2.9-03': PEOPLE,
  '2.9-08': PEOPLE,
  '2.9-10': 'a bot that may not view a channel could not delete it at the end',
  '2.11-01': PEOPLE,
  '2.11-04': 'only people see a picker and send commands, so a bot cannot see whether they need SEND_MESSAGES',
  '2.11-07': PEOPLE,
  '2.11-08': PEOPLE,
  '2.11-09': 'types of answers, their time, modals and suggestions need an interaction',
  '2.11-10': PEOPLE,
  '2.11-11': PEOPLE,
  '2.11-13': PEOPLE,
  '2.11-15': PEOPLE,
  '2.11-17': PEOPLE,
  '2.12-05': BROWSER,
  '2.12-06': BROWSER,
  '2.12-07': OWN,
  '2.12-08': BROWSER,
  '4.1-07': 'a list without the entry point is not sent: it would delete what Discord does not protect',
  '4.3-03': BEARER,
  '5-01': 'its scopes need bearer tokens',
  '5-02': 'its second half needs the token of a person who manages the server',
  '5-03': OWN,
  '5-04': BROWSER,
  '5-05': OWN,
  '5-06': OWN,
  '6-01': BEARER,
  '6-05': EVENTS,
  '6-06': 'a bot that may not view a channel could not delete it at the end',
  '6-07': 'its events need the gateway',
  '8-02': 'it would use up the creates of a day',
}

/** Bots that resume after they have missed events. */
import { interaction, settled, TOKEN, world, type Client, type World } from './harness.ts'

export const resume = (client: Client, seq: number, session = 'session-1', token = TOKEN) =>
  client.send(6, { token, session_id: session, seq })

export const MIB = 1024 * 1024
/** An event of about so many characters. */
export const large = (application: string, length: number) =>
  ({ ...interaction(null, application), note: 'x'.repeat(length) }) as never
/** A gateway that knows every token: it is the id of its application. */
export const anyBot = () => world({ authenticate: (id) => ({ id }) })
/** The events that a bot gets when it resumes a session, by its number. */
export async function answerTo({ connect }: World, session: number, token: string) {
  const client = connect()
  resume(client, 1, `session-${session}`, token)
  await settled()
  return client.frames.map(({ op, t }) => t ?? op)
}

/** An app's endpoint for the tests of deliveries. */
import { createEndpointKeys, deliver, type DeliverOptions, type Interaction } from 'commandry/interactions'
import { used } from '../../support/invoked.ts'
import { isSigned } from '../../support/signature.ts'

export const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
export const keys = await createEndpointKeys(SEED)
export const ping = { name: 'ping', description: 'b' } as const
export const interaction = used(ping)
export const url = 'https://app.example/interactions'

export type App = (interaction: Interaction, request: Request) => Response | Promise<Response>

/** An app's endpoint that verifies signatures, and the requests it received. */
export function endpoint(app: App, { verify = true } = {}) {
  const requests: { readonly headers: Headers; readonly body: string }[] = []
  const send = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const body = await request.text()
    requests.push({ headers: request.headers, body })
    if (verify && !(await isSigned(keys.publicKey, request.headers, body)))
      return new Response(null, { status: 401 })
    const received = JSON.parse(body) as Interaction
    return received.type === 1 ? Response.json({ type: 1 }) : app(received, request)
  }
  return { send: send as typeof fetch, requests }
}

/** Delivers the interaction to an app's endpoint. */
export function deliverTo(app: App, options: Partial<DeliverOptions> = {}) {
  return deliver(interaction, { url, privateKey: keys.privateKey, fetch: endpoint(app).send, ...options })
}

export const pong: App = () => Response.json({ type: 4, data: { content: 'pong' } })
export const never: App = () => new Promise(() => {})

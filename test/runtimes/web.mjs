/**
 * The main job with only the language and Web standards, for any runtime: no test runner, no `node:`.
 * Takes the built entries and throws on an unexpected result.
 */
export async function mainJob({ domain, interactions, http, testing }) {
  const {
    AuthorizationClient,
    CommandRegistry,
    formatIssues,
    globalScope,
    memoryStore,
    snowflakes,
    validateCommand,
  } = domain
  const { ChatClient, createEndpointKeys, deliver } = interactions

  const wrong = { name: 'Ping', description: 'Says pong' }
  const found = validateCommand(wrong)
  same(formatIssues(found.issues, wrong), 'command "Ping", name: "Ping" has upper case; write "ping"')

  const registry = new CommandRegistry({ ids: snowflakes({ worker: 1 }) })
  const handler = http.createHandler({ registry, authenticate: http.openAccess() })
  const path = 'https://service.example/api/v10/applications/1001/commands'
  const headers = { authorization: 'Bot a', 'content-type': 'application/json' }
  const body = JSON.stringify({ ...wrong, name: 'ping', name_localizations: { de: 'klopf' } })
  const made = await handler(new Request(path, { method: 'POST', headers, body }))
  same(made.status, 201)
  const listed = await handler(new Request(path, { headers: { ...headers, 'accept-language': 'de' } }))
  same((await listed.json())[0].name_localized, 'klopf')
  const refused = await handler(new Request(path, { method: 'POST', headers, body: JSON.stringify(wrong) }))
  same((await refused.json()).code, 50035)

  const client = new ChatClient(registry, {
    applicationId: '1001',
    user: { id: '3001', username: 'ada' },
    channel: { id: '4001', type: 1 },
    locale: 'de',
  })
  await client.refresh()
  const interaction = await client.invoke('klopf', {})
  same(interaction.data.name, 'ping')
  const { publicKey, privateKey } = await createEndpointKeys()
  const app = async (request) => {
    const signature = bytesOf(request.headers.get('x-signature-ed25519'))
    const signed = new TextEncoder().encode(
      request.headers.get('x-signature-timestamp') + (await request.text()),
    )
    const key = await crypto.subtle.importKey('raw', bytesOf(publicKey), { name: 'Ed25519' }, false, [
      'verify',
    ])
    const content = String(await crypto.subtle.verify({ name: 'Ed25519' }, key, signature, signed))
    return Response.json({ type: 4, data: { content } })
  }
  const delivery = await deliver(interaction, {
    url: 'https://app.example/interactions',
    privateKey,
    fetch: async (input, init) => app(new Request(input, init)),
  })
  same(delivery.rendered.content, 'true')

  const sdk = new AuthorizationClient()
  const verifier = await sdk.createAuthorizationCodeVerifier()
  same(verifier.challenge.challenge.length, 43)

  const promises = []
  testing.storeContract({
    test: (title, run) => void promises.push([title, run]),
    open: async () => ({ store: memoryStore() }),
  })
  for (const [, run] of promises) await run()
  testing.assertValidCommand(testing.slashCommand())
  return `the main job is done, and ${promises.length} promises of a store are kept`
}

function same(actual, expected) {
  if (actual !== expected) throw new Error(`expected ${String(expected)}, got ${String(actual)}`)
}

function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

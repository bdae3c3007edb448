import { describe, expect, it } from 'vitest'
import { rules } from 'commandry/reference'
import { read } from '../../../support/markdown.ts'
import { call, directoryOf, failing } from '../program.ts'

describe('commandry explain', () => {
  it('shows the rule, a wrong definition, the fix and the error of Discord', async () => {
    const { code, out } = await call(['explain', 'options.order'])
    expect([code, ...out.trimEnd().split('\n')]).toEqual([
      0,
      'options.order  error',
      rules.find(({ code }) => code === 'options.order')!.summary,
      '',
      '  Wrong    [',
      '             { "name": "reason", "description": "What it does", "type": 3 },',
      '             { "name": "target", "description": "What it does", "type": 3, "required": true }',
      '           ]',
      '           at options[1]',
      '  Message  is required but follows the optional option "reason"; move it up',
      '  Right    [',
      '             { "name": "target", "description": "What it does", "type": 3, "required": true },',
      '             { "name": "reason", "description": "What it does", "type": 3 }',
      '           ]',
      '  Fix      commandry check --fix repairs it',
      '  Discord  50035, APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
      '           "Required options must be placed before non-required options"',
      '  Since    as documented in August 2026',
      '  More     node_modules/commandry/docs/rules.md#options-order',
    ])
  })

  it('[1-07] shows the day and the source of a newer rule', async () => {
    const { out } = await call(['explain', 'option.file_types'])
    expect(out).toContain('  Since    2026-08-05 (change log; discord-api-docs#8506)\n')
  })

  it('explains every rule', async () => {
    for (const { code, summary, level } of rules) {
      const { out, err } = await call(['explain', code])
      expect(err).toBe('')
      expect(out.startsWith(`${code}  ${level}\n`)).toBe(true)
      expect(out.replaceAll('\n', ' ')).toContain(summary)
      expect(out).toMatch(/^ {2}Wrong {4}\S/m)
      expect(out).not.toContain('undefined')
    }
  })

  it('cuts off a line that is too long, at its end', async () => {
    const { out } = await call(['explain', 'choice.value_length'])
    expect(out).toMatch(/^ {13}"value": "x+…$/m)
    expect(out.split('\n').every((line) => line.length <= 100)).toBe(true)
  })

  it('lists all rules by subject', async () => {
    const { out } = await call(['explain'])
    for (const { code, summary } of rules) {
      expect(out).toContain(`  ${code} `)
      expect(out).toContain(summary)
    }
  })

  it.each([
    ['option.ordr', 'options.order'],
    ['name.Case', 'name.case'],
  ])('suggests for %s the nearest code %s', async (given, meant) => {
    const ended = await call(['explain', given])
    expect(ended).toMatchObject(failing(2, `no rule "${given}"; did you mean ${meant}?`))
  })
})

describe('commandry explain, with an error of Discord', () => {
  const text = (name?: string) => ({ type: 3, ...(name !== undefined && { name }), description: 'd' })
  const files = {
    'commands/ban.json': { name: 'ban', description: 'd', options: [text('user')] },
    'commands/kick.json': { name: 'kick', description: 'd', options: [text('user'), text()] },
  }
  const required = 'BASE_TYPE_REQUIRED'
  const message = 'This field is required'
  const printed = {
    'discord.js': `DiscordAPIError[50035]: Invalid Form Body
1.options[1].name[${required}]: ${message}
    at handleErrors (/bot/node_modules/@discordjs/rest/dist/index.js:762:13) {
  rawError: {
    message: 'Invalid Form Body',
  code: 50035,
  method: 'PUT',
  url: 'https://discord.com/api/v10/applications/1/commands'`,
    'discord.py': `discord.errors.HTTPException: 400 Bad Request (error code: 50035): Invalid Form Body
In 1.options.1.name: ${message}`,
    'oceanic.js': `DiscordRESTError: Invalid Form Body on PUT /api/v10/applications/1/commands
 1.options.1.name: ${message}
    at RequestHandler.request (/bot/node_modules/oceanic.js/dist/lib/rest/RequestHandler.js:1:1)`,
    JDA: `ErrorResponseException: 50035: Invalid Form Body
1.options[1].name
\t- ${required}: ${message}`,
    JSON: JSON.stringify({
      code: 50035,
      errors: { 1: { options: { 1: { name: { _errors: [{ code: required, message }] } } } } },
      message: 'Invalid Form Body',
    }),
  }

  const explain = async (error: string) =>
    call(['explain', error, 'commands/'], { cwd: await directoryOf(files) })

  it.each(Object.entries(printed))('locates an error as %s prints it', async (_, pasted) => {
    const { code, out } = await explain(pasted)
    expect(code).toBe(0)
    expect(out).toMatch(/^1?.*options\[1\]\.name/)
    expect(out).toMatch(/^ {2}Place {4}commands\/kick\.json:1:\d+ {2}\/kick, option 2, name: is missing/m)
    expect(out).toMatch(/^ {2}Rule {5}shape.required: /m)
    expect(out.split('\n').filter((line) => line.includes('Place'))).toHaveLength(1)
  })

  it('finds the command of an error without an index by its own validation', async () => {
    const { out } = await explain(`options[1].name[${required}]: ${message}`)
    expect(out).toContain('commands/kick.json:1:')
  })

  it('gives the rule and the place in words without files', async () => {
    const { out } = await call(['explain', 'In 0.options.2.name: Must be between 1 and 32 in length.'])
    expect(out).toContain('  Place    command 1, option 3, name\n')
    expect(out).toMatch(/^ {2}Rule {5}name.length: /m)
    expect(out).toContain('give your files as well')
  })

  it('reads the error from stdin', async () => {
    const { out } = await call(['explain', '-'], { stdin: printed['discord.js'] })
    expect(out).toMatch(/^ {2}Rule {5}shape.required: /m)
  })

  it('says when the files do not have the error', async () => {
    const { out } = await explain(`0.name[${required}]: ${message}`)
    expect(out).toContain('commands/ban.json:1:')
    expect(out).toContain('the files do not break this rule there')
  })

  it('knows both forms of an option without a type', async () => {
    const pasted = '0.options[0][TAG_FIELD_MISSING]: Field "type" is required to determine the model type.'
    const bodies = [{ name: 'b', description: 'd', options: [{ name: 'user', description: 'd' }] }]
    const cwd = await directoryOf({ 'c.json': bodies })
    const { out } = await call(['explain', pasted, 'c.json'], { cwd })
    expect(out).toMatch(/^ {2}Place {4}c\.json:1:\d+ {2}\/b, option "user", type: is missing/m)
    expect(out).toMatch(/^ {2}Rule {5}shape.required: /m)
    const alone = await call(['explain', pasted])
    expect(alone.out).toMatch(/^ {2}Rule {5}shape.required: /m)
  })

  it('finds the rule of a code whose message is in another language', async () => {
    const { out } = await explain(`1.options[1].name[${required}]: Dieses Feld ist erforderlich`)
    expect(out).toMatch(/^ {2}Rule {5}shape.required: /m)
    const alone = await call([
      'explain',
      '0.name[BASE_TYPE_BAD_LENGTH]: Muss zwischen 1 und 32 Zeichen lang sein.',
    ])
    expect(alone.out).toMatch(/^ {2}Rule {5}name.length: /m)
  })

  it.each([
    ['unknown', '1.options[1][BRAND_NEW_CODE]: Something is wrong.'],
    ['of another rule', '1.options[1].name[BASE_TYPE_BAD_LENGTH]: Must be between 1 and 32 in length.'],
  ])('names the rule that the file breaks at the place of a code that is %s', async (_, pasted) => {
    const { out } = await explain(pasted)
    expect(out).toMatch(/^ {2}Place {4}commands\/kick\.json:1:\d+ {2}\/kick, option 2, name: is missing/m)
    expect(out).toMatch(/^ {2}Rule {5}shape.required: /m)
    expect(out).not.toMatch(/none of this library|do not break/)
  })

  it('names the rule that the list around the place breaks', async () => {
    const options = Array.from({ length: 26 }, (_, index) => text(`o${index}`))
    const cwd = await directoryOf({ 'c.json': [{ name: 'b', description: 'd', options }] })
    const { out } = await call(['explain', '0.options[25].name[BRAND_NEW_CODE]: Too many.', 'c.json'], {
      cwd,
    })
    expect(out).toMatch(/^ {2}Rule {5}options.count: /m)
    expect(out).not.toMatch(/none of this library|do not break/)
  })

  it('places an error about a command that the files do not have in words', async () => {
    const { out } = await explain(`7.name[${required}]: ${message}`)
    expect(out).toContain('  Place    command 8, name\n')
    expect(out).not.toContain('.json:')
  })

  it('refuses a text without an error', async () => {
    const ended = await call(['explain', 'Error: socket hang up\n    at Socket.end'])
    expect(ended).toMatchObject(failing(2, 'no error of Discord found'))
  })
})

describe('what bots and this package print', () => {
  const unknown = ['10062', 'Unknown interaction', 'it came after 3 seconds', 'docs/http.md#errors']

  it.each<readonly [pasted: string, expected: readonly string[]]>([
    ['DiscordAPIError[10062]: Unknown interaction', unknown],
    ['10062', unknown],
    ['Unknown interaction', unknown],
    [
      'DiscordAPIError[50035]: Invalid Form Body\n0.name[APPLICATION_COMMAND_INVALID_NAME]: Command name is invalid\nDiscordAPIError[10062]: Unknown interaction',
      [...unknown, 'command 1, name', 'name.case'],
    ],
    [
      'DiscordAPIError[10062]: Unknown interaction\n    at handleErrors (rest/dist/index.js:748:13)\n  status: 404, code: 10062,',
      unknown,
    ],
    [
      'discord.errors.Forbidden: 403 Forbidden (error code: 50013): Missing Permissions',
      ['50013', 'the bot lacks a permission'],
    ],
    [
      '{"message": "Interaction has already been acknowledged.", "code": 40060}',
      ['40060', 'a second answer'],
    ],
    ['permission_denied', ['The member may not use the command', 'docs/errors.md#using-a-command']],
    ['never_edited', ['deferred its answer and did not edit it', 'docs/fuzz.md#what-counts-as-a-failure']],
    ['state_mismatch', ['The returned state is not the one of the request.']],
  ])('is explained: %s', async (pasted, expected) => {
    const { code, out } = await call(['explain', pasted])
    expect(code).toBe(0)
    for (const part of expected) expect(out.replaceAll(/\s+/g, ' ')).toContain(part)
  })

  it('is explained when a log has joined its lines', async () => {
    const error = '3.description[BASE_TYPE_BAD_LENGTH]: Must be between 1 and 100 in length.'
    const { out } = await call(['explain', `DiscordAPIError[50035]: Invalid Form Body ${error}`])
    expect(out).toContain('command 4, description')
    expect(out).toContain('description.length')
  })

  it('is known of every code that fuzz reports', async () => {
    const page = read('docs/fuzz.md')
    const codes = Array.from(page.matchAll(/^\| `(\w+)` +\|/gm), ([, code]) => code!)
    expect(codes).toContain('crashed')
    for (const code of codes) expect((await call(['explain', code])).code).toBe(0)
  })
})

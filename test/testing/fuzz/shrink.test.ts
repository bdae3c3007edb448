/** The shortest steps that show a fault. */
import { expect, it } from 'vitest'
import { fuzzEndpoint, long, option, ping, row, runTest, short, withEndpoint } from './bot.ts'

const text = option(3, 'text')
const button = (name: string) => ({ type: 2, style: 1, label: name, custom_id: name })
const offer = (...names: readonly string[]) => ({
  ...{ type: 4, data: { content: 'x', components: row(...names.map(button)) } },
})
const sized = option(3, 'sized', { min_length: 5, max_length: 9 })
const number = option(4, 'number', { min_value: -50, max_value: 500 })
const kind = option(3, 'kind', { choices: ['One', 'Two words'].map((name) => ({ name, value: name })) })
const all = [text, option(6, 'user'), number, option(5, 'flag')]
const home = { as: 'ada', channel: 'general', locale: 'en-US' }

type Values = { readonly [name: string]: any }

/** The options, when the bot fails, and the steps that remain. */
type Fault = readonly [string, readonly object[], (values: Values, use: any) => boolean, string, object?]
const faults: readonly Fault[] = [
  ['one part of a text', [text], ({ text }) => /\*\* _b/.test(text), 'text:"** _b"'],
  ['a quotation mark', [text], ({ text }) => /"/.test(text), 'text:"\\""'],
  ['a backslash', [text], ({ text }) => /\\/.test(text), 'text:"\\\\"'],
  ['a mention of a role', [text], ({ text }) => /<@&\d+>/.test(text), 'text:<@&0>'],
  ['an emoji', [text], ({ text }) => /\p{Extended_Pictographic}/u.test(text), 'text:👧'],
  ['the length of a text', [text], ({ text }) => text?.length > 60, `text:${'a'.repeat(61)}`],
  ['a length within bounds', [sized], ({ sized }) => sized?.length > 6, 'sized:aaaaaaa'],
  ['a small number', [number], ({ number }) => number < -7, 'number:-8'],
  ['a large number', [number], ({ number }) => number > 77, 'number:78'],
  ['a fraction', [option(10, 'x', { min_value: 1e-7 })], ({ x }) => x < 0.5, 'x:0.0000001'],
  ['two of four options', all, ({ text, flag }) => text && flag, 'text:a flag:true'],
  ['no options', all, () => true, ''],
  ['a choice', [kind], ({ kind }) => kind === 'Two words', 'kind:"Two words"'],
  ['a person', [option(6, 'user')], ({ user }) => user === '100000000000003002', 'user:@grace'],
  ['a role', [option(9, 'who')], ({ who }) => who === '100000000000005002', 'who:@Administrators'],
  ['a channel', [option(7, 'in')], (values) => values.in === '100000000000004002', 'in:#staff'],
  ['a file', [option(11, 'file')], (_, { data }) => / /.test(JSON.stringify(data)), 'file:"no extension"'],
  ['a language', all, (_, { locale }) => locale === 'de', '', { ...home, locale: 'de' }],
  ['a DM', all, (_, { member }) => member === undefined, '', { ...home, channel: 'dm' }],
  ['who uses it', all, (_, { member }) => member?.user.username === 'grace', '', { ...home, as: 'grace' }],
]

for (const [fault, options, fails, line, place = home] of faults)
  it(`keeps ${fault}, in a test that fails with the same message`, async () => {
    const commands = [{ ...ping, name_localizations: { it: 'ping' }, options }] as never[]
    const answer = (use: any) => {
      const values = (use.data.options ?? []).map(({ name, value }: any) => [name, value])
      return fails(Object.fromEntries(values), use) ? long : short
    }
    const { failures } = await fuzzEndpoint(answer, { runs: 60 }, { commands })
    const shortest = { line: `/ping ${line}`.trim(), repeated: true, code: 'refused_answer', ...place }
    expect(failures).toEqual([expect.objectContaining(shortest)])
    const [failure] = failures
    await withEndpoint(answer, { commands }, (bed) =>
      expect(runTest(bed, failure!.test)).rejects.toThrow(failure!.message),
    )
  })

it('leaves out a press that a fault does not need, of those before it', async () => {
  const answer = ({ type, data }: any) => {
    if (type === 2) return offer('Idle', 'Next')
    return data.custom_id === 'Next' ? offer('Last') : data.custom_id === 'Last' ? long : short
  }
  const { failures } = await fuzzEndpoint(answer)
  expect(failures).toMatchObject([{ code: 'refused_answer', step: 'press Last', repeated: true }])
  const [failure] = failures
  expect([...failure!.test.matchAll(/press\('(\w+)'\)/g)].map(([, name]) => name)).toEqual(['Next', 'Last'])
  await withEndpoint(answer, {}, (bed) =>
    expect(runTest(bed, failure!.test)).rejects.toThrow(failure!.message),
  )
})

import { describe, expect, it } from 'vitest'
import { isProgram, objectAsJson } from '../../../src/tools/authoring/javascript.ts'

const ban = { name: 'ban', description: `It's "final"` }

describe('objects of JavaScript as JSON', () => {
  it.each([
    ['keys without quotes', `{ name: "ban", description: "It's \\"final\\"" }`],
    ['texts in single quotes', `{ 'name': 'ban', 'description': 'It\\'s "final"' }`],
    ['texts in backticks', '{ name: `ban`, description: `It\'s "final"` }'],
    ['commas at the end', `{ name: 'ban', description: 'It\\'s "final"', }`],
    ['comments', `{ // the name\n name: 'ban', /* the text */ description: 'It\\'s "final"', /* end */ }`],
    ['a default export', `export default { name: 'ban', description: 'It\\'s "final"' };`],
    ['a constant', `const command = { name: 'ban', description: 'It\\'s "final"' }`],
  ])('reads %s', (_, text) => {
    expect(JSON.parse(objectAsJson(text)!)).toEqual(ban)
  })

  it('keeps the lines of the text', () => {
    expect(objectAsJson(`[\n  { name: 'ban' },\n]`)).toBe(`[\n  { "name": "ban" }\n]`)
  })

  it.each([
    '{ name: NAME }',
    '{ name: `${name}` }',
    'new Builder()',
    '{ "a": 1 } extra',
    "{ name: 'ban",
    '{/*',
    '{,}',
    '[1,,]',
  ])('leaves %s, which has to be run or completed', (text) => expect(objectAsJson(text)).toBeUndefined())
})

describe('programs', () => {
  it.each([
    'import x from "y"',
    'const a = b()',
    'module.exports = f()',
    'new SlashCommandBuilder()',
    'x.setName("a")',
  ])('finds %s', (text) => expect(isProgram(text)).toBe(true))

  it.each(['{ "name": "const" }', '[', 'hello'])('does not take %s for one', (text) =>
    expect(isProgram(text)).toBe(false),
  )
})

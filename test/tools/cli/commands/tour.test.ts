import { beforeAll, expect, it, vi } from 'vitest'

let text = ''

/** The lines of a step, without its heading. */
const step = (number: number) =>
  text
    .split(/^\d  .*\n─+\n/m)
    [number]!.trimEnd()
    .split('\n')

beforeAll(async () => {
  vi.stubEnv('NO_COLOR', '1')
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await import('../../../../docs/examples/tour.ts')
    text = write.mock.calls.map(([chunk]) => String(chunk)).join('')
  } finally {
    write.mockRestore()
    vi.unstubAllEnvs()
  }
})

it('the tour has nine steps, each after one blank line', () => {
  expect(text.match(/(?:^|[^\n]\n)\n\d  .+\n─+\n(?=.)/g)).toHaveLength(9)
  expect(text).not.toContain('\n\n\n')
})

it('the tour fits 100 columns and 200 lines, without trailing spaces', () => {
  const lines = text.split('\n')
  expect(lines.filter((line) => line.length > 100 || line !== line.trimEnd())).toEqual([])
  expect(lines.length).toBeLessThan(200)
})

it('the tour shows the content of the registry after every step that can change it', () => {
  for (const number of [2, 3, 4, 5, 6, 7, 9]) {
    const lines = step(number)
    const title = lines.findIndex((line) => line.startsWith('The registry now has 18 commands'))
    expect([number, lines[title - 1]]).toEqual([number, ''])
    const shown = lines.slice(title).join('\n')
    for (const name of ['/ban', '/config', 'Warn Member', 'Launch']) expect(shown).toContain(name)
  }
})

it('the tour describes the changes', () => {
  expect(step(3)).toEqual(
    expect.arrayContaining([
      '/ban gets another description:',
      expect.stringMatching(/^ {2}~ \/ban +\d+ +member/),
    ]),
  )
  expect(step(4)).toContain('    permissions of /history: deny @everyone, allow @staff, allow All Channels')
  expect(step(5)).toContain('/history is now /record, with the same id, and without its permissions.')
  expect(step(5).join('\n')).not.toContain('permissions of')
  expect(step(6)).toContain('    in the guild: /quiz')
  expect(step(7)).toContain('  - /record, /slowmode')
})

it('the tour refers to every command by its name', () => {
  expect(text).toContain('command "Menu 14": is user command number 16')
  expect(text).not.toMatch(/command \d+:/)
})

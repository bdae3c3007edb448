import { describe, expect, it } from 'vitest'
import { blocksOf, marksOf } from '../../../../../src/tools/page/browser/parts/markdown-blocks.ts'

const bold = (...content: readonly unknown[]) => ({ kind: 'bold', content })
const italic = (...content: readonly unknown[]) => ({ kind: 'italic', content })
const address = (url: string) => ({ kind: 'link', content: [url], url })

describe('marks', () => {
  it.each([
    ['a **b _c_ d** e', ['a ', bold('b ', italic('c'), ' d'), ' e']],
    [
      '***a*** __b__ ~~c~~ ||d||',
      [
        { kind: 'bold-italic', content: ['a'] },
        ' ',
        { kind: 'underline', content: ['b'] },
        ' ',
        { kind: 'strike', content: ['c'] },
        ' ',
        { kind: 'spoiler', content: ['d'] },
      ],
    ],
    ['`a **b**` ``c`d``', [{ kind: 'code', text: 'a **b**' }, ' ', { kind: 'code', text: 'c`d' }]],
    ['a_b_c snake_case_name', ['a_b_c snake_case_name']],
    ['2 * 3 * 4 and \\*c\\*', ['2 * 3 * 4 and *c*']],
    ['**a *b***', [bold('a ', italic('b'))]],
    ['*a **b** c* *d **e***', [italic('a ', bold('b'), ' c'), ' ', italic('d ', bold('e'))]],
    ['** a ** and *b\\*c*', [bold(' a '), ' and ', italic('b*c')]],
    // As the escaping of libraries writes a name.
    ['snake\\_case\\_name ¯\\_(ツ)_/¯', ['snake_case_name ¯\\_(ツ)_/¯']],
    [
      'see https://x.example/a_(b), "https://y.example". (https://z.example/)',
      [
        'see ',
        address('https://x.example/a_(b)'),
        ', "',
        address('https://y.example'),
        '". (',
        address('https://z.example/'),
        ')',
      ],
    ],
    // An address as the text of a link could be another one.
    [
      '[https://a.example](<https://b.example>)',
      ['[', address('https://a.example'), '](', address('https://b.example'), ')'],
    ],
    [
      '[a *b*](https://x.example/y "t") <https://z.example>',
      [
        { kind: 'link', content: ['a ', italic('b')], url: 'https://x.example/y' },
        ' ',
        { kind: 'link', content: ['https://z.example'], url: 'https://z.example' },
      ],
    ],
    [
      '<@1> <@&2> <#3> </ping:4> <t:5:R> <:ok:6> @here',
      [
        { kind: 'user', id: '1' },
        ' ',
        { kind: 'role', id: '2' },
        ' ',
        { kind: 'channel', id: '3' },
        ' ',
        { kind: 'mention', text: '/ping' },
        ' ',
        { kind: 'time', seconds: 5, style: 'R' },
        ' ',
        ':ok:',
        ' ',
        { kind: 'mention', text: '@here' },
      ],
    ],
  ])('reads %s', (text, marks) => expect(joined(marksOf(text))).toEqual(joined(marks as never)))

  /** Texts beside each other are one. */
  const joined = (marks: readonly any[]): readonly unknown[] =>
    marks
      .map((mark) => (mark.content ? { ...mark, content: joined(mark.content) } : mark))
      .reduce<unknown[]>((all, mark) => {
        const last = all.at(-1)
        if (typeof mark === 'string' && typeof last === 'string') all[all.length - 1] = last + mark
        else all.push(mark)
        return all
      }, [])

  it('nest eight deep, and keep the text within', () => {
    const depth = (marks: readonly any[]): number =>
      Math.max(0, ...marks.map((mark) => (mark.content ? 1 + depth(mark.content) : 0)))
    const deep = marksOf(`${'__'.repeat(500)}x${'__'.repeat(500)}`)
    expect(depth(deep)).toBe(9)
    expect(JSON.stringify(deep)).toContain('x')
  })
})

describe('blocks', () => {
  it('has no quotes within quotes, as on Discord', () => {
    const quote = (text: string) => ({ kind: 'quote', blocks: [{ kind: 'text', content: [text] }] })
    expect(blocksOf('> > a')).toEqual([quote('> a')])
    expect(blocksOf('>>> a\n>>> b')).toEqual([quote('a\n>>> b')])
  })

  it('has code within quotes, and no quotes within code', () => {
    const code = { kind: 'code', text: '> a' }
    expect(blocksOf('> ```\n> > a\n> ```\n```\n> a\n```')).toEqual([{ kind: 'quote', blocks: [code] }, code])
  })

  it('counts the items of a list from its first number, and those of the lists within', () => {
    const [list] = blocksOf('3. a\n3. b\n   - c\n     - d\n   - e\n1. f') as any
    const items = list.items.map(({ depth, number, content }: any) => [depth, number, ...content])
    expect(items).toEqual([
      ...[
        [0, 3, 'a'],
        [0, 4, 'b'],
        [1, undefined, 'c'],
        [2, undefined, 'd'],
        [1, undefined, 'e'],
      ],
      [0, 5, 'f'],
    ])
  })
})

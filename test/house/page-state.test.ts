/** Every piece of state of the page is the address, a draft, an answer, or how one looks at it. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../src/tools/page/browser/', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** What a module keeps, by its name: a variable, or a collection or an object that it changes. */
const KEPT = /^(?:export )?(?:let (\w+)|const (\w+)(?:: [^=]+)? = (?:new (?:Map|Set)\b|\{(?! readonly)))/gm

/** How one looks, what is on its way, and what the page itself needs. No text of a person is among it. */
const LOOKS: Readonly<Record<string, string>> = {
  'served.ts stream': 'the stream of notifications',
  'shell.ts railAt': 'how one looks',
  'shell.ts openMenus': 'how one looks',
  'parts/rail.ts looks': 'a search',
  'parts/rail.ts seen': 'what was seen',
  'parts/palette.ts state': 'the open palette, which a choice or Escape ends',
  'parts/clock-view.ts state': 'the open menu of the clock',
  'parts/test-list.ts state': 'the open test',
  'parts/frame.ts inspector': 'how one looks',
  'parts/place.ts place': 'the address',
  'parts/place.ts about': 'an answer',
  'parts/ask.ts access': 'the token, which is never kept',
  'parts/ask.ts changeCount': 'when answers are asked for again',
  'parts/dom.ts parts': 'what is drawn',
  'parts/dom.ts messages': 'notices',
  'parts/dom.ts render': 'what is drawn',
  'parts/dom.ts isScheduled': 'what is drawn',
  'parts/dom.ts focusId': 'what is drawn',
  'views/access-view.ts state': 'how one looks',
  'views/translations-view.ts state': 'how one looks',
  'views/plan-view.ts state': 'how one looks, and the snapshot to compare with',
  'views/requests-view.ts state': 'how one looks',
  'views/editor-view.ts settled': 'how one looks',
  'views/editor-view.ts caret': 'how one looks',
  'views/member/inspector.ts state': 'how one looks',
  'views/member/member-view.ts end': 'how one looks',
  'views/member/feeds.ts feeds': 'answers',
  'views/member/feed-view.ts opening': 'where the page goes once a thread is there',
  'views/member/menu.ts open': 'the open list',
  'views/member/modal.ts open': 'the open form',
  'views/member/modal.ts reopened': 'what was looked at after a reload',
  'views/member/mention-list.ts state': 'the open list',
  'views/member/mention-list.ts listed': 'what is drawn',
  'views/member/composer.ts taking': 'what is on its way',
  'views/member/draft.ts sent': 'a number for what is on its way',
  'views/member/draft.ts last': 'the last search',
}

it('the state of the page is the address, a draft, an answer, or how one looks at it', () => {
  const kept = files.flatMap((file) => {
    const text = readFileSync(new URL(file, root), 'utf8')
    const changes = (name: string) =>
      new RegExp(
        `\\b${name}(?:\\.\\w+)* = |Object\\.assign\\(${name},|\\b${name}\\.(?:set|add|delete)\\(|\\+\\+${name}\\b|\\b${name}\\+\\+`,
      )
    return Array.from(
      text.matchAll(KEPT),
      ([whole, variable, constant]) => [whole, variable ?? constant!] as const,
    )
      .filter(([whole, name]) => whole.includes('let ') || changes(name).test(text.replace(whole, '')))
      .map(([, name]) => `${file} ${name}`)
  })
  expect(kept.filter((one) => !Object.hasOwn(LOOKS, one))).toEqual([])
  expect(Object.keys(LOOKS).filter((one) => !kept.includes(one))).toEqual([])
})

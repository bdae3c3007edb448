/** The texts of drafts in the browser: so many, and so long in all; the oldest go first. */
import { parsedJson } from '../../../../core/json.ts'
import { recall } from './parts.ts'

const MOST = 200
/** Characters. Browsers keep about five million for a page. */
const LONGEST = 2_000_000
const INDEX = 'commandry kept'

/** A name, and the characters of its text; 0 for one that was removed, and not forgotten. */
type Entry = readonly [name: string, length: number]

/** The texts that are kept, the one that was written last at the end. Another tab may have changed them. */
function entries(): Entry[] {
  const value = parsedJson(recall(INDEX) ?? '[]')
  return Array.isArray(value) ? value.filter((one) => Array.isArray(one) && one.length === 2) : []
}

const lengthOf = (list: readonly Entry[]): number => list.reduce((sum, [, length]) => sum + length, 0)

/** Keeps a text under a name, or removes it. One that finds no room lasts as long as the tab. */
export function keepText(name: string, text: string | null): void {
  try {
    const isLong = text !== null && text.length > LONGEST
    if ((text === null || isLong) && localStorage.getItem(name) === null) return
    const list = entries().filter(([one]) => one !== name)
    if (isLong) {
      localStorage.removeItem(name)
      return store(list)
    }
    list.push([name, text?.length ?? 0])
    while (list.length > MOST || lengthOf(list) > LONGEST) forget(list)
    write(name, text, list)
  } catch {
    // The store is forbidden, or has no room beside what others keep in it.
  }
}

/** Whether a tab has removed a text. */
export const isDropped = (name: string): boolean =>
  entries().some(([one, length]) => one === name && length === 0) && recall(name) === null

/** Writes a text, and forgets the oldest ones until there is room. @throws when there is no room even then */
function write(name: string, text: string | null, list: Entry[]): void {
  for (;;) {
    try {
      if (text === null) localStorage.removeItem(name)
      else localStorage.setItem(name, text)
      return store(list)
    } catch (error) {
      localStorage.removeItem(name)
      if (list.length <= 1) throw error
      forget(list)
    }
  }
}

/** Forgets the oldest text. What was removed goes first. */
function forget(list: Entry[]): void {
  const removed = list.findIndex(([name, length]) => length === 0 && recall(name) === null)
  const [[oldest]] = list.splice(Math.max(0, removed), 1) as [Entry]
  localStorage.removeItem(oldest)
}

const store = (list: readonly Entry[]): void => localStorage.setItem(INDEX, JSON.stringify(list))

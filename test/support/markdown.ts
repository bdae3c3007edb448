import { readFileSync } from 'node:fs'

export const root = new URL('../../', import.meta.url)

export function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

export interface Fence {
  readonly language: string
  readonly code: string
}

/** The fenced blocks of a page, in order. */
export function fences(markdown: string): Fence[] {
  return Array.from(markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm), ([, language, code]) => ({
    language: language!,
    code: code!,
  }))
}

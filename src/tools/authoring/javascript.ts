/** Definitions that are written as JavaScript where JSON is expected. */
import { parsedJson } from '../../core/json.ts'

// A comment, a text in any quotes, a word, or a comma. An unclosed comment or text goes on to the end, so that it is
// read once.
const TOKEN =
  /(?<comment>\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))|(?<text>"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)|`(?:[^`\\$]|\\[^])*(?:`|$|(?=\$)))|(?<word>[\p{ID_Start}$_][\p{ID_Continue}$]*)|(?<comma>,)/gu

const CONSTANTS: readonly string[] = ['true', 'false', 'null']

/** What stands before and after a list in a module. */
const BEGINNING = /^\s*(?:export\s+default|module\.exports\s*=|(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*=)/

interface Token {
  /** What stands before it: brackets, colons, numbers and space. */
  readonly before: string
  readonly text: string
  readonly kind: 'text' | 'word' | 'comma'
}

/** All but the comments. */
function tokensOf(body: string): { readonly tokens: readonly Token[]; readonly rest: string } {
  const tokens: Token[] = []
  let before = ''
  let end = 0
  for (const { 0: text, index, groups } of body.matchAll(TOKEN)) {
    before += body.slice(end, index)
    end = index + text.length
    const [kind] = Object.entries(groups!).find(([, found]) => found !== undefined)!
    if (kind === 'comment') continue
    tokens.push({ before, text, kind: kind as Token['kind'] })
    before = ''
  }
  return { tokens, rest: before + body.slice(end) }
}

/** The JSON of an object or a list that is written as in JavaScript; undefined for what has to be run. */
export function objectAsJson(text: string): string | undefined {
  const body = text.replace(BEGINNING, '').trim().replace(/;$/, '')
  const { tokens, rest } = tokensOf(body)
  let json = ''
  for (const [index, token] of tokens.entries()) {
    const after = (tokens[index + 1]?.before ?? rest).trimStart()
    // A word that is not a key is a variable, whose value only running it gives.
    if (token.kind === 'word' && !CONSTANTS.includes(token.text) && !after.startsWith(':')) return undefined
    json += token.before
    const isLastComma = token.kind === 'comma' && /^[\]}]/.test(after) && !/[[{,:]$/.test(json.trimEnd())
    if (!isLastComma) json += writtenAsJson(token)
  }
  json += rest
  return parsedJson(json) === undefined ? undefined : json
}

function writtenAsJson({ kind, text }: Token): string {
  if (kind === 'text') return textAsJson(text)
  return kind === 'comma' || CONSTANTS.includes(text) ? text : `"${text}"`
}

function textAsJson(token: string): string {
  if (token.startsWith('"')) return token
  const inner = token.slice(1, -1).replace(/\\([^])|"|\n/g, (all, escaped: string | undefined) => {
    if (all === '\n') return '\\n'
    if (escaped === undefined) return '\\"'
    return /["\\/bfnrtu]/.test(escaped) ? all : escaped
  })
  return `"${inner}"`
}

/** Whether a text is JavaScript that has to be run: a module, or calls of a builder. */
export function isProgram(text: string): boolean {
  return /^[ \t]*(?:import|export|const|let|var|module\.exports)\b|=>|\bnew [A-Z]\w*\(|\.(?:set|add)[A-Z]\w*\(|\brequire\(/m.test(
    text,
  )
}

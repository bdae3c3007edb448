import { expect, it } from 'vitest'
import { localeNames, locales, PermissionFlag } from 'commandry'
import { rules } from 'commandry/reference'
import { fileGroups } from '../../src/model/file-types.ts'
import { read } from '../support/markdown.ts'
import { changeLog } from './change-log.ts'
import {
  componentsDocument,
  fileGroupsDocument,
  localesDocument,
  messagesDocument,
  permissionsDocument,
  type Document,
} from './documents.ts'

const documents: readonly Document[] = [
  fileGroupsDocument,
  permissionsDocument,
  localesDocument,
  componentsDocument,
  messagesDocument,
  { ...changeLog, file: 'src/model/platform.ts' },
]

it.each(documents)(
  '[1-07] $file names the page and the commit of its table',
  ({ page, commit, seen, file }) => {
    const source = read(file)
    expect(source).toContain(page)
    expect(source.replace(/\s+\*?\s*/g, ' ')).toContain(`discord-api-docs at ${commit.slice(0, 8)}`)
    expect(new Date(seen).toISOString().slice(0, 10)).toBe(seen)
  },
)

it('[2.4-14] groups of files are those of the reference', () => {
  const groups = Object.entries(fileGroups).map(([group, extensions]) => [group, extensions.join(' ')])
  expect(Object.fromEntries(groups)).toEqual(fileGroupsDocument.table)
})

it('[2.1-12] permissions are those of the documentation, each with its bit', () => {
  const bits = Object.entries(permissionsDocument.table).map(([name, bit]) => [name, 1n << BigInt(bit)])
  expect(Object.fromEntries(bits)).toEqual(PermissionFlag)
})

it('[2.10-10] locales are those of the reference, in its order, and two of the OpenAPI document', () => {
  expect(Object.entries(localesDocument.table)).toHaveLength(32)
  expect([...Object.keys(localesDocument.table), 'ar', 'he']).toEqual(locales)
  expect(localeNames).toMatchObject(localesDocument.table)
})

it('[2.11-12] limits of components are those of the reference', () => {
  const limits = new Map(rules.map(({ code, limit }) => [code as string, limit]))
  for (const [code, limit] of Object.entries(componentsDocument.table))
    expect([code, limits.get(code)]).toEqual([code, limit])
})

it('[2.11-12] limits of messages, embeds and polls are those of their pages', () => {
  const limits = new Map(rules.map(({ code, limit }) => [code as string, limit?.max]))
  for (const [code, { max }] of Object.entries(messagesDocument.table))
    expect([code, limits.get(code)]).toEqual([code, max])
})

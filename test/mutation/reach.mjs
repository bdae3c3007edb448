/**
 * Which test reaches which mutant: recorded once in `node_modules/.cache/mutants`, and again for a test file that changed.
 * A mutant of a source file that changed since counts as reached by each test that reached the file.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { hashOf } from './mutants.mjs'

const FOLDER = join('node_modules', '.cache', 'mutants')
/** Test files recorded at once: what is recorded survives an interruption. */
const PORTION = 40

const decode = (text) => {
  const bytes = Buffer.from(text, 'base64')
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}

/** Records what is missing. `run` runs test files with every mutant loaded and none switched on. */
export async function recordReach({ sources, mutants }, testFiles, run, again) {
  if (again) rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(join(FOLDER, 'raw'), { recursive: true })
  const recorded = new Map(readRecords().map(({ file, hash }) => [file, hash]))
  const missing = testFiles.filter((file) => recorded.get(relative('.', file)) !== fileHash(file))
  if (missing.length > 0) console.log(`recording which mutants ${missing.length} test files reach ...`)
  writeFileSync(join(FOLDER, 'raw', 'size'), String(mutants.length))
  for (let at = 0; at < missing.length; at += PORTION) {
    await run(missing.slice(at, at + PORTION), join(FOLDER, 'raw'))
    compact(sources)
  }
  return readRecords().filter(({ file }) => existsSync(file))
}

const fileHash = (file) => hashOf(readFileSync(file, 'utf8'))

/** Turns ids into positions by source file, so that a record outlives edits of other files. */
function compact(sources) {
  const raw = join(FOLDER, 'raw')
  for (const name of readdirSync(raw).filter((name) => name.endsWith('.json'))) {
    const { file: path, outside, tests, ms, loaded } = JSON.parse(readFileSync(join(raw, name), 'utf8'))
    const file = relative('.', path)
    const record = {
      file,
      hash: fileHash(path),
      ms,
      hashes: Object.fromEntries(sources.map(({ file, hash }) => [file, hash])),
      outside: byFile(decode(outside), sources),
      loaded: byFile(decode(loaded), sources),
      tests: tests.map((test) => ({ ...test, reached: byFile(decode(test.reached), sources) })),
    }
    writeFileSync(join(FOLDER, name), JSON.stringify(record))
    rmSync(join(raw, name))
  }
}

function byFile(ids, sources) {
  const found = {}
  let at = 0
  for (const id of ids.toSorted?.() ?? [...ids].sort((one, other) => one - other)) {
    while (id >= sources[at].base + sources[at].count) at++
    ;(found[sources[at].file] ??= []).push(id - sources[at].base)
  }
  return found
}

function readRecords() {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
}

/**
 * For a mutant `isLoaded` (it runs while a module loads, which may matter to every test that has the module) and `choices`,
 * the test files that reach it, cheapest first: `{ file, tests, inside, ms }`, where `inside` are the tests
 * that reach it by themselves, and not only in what runs before them.
 */
export function createSelection(records, { sources }) {
  const importers = importersOf(sources)
  const imports = importGraph()
  const loaded = new Set(records.flatMap((record) => keysOf(record.loaded)))
  const bySource = new Map(sources.map((source) => [source.file, source]))
  return (mutant) => {
    const { file, base, hash } = bySource.get(mutant.file)
    const position = mutant.id - base
    const isLoaded = mutant.static || loaded.has(`${file}:${position}`)
    const near = isLoaded ? [file, ...(importers.get(file) ?? [])] : [file]
    const choices = []
    for (const record of records) {
      const reaches = (reached) =>
        isLoaded || record.hashes[file] !== hash
          ? near.some((name) => reached[name] !== undefined)
          : reached[file]?.includes(position)
      const passing = record.tests.filter(({ passed }) => passed)
      const isOutside = isLoaded ? imports(record.file, file) : reaches(record.outside)
      const inside = passing.filter((test) => reaches(test.reached))
      const tests = isOutside ? passing : inside
      const ms = timeOf(tests) + record.ms
      if (tests.length > 0) choices.push({ file: record.file, tests, inside, isOutside, ms })
    }
    const isNear = ({ file: test }) => dirname(test).endsWith(dirname(file).slice('src'.length))
    const order = (choice) => choice.ms * (isNear(choice) ? 0.2 : 1) * (choice.isOutside ? 0.5 : 1)
    return { isLoaded, choices: choices.sort((one, other) => order(one) - order(other)) }
  }
}

const timeOf = (tests) => tests.reduce((sum, { ms }) => sum + ms, 0)
const keysOf = (reached) =>
  Object.entries(reached).flatMap(([file, positions]) => positions.map((position) => `${file}:${position}`))

/** The files that import a file, directly. */
function importersOf(sources) {
  const importers = new Map()
  for (const { file } of sources)
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      const target = join(dirname(file), fileName).replace(/\.js$/, '.ts')
      importers.set(target, [...(importers.get(target) ?? []), file])
    }
  return importers
}

/** Whether a file imports another one, directly or not. Files that were loaded before do not show that they were needed. */
function importGraph() {
  const direct = new Map()
  const importsOf = (file) => {
    if (!direct.has(file))
      direct.set(
        file,
        ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.flatMap(({ fileName }) => {
          const entry = /^commandry(?:\/(.*))?$/.exec(fileName)
          if (entry === null && !fileName.startsWith('.')) return []
          const path = entry === null ? join(dirname(file), fileName) : `src/${entry[1] ?? 'index'}.ts`
          return existsSync(path) ? [path] : []
        }),
      )
    return direct.get(file)
  }
  const all = new Map()
  return (file, wanted) => {
    if (!all.has(file)) {
      const found = new Set([file])
      for (const one of found) for (const next of importsOf(one)) found.add(next)
      all.set(file, found)
    }
    return all.get(file).has(wanted)
  }
}

/** The recorded tests of `commandry serve`: files that are run before they are handed over, and after each save. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Emitter } from '../../../core/emitter.ts'
import { printable } from '../../../core/text.ts'
import type { NoteOnTest } from '../../../testing/recording/recorded-test.ts'
import { noteOn, type RecordedTest, type TestFailure, type TestsOfPage } from '../../page/questions/query.ts'
import type { Io } from '../base/io.ts'
import { writeNew, writeWhole } from '../base/whole-file.ts'
import { lastLines } from '../../../testing/testbed/programs/program-output.ts'
import { noFailure, runTests } from './run-tests.ts'
import { watchSources } from './watch-sources.ts'

const FOLDER = 'scenes'
const FILE = /^scenes[\\/]([^\\/]+)\.test\.mjs$/
const LONGEST_NAME = 60
/** Lines of the output that are shown. */
const LINES = 30

/** Whether a file, relative to the folder of the service, is a recorded test. A save of it starts no bot. */
export const isRecordedTest = (file: string): boolean => FILE.test(file)

export class RecordedTests implements TestsOfPage {
  readonly #io: Io
  readonly #mask: (text: string) => string
  readonly #changes = new Emitter<void>((error) => console.error(error))
  /** By file. */
  readonly #tests = new Map<string, RecordedTest>()
  readonly #unwatch: (() => void) | undefined
  #stop: (() => Promise<void>) | undefined
  /** The end of the run that was asked for last. */
  #last: Promise<unknown> = Promise.resolve()
  /** What this service last wrote into each file; its notification does not count as a save. */
  readonly #written = new Map<string, string>()
  /** The code that was checked last, until a save. */
  #checked: { readonly code: string; readonly failure: TestFailure | null } | undefined
  #isClosed = false

  /** @param command the line that starts the bot, whose sources are watched. @param mask hides secrets */
  constructor(io: Io, command: string | undefined, mask: (text: string) => string) {
    this.#io = io
    this.#mask = mask
    if (command !== undefined) this.#unwatch = watchSources(io.cwd, command, (file) => this.#saved(file))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unwatch?.()
    await this.#stop?.()
  }

  get state() {
    return [...this.#tests.values()]
  }

  subscribe(listener: () => void): () => void {
    return this.#changes.add(listener)
  }

  async add(name: string, write: (title: string, note?: NoteOnTest) => string): Promise<void> {
    const words = name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)
    if (words === null) throw new TypeError('name: expected letters or digits')
    const title = printable(name.trim(), LONGEST_NAME)
    const file = `${FOLDER}/${words.join('-').slice(0, LONGEST_NAME)}.test.mjs`
    const path = join(this.#io.cwd, file)
    const code = write(title)
    mkdirSync(join(path, '..'), { recursive: true })
    this.#written.set(file, code)
    await writeNew(path, code).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      throw new TypeError(`${file} exists already; choose another name`)
    })
    await this.run(file)
    const failure = this.#tests.get(file)?.failure
    if (!failure || (await readFile(path, 'utf8')) !== code) return
    const noted = write(title, noteOn(failure, code))
    this.#written.set(file, noted)
    await writeWhole(path, noted)
  }

  check(code: string): Promise<TestFailure | null> {
    return this.#inTurn(async () => {
      if (this.#checked?.code === code) return this.#checked.failure
      const folder = await mkdtemp(join(tmpdir(), 'commandry-'))
      const file = join(folder, 'recorded.test.mjs')
      let failure: TestFailure | null = { ...noFailure, text: 'a save has stopped it; copy it again' }
      try {
        await writeFile(file, code)
        await this.#runFiles([file], (_, ended) => (failure = ended))
        return (this.#checked = { code, failure }).failure
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  /** Runs one test again, or all of them, and those that wait for their end. */
  run(only?: string): Promise<void> {
    this.#checked = undefined
    const files = this.#files()
    for (const file of this.#tests.keys()) if (!files.includes(file)) this.#tests.delete(file)
    for (const file of files)
      if (only === undefined || only === file || !this.#tests.has(file))
        this.#tests.set(file, { file, name: FILE.exec(file)![1]!, phase: 'waiting', failure: null })
    this.#changes.publish([undefined])
    void this.#stop?.()
    return this.#inTurn(() => {
      const waiting = this.state.flatMap(({ file, phase }) => (phase === 'waiting' ? file : []))
      return this.#runFiles(waiting, (file, failure, title) => {
        const test = this.#tests.get(file)
        // One failure of a file is enough.
        if (test === undefined || test.phase === 'fails') return
        const phase = failure === null ? 'passes' : 'fails'
        this.#tests.set(file, { file, name: title || test.name, phase, failure })
        this.#changes.publish([undefined])
      })
    })
  }

  #saved(saved: string): void {
    const file = saved.replace('\\', '/')
    const path = join(this.#io.cwd, file)
    if (!isRecordedTest(file)) void this.run()
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== this.#written.get(file)) void this.run(file)
  }

  #files(): readonly string[] {
    try {
      return readdirSync(join(this.#io.cwd, FOLDER))
        .sort()
        .map((name) => `${FOLDER}/${name}`)
        .filter(isRecordedTest)
    } catch {
      return []
    }
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run)
    this.#last = turn.catch(() => {})
    return turn
  }

  async #runFiles(
    files: readonly string[],
    take: (file: string, failure: TestFailure | null, title: string) => void,
  ): Promise<void> {
    if (files.length === 0 || this.#isClosed) return
    const shown = (text: string) => this.#mask(text).replaceAll(`${this.#io.cwd}/`, '')
    const { ended, stop } = runTests(this.#io, files, ({ file, failure, title }) => {
      if (failure === null) return take(file, null, title)
      const { line, step, text, actual, expected, output } = failure
      const texts = { actual: actual && shown(actual), expected: expected && shown(expected) }
      const masked = { text: printable(shown(text), 300), ...texts, output: lastLines(shown(output), LINES) }
      take(file, { line, step, ...masked }, title)
    })
    this.#stop = stop
    await ended
    this.#stop = undefined
  }
}

/**
 * The scenes of `commandry serve`: recordings with a name, as tests in a folder. They are played one at a time, each on a
 * service and with a bot of its own, after each save.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Emitter } from '../../../core/emitter.ts'
import { printable } from '../../../core/text.ts'
import type { Scene, ScenesOfPage } from '../../page/questions/query.ts'
import type { Io } from '../base/io.ts'
import { writeNew } from '../base/whole-file.ts'
import { lastLines } from './bot-output.ts'
import { playScene } from './play-scene.ts'
import { outcomeOf, untold } from './scene-words.ts'
import { watchSources } from './watch-sources.ts'

const FOLDER = 'scenes'
const FILE = /\.test\.mjs$/
/** The first line of a scene: other tests of the folder are not played. */
const HEAD = /^\/\/ Scene: (.+)\r?$/m
/** Further files of the folder are left out. */
const MOST = 30
const LONGEST_NAME = 60

/** Whether a file, relative to the folder of the service, is a scene. A save of it starts no bot. */
export const isSceneFile = (file: string): boolean => /^scenes[\\/][^\\/]+$/.test(file) && FILE.test(file)

interface ScenesOptions {
  readonly io: Io
  /** The line of the shell that starts the bot. */
  readonly command: string
  /** Whether a save plays them. */
  readonly isWatching: boolean
  /** Hides secrets. */
  readonly mask: (text: string) => string
}

export class Scenes implements ScenesOfPage {
  readonly #options: ScenesOptions
  readonly #changes = new Emitter<void>((error) => console.error(error))
  /** By file. */
  readonly #scenes = new Map<string, Scene>()
  readonly #codes = new Map<string, string>()
  #leftOut = 0
  #playing: { readonly file: string; readonly stop: () => Promise<void> } | undefined
  #isRunning = false
  #isClosed = false
  #unwatch = () => {}

  constructor(options: ScenesOptions) {
    this.#options = options
  }

  /** Reads the folder, and plays what is in it at each save. */
  start(): void {
    const { io, command, isWatching } = this.#options
    this.#read()
    if (isWatching) this.#unwatch = watchSources(io.cwd, command, (file) => this.#saved(file))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unwatch()
    await this.#playing?.stop()
  }

  get state() {
    return { scenes: [...this.#scenes.values()], leftOut: this.#leftOut }
  }

  subscribe(listener: () => void): () => void {
    return this.#changes.add(listener)
  }

  async add(name: string, write: (title: string) => string): Promise<void> {
    const { cwd } = this.#options.io
    const title = cleanName(name)
    const words = title.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)
    if (words === null) throw new TypeError('name: expected letters or digits')
    this.#read()
    if (this.#scenes.size >= MOST)
      throw new TypeError(
        `${FOLDER}/ has ${MOST} scenes, which is the most that are played; delete one first`,
      )
    const file = `${FOLDER}/${words.join('-')}.test.mjs`
    mkdirSync(join(cwd, FOLDER), { recursive: true })
    const writing = writeNew(join(cwd, file), `// Scene: ${title}\n${write(title)}`)
    await writing.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      throw new TypeError(`${file} is there already; choose another name`)
    })
    this.play(file)
  }

  /** Plays one scene again, or all of them. Those that play at that time begin anew. */
  play(file?: string): void {
    this.#read()
    for (const scene of this.#scenes.values())
      if (file === undefined || scene.file === file) this.#change({ ...scene, ...untold, phase: 'waiting' })
    if (this.#playing !== undefined && this.#scenes.get(this.#playing.file)?.phase === 'waiting')
      void this.#playing.stop()
    void this.#run()
  }

  // --- Files --------------------------------------------------------------------------------------------------

  #saved(file: string): void {
    if (!isSceneFile(file)) return this.play()
    const before = new Map(this.#codes)
    this.#read()
    const changed = [...this.#codes.keys()].filter((name) => before.get(name) !== this.#codes.get(name))
    for (const name of changed) this.play(name)
  }

  /** Reads which scenes there are. */
  #read(): void {
    const { cwd } = this.#options.io
    const found = filesIn(join(cwd, FOLDER)).flatMap((name) => {
      const file = `${FOLDER}/${name}`
      const code = textOf(join(cwd, file))
      const [, title] = HEAD.exec(code.split('\n', 1)[0]!) ?? []
      return title === undefined ? [] : [{ file, code, name: cleanName(title) }]
    })
    const kept = found.slice(0, MOST)
    this.#leftOut = found.length - kept.length
    const before = new Map(this.#scenes)
    this.#scenes.clear()
    this.#codes.clear()
    for (const { file, code, name } of kept) {
      const scene: Scene = before.get(file) ?? { file, name, phase: 'waiting', ...untold }
      this.#scenes.set(file, { ...scene, name })
      this.#codes.set(file, code)
    }
    this.#changes.publish([undefined])
  }

  // --- Playing ------------------------------------------------------------------------------------------------

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (;;) {
      const next = [...this.#scenes.values()].find(({ phase }) => phase === 'waiting')
      if (next === undefined || this.#isClosed) break
      await this.#playOne(next)
    }
    this.#isRunning = false
  }

  async #playOne(scene: Scene): Promise<void> {
    const { io, mask } = this.#options
    const { file } = scene
    const code = this.#codes.get(file) ?? ''
    this.#change({ ...scene, ...untold, phase: 'playing' })
    const { played, stop } = playScene(io, file)
    this.#playing = { file, stop }
    const ended = await played
    this.#playing = undefined
    const now = this.#scenes.get(file)
    // It was deleted meanwhile, or begins anew.
    if (now === undefined || now.phase !== 'playing' || ended.isStopped) return
    const shown = <Text extends string | null>(text: Text) =>
      text === null ? text : (mask(text).replaceAll(`${io.cwd}/`, '') as Text)
    const { phase, line, ...texts } = outcomeOf(ended, file, code)
    this.#change({
      ...{ ...now, phase, line, step: shown(texts.step) },
      ...{
        expected: shown(texts.expected),
        seen: shown(texts.seen),
        output: lastLines(shown(texts.output), LINES),
      },
      difference: printable(shown(texts.difference), 300),
    })
  }

  #change(scene: Scene): void {
    this.#scenes.set(scene.file, scene)
    this.#changes.publish([undefined])
  }
}

/** Lines of the output that are shown. */
const LINES = 30

/** A name in one line, also for JavaScript. */
const cleanName = (name: string): string =>
  name
    .replace(/[\p{C}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => FILE.test(name))
      .sort()
  } catch {
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

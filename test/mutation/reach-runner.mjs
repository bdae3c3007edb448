/**
 * Runs in the worker. With `MUTANT` one mutant is switched on. With `MUTANTS_REACHED`, a folder, every test notes which
 * mutants it reaches.
 */
import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VitestTestRunner } from 'vitest/runners'

const { MUTANT, MUTANTS_REACHED: folder } = process.env
const active = Number(MUTANT)
if (MUTANT !== undefined) globalThis.mutant = (id) => id === active

/** One byte a mutant: reached since the last test began, and while a module loaded. */
let reached
let loaded
let loading = 0
if (folder !== undefined) {
  const size = Number(readFileSync(join(folder, 'size'), 'utf8'))
  reached = new Uint8Array(size)
  loaded = new Uint8Array(size)
  globalThis.mutant = (id) => {
    if (loading > 0) loaded[id] = 1
    else reached[id] = 1
    return false
  }
  globalThis.moduleStarts = () => void loading++
  globalThis.moduleEnds = () => void loading--
}

function takeReached() {
  const ids = []
  for (let id = reached.indexOf(1); id !== -1; id = reached.indexOf(1, id + 1)) ids.push(id)
  return Uint32Array.from(ids)
}

export default class extends VitestTestRunner {
  #running = 0
  #outside = new Set()
  #tests = []

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test)
    if (folder !== undefined && this.#running++ === 0) this.#noteOutside()
  }

  async onAfterRunTask(test) {
    await super.onAfterRunTask(test)
    if (folder === undefined) return
    const passed = test.result?.state === 'pass'
    this.#tests.push({ id: test.id, passed, ms: test.result?.duration ?? 0, reached: encode(takeReached()) })
    if (--this.#running === 0) reached.fill(0)
  }

  async onAfterRunFiles(files) {
    await super.onAfterRunFiles?.(files)
    if (folder === undefined) return
    this.#noteOutside()
    const [{ filepath, id, collectDuration }] = files
    const outside = encode(Uint32Array.from(this.#outside))
    const record = {
      file: filepath,
      outside,
      tests: this.#tests,
      ms: collectDuration,
      loaded: encode(loadedIds()),
    }
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(record))
    this.#outside = new Set()
    this.#tests = []
  }

  #noteOutside() {
    for (const id of takeReached()) this.#outside.add(id)
    reached.fill(0)
  }
}

function loadedIds() {
  const ids = []
  loaded.forEach((value, id) => value === 1 && ids.push(id))
  return Uint32Array.from(ids)
}

const encode = (ids) => Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength).toString('base64')

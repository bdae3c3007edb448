/** Vitest, kept with the transformed modules of one set of mutants. Each run gets a fresh worker. */
import { readFileSync } from 'node:fs'
import { createVitest } from 'vitest/node'

/** Starts Vitest with a runner of this folder. `mutantsToLoad`: see config.mjs. */
export async function startTests(runner, mutantsToLoad, options) {
  globalThis.mutantsRunner = runner
  globalThis.mutantsToLoad = mutantsToLoad
  let failures = []
  const fileOf = (module) => module.moduleId.slice(process.cwd().length + 1)
  const reporter = {
    onTestCaseResult(test) {
      const { state, errors } = test.result()
      if (state !== 'failed') return
      failures.push({ file: fileOf(test.module), name: test.fullName, message: errors[0].message })
    },
    onTestModuleEnd(module) {
      for (const { message } of module.errors()) failures.push({ file: fileOf(module), message })
    },
  }
  const config = { config: 'test/mutation/config.mjs', watch: false, reporters: [reporter], ...options }
  const vitest = await createVitest('test', config)
  const [project] = vitest.projects

  /** Runs `{ file, ids }` in this order with these variables of the environment, and returns the failures. */
  async function run(choices, environment) {
    failures = []
    vitest.state.clearErrors()
    Object.assign(process.env, environment)
    const specs = choices.map(({ file, ids }) =>
      project.createSpecification(`${process.cwd()}/${file}`, { testIds: ids }),
    )
    await vitest
      .runTestSpecifications(specs, false)
      .catch((error) => failures.push({ message: error.message }))
    for (const name of Object.keys(environment)) delete process.env[name]
    const errors = vitest.state.getUnhandledErrors().map((error) => ({ message: String(error?.message) }))
    return [...failures, ...errors]
  }
  return { project, run, close: () => vitest.close() }
}

/** Ends the workers of this process, which may be in an endless loop. */
export function killWorkers() {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
  for (const pid of children)
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('vitest/dist/workers'))
      process.kill(Number(pid), 'SIGKILL')
}

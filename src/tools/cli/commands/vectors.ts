import { resolve } from 'node:path'
import { probes, unobservable } from '../../../reference/probes/all-probes.ts'
import { command, flag, asId, noMoreArguments, option, required, timeout } from '../base/cli-command.ts'
import { usageError } from '../base/errors.ts'
import { print } from '../base/io.ts'
import { writeWhole } from '../base/whole-file.ts'
import { isLoopback } from '../../../service/http/hosts.ts'
import { isAddress, serviceOf } from '../deployed/remote.ts'
import { allCases, caseProbes, valid } from '../probing/cases.ts'
import { probeDiscord } from '../probing/probe-discord.ts'
import { judgedAgain, tableOf } from '../probing/seen-table.ts'
import { scoreService } from '../probing/score.ts'
import { readVerified } from '../probing/verified-file.ts'

export default command({
  help: [
    `Examples
  commandry vectors --out vectors.json
  commandry vectors --against http://127.0.0.1:8787 --application 112233445566778899
  COMMANDRY_TOKEN=… commandry vectors --against discord --application 112233445566778899 --guild 223344556677889900
  commandry vectors --seen verified.json

commandry vectors

Writes the rules as test cases for any language: a valid body, the smallest bodies that break each rule, and the errors
of the service (docs/cli.md#test-another-implementation); and probes, which show whether a decision of this library is
right. With --against it sends them to a service for tests and scores its responses. That replaces the commands of the
application, so use one that is only for tests. With --against discord it asks Discord, after asking you, with the token in the
environment variable COMMANDRY_TOKEN, and leaves the application and the server as they were.`,
    `Exit codes: 0 written, or every case passes; 1 a case fails, the service cannot be reached, not confirmed or interrupted;
2 wrong usage.`,
  ],
  options: {
    out: option(
      'FILE',
      'where to write the cases (the terminal), or what was seen at Discord (verified.json)',
    ),
    against: option('URL|discord', 'score a service, or ask Discord'),
    application: option('ID', 'with --against: the application whose commands are replaced', asId),
    guild: option('ID', 'with --against: a server for the cases about guild commands', asId),
    replace: flag('with --against discord: there may be commands, which are saved and stay'),
    resume: option('FILE', 'with --against discord: go on with the probes that FILE does not have'),
    seen: option('FILE', 'show what an earlier run saw at Discord, by the decisions of this version'),
    yes: flag('with --against discord: do not ask; required without a terminal'),
    timeout: timeout('10'),
  },
  formerly: { run: 'against' },
  async run(io, { out, against: address, guild, resume, seen: file, replace, yes, ...values }, args) {
    noMoreArguments(args)
    const cases = allCases()
    const asked = [...caseProbes(cases, true, true), ...probes]
    if (file !== undefined) {
      const seen = judgedAgain(asked, (await readVerified(io, file)).seen)
      print(io, tableOf(asked, seen))
      return seen.some(({ outcome }) => outcome === 'otherwise') ? 1 : 0
    }
    if (address === undefined) {
      const vectors = {
        format: 'commandry-vectors',
        version: VECTORS_VERSION,
        valid,
        cases,
        probes,
        unobservable,
      }
      const text = `${JSON.stringify(vectors, null, 2)}\n`
      if (out === undefined) io.stdout.write(text)
      else await writeWhole(resolve(io.cwd, out), text)
      return 0
    }
    if (!isAddress(address)) throw usageError('--against takes the URL of a service for tests, or discord')
    const application = required(values.application, '--application is required')
    const isForTests = isLocalAddress(address)
    const server = isForTests
      ? guild
      : required(guild, '--guild is required: a server that is only for tests')
    const service = serviceOf(io, 'against', address, application, values.timeout)
    if (isForTests) return scoreService(io, service, cases, application, server)
    return probeDiscord(io, service, asked, {
      ...{ application, replace, yes },
      guild: server!,
      file: resume ?? out ?? 'verified.json',
      isResumed: resume !== undefined,
    })
  },
})

/** A service for tests. Another machine may pass requests on to Discord. */
const isLocalAddress = (address: string) =>
  address !== 'discord' && URL.canParse(address) && isLoopback(new URL(address).hostname)

/** The version of the format. Adding a field does not change it. */
const VECTORS_VERSION = 1

/** Wrong uses of every command: they exit with 2, print the reason, and never print a secret. */
import { expect, it } from 'vitest'
import { call, failing } from './program.ts'

const plan = 'plan a.json --against'
const deploy = 'deploy a.json --to'

it.each([
  ['check', 'FILE is required'],
  ['check ', 'FILE is empty; "." stands for the current folder'],
  ['check --scope dm x.json', '--scope "dm" is not global or guild'],
  ['check --format xml x.json', '--format "xml" is not pretty, json or github'],
  ['check --wach x.json', "unknown option '--wach'; did you mean --watch?"],
  ['check --watch -', '--watch goes with neither --fix nor "-"'],
  ['check a.json --run x', '--run takes the definitions from the program; leave out "a.json"'],
  ['check --run ', 'the program is empty; write one, such as "node bot.js"'],
  ['check --run x -- node y.js', '--run and a program after -- are two programs; leave one out'],
  ['serve --run x -- node bot.js', '--run and a bot after -- are two programs; leave one out'],
  ['serve --no-watch', '--no-watch needs a bot after --'],
  ['check --run x --fix', '--run goes with neither --fix, --watch nor --each'],
  ['deploy', 'FILE is required'],
  ['deploy a.json', '--to URL or --to discord is required'],
  [`${deploy} app.json`, '--to URL or --to discord is required; an address begins with http://'],
  [`${deploy} discord`, '--application is required'],
  [`${deploy} discord --application 1001`, '--to needs a token in the environment variable COMMANDRY_TOKEN'],
  ['export', 'APPLICATION or --all is required'],
  ['export demo --store memory', '"demo" is not an id'],
  ['export 1001', '--store is required'],
  ['export 1001 1002 --store memory', 'unexpected argument "1002"'],
  ['export 1001 --store sqlite:', '--store sqlite: a file is required after the colon'],
  ['import', 'FILE is required'],
  ['import x.json', '--store is required'],
  ['import x.json --store memory', '--store memory is lost when the command ends'],
  ['fuzz', 'a program is required'],
  ['fuzz --discord 2026-11-16', 'a program is required'],
  ['fuzz --discord yesterday -- x', '--discord "yesterday" is not a day such as 2026-11-16'],
  [
    'fuzz --discord 2026-11-16..2026-11-15 -- x',
    '--discord "2026-11-16..2026-11-15" is not an earlier and a later day',
  ],
  ['fuzz --url nowhere', '--url "nowhere" is not an HTTP address'],
  ['fuzz --time soon -- x', '--time "soon" is not a duration such as 500ms, 60s or 5m'],
  ['fuzz --env A -- x', '--env "A" is not NAME=VALUE'],
  ['plan', 'FILE is required'],
  ['plan a.json', '--against SNAPSHOT, URL or discord is required'],
  [`${plan} http://192.0.2.1`, '--application is required for a URL'],
  [`${plan} http://192.0.2.1 --application 1001`, '--against needs a token'],
  [`${plan} http://192.0.2.1 --application 1001 --permissions-in x`, '"x" is not an id'],
  [`${plan} http://[ --application 1001`, '--against is not a valid URL'],
  [`${plan} http://me:geheim@192.0.2.1 --application 1001`, '--against has a user name or a password'],
  [`${plan} b.json --application demo`, '"demo" is not an id'],
  [`${plan} b.json --guild -1`, "option '--guild' argument is ambiguous"],
  [`${plan} b.json --guild 2001 --permissions-in 2001`, '--permissions-in is for global commands'],
  [`${plan} b.json --timeout 0`, '--timeout "0" is not a number of seconds from 0.1 to 3600'],
  [`${plan} b.json --format xml`, '--format "xml" is not pretty or json'],
  [`${plan} b.json --force`, "unknown option '--force'"],
  ['serve --prot 1', "unknown option '--prot'"],
  ['serve --port 70000', '--port "70000" is not a whole number from 0 to 65535'],
  ['serve --port x', '--port "x" is not a whole number from 0 to 65535'],
  [
    'serve --port -1',
    `option '--port' argument is ambiguous; a value that begins with "-" is written --port=-…\n`,
  ],
  ['serve --port=-1', '--port "-1" is not a whole number from 0 to 65535'],
  ['serve --port', "option '--port <value>' argument missing"],
  ['serve --host ', '--host is empty; give an address, or leave it out for 127.0.0.1'],
  ['serve --config any.json --host \t', '--host is empty'],
  ['serve --host 0.0.0.0', '--host 0.0.0.0 accepts other machines'],
  ['serve --host ::', '--host :: accepts other machines'],
  ['serve --host 192.0.2.1', '--host 192.0.2.1 accepts other machines'],
  ['serve --host 127.0.0.1.example.org', '--host 127.0.0.1.example.org accepts other machines'],
  ['serve --store etcd://user:geheim@host', '--store must be memory'],
  ['serve --store memory:geheim', '--store must be memory'],
  ['serve --store sqlite:', '--store sqlite: a file is required after the colon'],
  ['serve --application x', '"x" is not an id; ids are digits only'],
  ['serve here', 'no file or folder "here"'],
  ['vectors --against here --application 1001', '--against takes the URL of a service for tests, or discord'],
  ['vectors --against discord --application 1001', '--guild is required: a server that is only for tests'],
  ['vectors --against discord --application 1001 --guild 1', '--against needs a token in the environment'],
  ['vectors --against http://127.0.0.1:1', '--application is required'],
  ['vectors more', 'unexpected argument "more"'],
])('"commandry %s" is refused', async (line, message) => {
  const args = line.split(' ')
  const ended = await call(args)
  expect(ended).toMatchObject({ out: '', ...failing(2, `commandry ${args[0]}: ${message}`) })
  expect(ended.err).toContain(`Run "commandry ${args[0]} --help"`)
  expect(ended.err).not.toContain('geheim')
})

it.each([
  [
    'vectors --run here --application 1001',
    'against',
    '--against takes the URL of a service for tests, or discord',
  ],
  ['fuzz --against access.json', 'access-file', 'a program is required'],
  ['plan --all', 'all-differences', 'FILE is required'],
  ['deploy --all', 'all-differences', 'FILE is required'],
])(
  '"commandry %s" reads the former name of an option, and gives the new one',
  async (line, name, message) => {
    const args = line.split(' ')
    const former = args.find((arg) => arg.startsWith('--'))
    const { err } = await call(args)
    expect(err).toContain(`${former} is now --${name}; the old name works until 0.5.0\n`)
    expect(err).toContain(`commandry ${args[0]}: ${message}`)
    expect((await call([args[0]!, '--help'])).out).toMatch(RegExp(`^  --${name} `, 'm'))
  },
)

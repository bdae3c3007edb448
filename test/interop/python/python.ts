import { spawnSync } from 'node:child_process'

/**
 * The command of a Python with given packages; undefined if none has them.
 *
 * @param packages what is imported: `discord, pytest`
 * @throws Error if none has them although everything is required
 */
export function findPython(packages: string): string | undefined {
  // Debian has discord.py as python3-discord, for its own Python.
  const found = ['/usr/bin/python3', 'python3'].find(
    (command) => spawnSync(command, ['-c', `import ${packages}`], { stdio: 'ignore' }).status === 0,
  )
  if (found === undefined && process.env['REQUIRE_SERVERS'] !== undefined)
    throw new Error(`REQUIRE_SERVERS asks for a Python with ${packages}, and there is none`)
  return found
}

/** Writes files whole: the one way by which the command line writes a file of the user. */
import { constants, type Stats } from 'node:fs'
import { open, realpath, rename, stat, unlink, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { uniqueText } from '../../../core/random.ts'

type Text = string | AsyncIterable<string>

/**
 * Replaces a file by a text, or creates it. Where that fails, the file is as it was: the text is written beside it first.
 * A link stays a link; mode and, where the system permits it, owner stay as well. A pipe, a terminal or `/dev/null` holds
 * nothing that could be lost, so it is written to.
 */
export async function writeWhole(path: string, text: Text): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const old = await stat(target).catch(() => undefined)
  // A folder is refused by the system.
  if (old !== undefined && !old.isFile()) return write(await open(target, constants.O_WRONLY), text, false)
  const beside = join(dirname(target), `.commandry-${uniqueText()}.tmp`)
  try {
    await writeBeside(beside, old, text)
    await rename(beside, target)
  } catch (error) {
    await unlink(beside).catch(() => {})
    // The user knows the file by its own name.
    if (error instanceof Error) error.message = error.message.replace(beside, path)
    throw error
  }
}

async function writeBeside(beside: string, old: Stats | undefined, text: Text): Promise<void> {
  const file = await open(beside, 'wx')
  try {
    if (old !== undefined) {
      await file.chown(old.uid, old.gid).catch(() => {})
      await file.chmod(old.mode)
    }
  } catch (error) {
    await file.close()
    throw error
  }
  await write(file, text)
}

/** Writes a file that is not there yet. @throws the error of the system, with the code `EEXIST` if it is; half a file is removed */
export async function writeNew(path: string, text: Text): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await write(file, text)
  } catch (error) {
    await unlink(path).catch(() => {})
    throw error
  }
}

async function write(file: FileHandle, text: Text, isSynced = true): Promise<void> {
  try {
    await writeFile(file, text)
    // Some systems rename before they write, and a loss of power then leaves an empty file.
    if (isSynced) await file.sync()
  } finally {
    await file.close()
  }
}

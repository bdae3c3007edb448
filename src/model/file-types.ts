/** Types of files, by which options and uploads are restricted (clause 2.4-14). */

/** A group of extensions, or an extension with its dot. Without flags, for JSON Schema. */
export const FILE_TYPE =
  /^(?:[iI][mM][aA][gG][eE]|[vV][iI][dD][eE][oO]|[aA][uU][dD][iI][oO]|\.[a-zA-Z0-9]{1,20}(?:\.[a-zA-Z0-9]{1,20}){0,3})$/

/** From the table of groups in developers/reference.mdx, File Type Filtering, discord-api-docs at f36e7ca3. */
export const fileGroups: Readonly<Record<string, readonly string[]>> = {
  image: ['.png', '.gif', '.jpg', '.jpeg', '.jfif', '.webp', '.avif'],
  video: ['.mp4', '.mov', '.qt', '.webm'],
  audio: ['.mp3', '.m4a', '.wav', '.ogg', '.opus', '.flac'],
}

export interface NamedFile {
  readonly filename: string
}

/** Whether a file has one of some types. Only the extension of its name decides, not its content type. */
export function isOfFileType({ filename }: NamedFile, types: readonly string[]): boolean {
  const name = filename.toLowerCase()
  return types.some((given) => {
    const type = given.toLowerCase()
    const extensions = Object.hasOwn(fileGroups, type) ? fileGroups[type]! : [type]
    return extensions.some((extension) => name.endsWith(extension) && name.length > extension.length)
  })
}

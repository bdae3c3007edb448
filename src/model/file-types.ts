/** Types of files, by which options and uploads are restricted (clause 2.4-14). */

/** A kind of files, as content types have it, or an extension with its dot. Without flags, for JSON Schema. */
export const FILE_TYPE =
  /^(?:[iI][mM][aA][gG][eE]|[vV][iI][dD][eE][oO]|[aA][uU][dD][iI][oO]|\.[a-zA-Z0-9]{1,20}(?:\.[a-zA-Z0-9]{1,20}){0,3})$/

/** The extensions by which the client knows the kind of a file without a content type. */
const extensions: Readonly<Record<string, string>> = {
  image: 'png jpg jpeg gif webp bmp svg avif heic tif tiff',
  video: 'mp4 mov webm mkv avi m4v',
  audio: 'mp3 wav ogg flac m4a aac opus',
}

export interface NamedFile {
  readonly filename: string
  readonly content_type?: string | null | undefined
}

/** Whether a file has one of some types. */
export function isOfFileType({ filename, content_type }: NamedFile, types: readonly string[]): boolean {
  const name = filename.toLowerCase()
  const extension = name.slice(name.lastIndexOf('.') + 1)
  return types.some((given) => {
    const type = given.toLowerCase()
    if (type.startsWith('.')) return name.endsWith(type) && name.length > type.length
    return content_type
      ? content_type.toLowerCase().startsWith(`${type}/`)
      : name.includes('.') && extensions[type]?.split(' ').includes(extension) === true
  })
}

/** Small valid files by the endings of their names, for files that people attach without a content. */

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))

const text = (content: string) => new TextEncoder().encode(content)

/** An image of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA='
const WEBP = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'

/** One frame of silence: MPEG 1, layer 3, 128 kbit/s, 44.1 kHz. */
function mp3(): Uint8Array {
  const frame = new Uint8Array(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  return frame
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

/** A box of ISO media: its length, its type and its contents. */
function box(type: string, ...contents: readonly Uint8Array[]): Uint8Array {
  const bytes = joined([new Uint8Array(4), text(type), ...contents])
  new DataView(bytes.buffer).setUint32(0, bytes.length)
  return bytes
}

/** A film without tracks. */
function mp4(): Uint8Array {
  const header = new Uint8Array(100)
  const view = new DataView(header.buffer)
  view.setUint32(12, 1_000)
  view.setUint32(20, 0x10000)
  for (const [at, one] of [36, 52, 68].entries()) view.setUint32(one, at === 2 ? 0x40000000 : 0x10000)
  view.setUint32(96, 1)
  const type = box('ftyp', text('isom'), new Uint8Array(4), text('isom'))
  return joined([type, box('moov', box('mvhd', header))])
}

/** No samples: mono, 8 kHz, 8 bits. */
function wav(): Uint8Array {
  const bytes = new Uint8Array(44)
  const view = new DataView(bytes.buffer)
  bytes.set(text('RIFF'))
  view.setUint32(4, 36, true)
  bytes.set(text('WAVEfmt '), 8)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, 8_000, true)
  view.setUint32(28, 8_000, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  bytes.set(text('data'), 36)
  return bytes
}

/** An archive without files. */
function zip(): Uint8Array {
  const bytes = new Uint8Array(22)
  bytes.set([0x50, 0x4b, 0x05, 0x06])
  return bytes
}

const PDF =
  '%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'

const samples: Readonly<Record<string, () => Uint8Array>> = {
  png: () => bytesOf(PNG),
  gif: () => bytesOf(GIF),
  jpg: () => bytesOf(JPEG),
  jpeg: () => bytesOf(JPEG),
  webp: () => bytesOf(WEBP),
  mp3,
  mp4,
  wav,
  zip,
  pdf: () => text(PDF),
  json: () => text('{}\n'),
  csv: () => text('name,value\nsample,1\n'),
}

/** A file for a name; of an unknown ending a line of text. */
export function sampleFile(filename: string): Uint8Array {
  const ending = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const sample = Object.hasOwn(samples, ending) ? samples[ending]! : () => text('A sample.\n')
  return sample()
}

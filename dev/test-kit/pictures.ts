import { crc32, deflateSync } from 'node:zlib'

/** Returns a complete PNG of one color. */
export function pngOf(
  width: number,
  height: number,
  [red, green, blue]: readonly [number, number, number] = [57, 157, 54],
): Buffer {
  const row = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: width }, () => Buffer.from([red, green, blue])),
  ])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * Returns a chunk of a PNG.
 * @param type its name of four letters
 */
function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/**
 * Returns a segment of a JPEG.
 * @param marker second byte of its marker
 */
const segment = (marker: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]), content])

/**
 * Returns the beginning of a JPEG from a camera, whose size comes after 60,000 bytes. It has no pixels.
 * @param orientation Exif value from 1 to 8
 * @param byteOrder of the Exif values
 */
export function jpegOf(
  width: number,
  height: number,
  orientation = 1,
  byteOrder: 'II' | 'MM' = 'MM',
): Buffer {
  const isLittle = byteOrder === 'II'
  const tiff = Buffer.alloc(26)
  tiff.write(byteOrder, 'latin1')
  const short = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  short(42, 2)
  short(isLittle ? 8 : 0, 4)
  short(isLittle ? 0 : 8, 6)
  for (const [at, value] of [
    [8, 1],
    [10, 0x0112],
    [12, 3],
    [18, orientation],
  ] as const)
    short(value, at)
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const frame = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, exif),
    segment(0xe2, Buffer.alloc(60_000)),
    Buffer.from([0xff]),
    segment(0xc2, frame),
  ])
}

/** Returns the first 10 bytes of a GIF, up to its size. */
export function gifOf(width: number, height: number): Buffer {
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([width & 255, width >> 8, height & 255, height >> 8]),
  ])
}

/** Returns the first 32 bytes of a WebP of a kind, with its size. */
export function webpOf(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const head = Buffer.alloc(32)
  head.write('RIFF', 0, 'latin1')
  head.write(`WEBP${kind}`, 8, 'latin1')
  if (kind === 'VP8X') {
    head.writeUIntLE(width - 1, 24, 3)
    head.writeUIntLE(height - 1, 27, 3)
  } else if (kind === 'VP8L') head.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  else {
    head.writeUInt16LE(width, 26)
    head.writeUInt16LE(height, 28)
  }
  return head
}

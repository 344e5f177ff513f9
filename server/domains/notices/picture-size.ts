import { pictureTypeOf } from '../../../contract/notices.ts'

/** Displayed size of an image, in pixels. */
export interface PictureSize {
  width: number
  height: number
}

/** First bytes of an image that are enough to read its size. A camera writes up to some 64 KB of other data before the size. */
export const PICTURE_HEAD = 1024 * 1024

/**
 * Returns the displayed size of a PNG, JPEG, GIF or WebP from its first bytes (PICTURE_HEAD). Nothing is
 * decompressed; browsers do that.
 * @returns undefined for other types, for a width or height of 0, and if the data ends before the size or does not
 * state it
 */
export function sizeOfPicture(head: Buffer): PictureSize | undefined {
  try {
    const size = READERS[pictureTypeOf(head) ?? '']?.(head)
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // The data ends before the size.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Readers of the size by the media type of the image. They throw a RangeError if the data ends before the size. */
const READERS: Record<string, (head: Buffer) => PictureSize | undefined> = {
  'image/png': (head) =>
    head.toString('latin1', 12, 16) === 'IHDR'
      ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
      : undefined,
  'image/gif': (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  'image/webp': sizeOfWebp,
  'image/jpeg': sizeOfJpeg,
}

/**
 * Returns the size of a WebP: of the canvas (VP8X), or of the lossless (VP8L) or lossy image. Reads any other
 * chunk as a lossy one.
 */
function sizeOfWebp(head: Buffer): PictureSize | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    default:
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
  }
}

/**
 * Returns the size of a JPEG. Reads segment by segment up to the one with the image size. Swaps width and height
 * if the Exif orientation in an earlier segment turns the image by 90 degrees. Undefined if a segment does not
 * start with a marker.
 */
function sizeOfJpeg(head: Buffer): PictureSize | undefined {
  let isTurned = false
  for (let at = 2; ;) {
    if (head.readUInt8(at) !== 0xff) return undefined
    const marker = head.readUInt8(at + 1)
    // Fill bytes may come before a marker, and some markers have no segment.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else {
      if (isFrame(marker)) {
        const [height, width] = [head.readUInt16BE(at + 5), head.readUInt16BE(at + 7)]
        return isTurned ? { width: height, height: width } : { width, height }
      }
      const length = head.readUInt16BE(at + 2)
      if (marker === 0xe1) isTurned ||= isTurnedBy(head.subarray(at + 4, at + 2 + length))
      at += 2 + length
    }
  }
}

/**
 * Returns whether a JPEG marker begins the segment with the size: SOF0 to SOF15. The same number range also contains
 * tables.
 */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Number of the Exif tag that states how the camera was turned. */
const ORIENTATION = 0x0112

/** Returns whether Exif data swaps width and height: orientations 5 to 8. False if the data is not Exif. */
function isTurnedBy(exif: Buffer): boolean {
  if (exif.toString('latin1', 0, 6) !== 'Exif\0\0' || exif.length < 14) return false
  const tiff = exif.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < short(first); entry += 1) {
    const at = first + 2 + entry * 12
    if (short(at) === ORIENTATION) return short(at + 8) >= 5 && short(at + 8) <= 8
  }
  return false
}

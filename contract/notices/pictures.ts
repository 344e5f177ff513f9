import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { recordId } from '../fields.ts'

/** The largest image in a text: 10 MB, × 1024 × 1024 bytes (rules/notices#pictures). */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

/** The most images in a text. */
export const MAX_PICTURES = 30

/** The most pixels of an image: enough for the largest phones, and few enough for browsers to decode. */
export const MAX_PICTURE_PIXELS = 50_000_000

/** Length and characters of an image name. It is random and generated when the image is put into the text. */
export const PICTURE_NAME = { length: 10, characters: 'abcdefghijklmnopqrstuvwxyz0123456789' } as const

/** Schema of the name of an image in a text: `![words](image:name)`. */
export const pictureName = z
  .string({ error: (issue) => (issue.input === undefined ? 'required' : 'notText') })
  .check(z.regex(new RegExp(`^[a-z0-9]{${PICTURE_NAME.length}}$`), 'codeFormat'))

/** Matches the image addresses in a text, with the name as the group. */
const TARGET = new RegExp(`\\bimage:([a-z0-9]{${PICTURE_NAME.length}})(?![a-z0-9])`, 'g')

/**
 * Returns the distinct names of the images that a text refers to, in order. Finds every `image:name`, even outside
 * Markdown image syntax.
 */
export function picturesIn(text: string): string[] {
  return [...new Set([...text.matchAll(TARGET)].map(([, name = '']) => name))]
}

/**
 * Returns a text without its image addresses, `image:name`: users do not search for them. The Markdown around them
 * stays.
 */
export const withoutPictures = (text: string): string => text.replaceAll(TARGET, '')

/**
 * Returns the name in an image address of a text, `image:name`.
 * @returns undefined for any other address
 */
export const pictureAt = (address: string): string | undefined =>
  address.startsWith('image:') && pictureName.safeParse(address.slice('image:'.length)).success
    ? address.slice('image:'.length)
    : undefined

/** The first bytes of each type of image, as Latin-1. */
const BEGINNINGS: readonly (readonly [type: string, fits: (text: string) => boolean])[] = [
  ['image/png', (text) => text.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (text) => text.startsWith('\xff\xd8\xff')],
  ['image/gif', (text) => /^GIF8[79]a/.test(text)],
  ['image/webp', (text) => /^RIFF[^]{4}WEBPVP8[ LX]/.test(text)],
]

/**
 * Returns the type of an image by its first bytes: PNG, JPEG, GIF or WebP.
 * @param first at least the first 16 bytes
 * @returns undefined for any other type, in particular SVG, which may contain scripts
 */
export function pictureTypeOf(first: Uint8Array): string | undefined {
  const text = String.fromCharCode(...first.subarray(0, 16))
  return BEGINNINGS.find(([, fits]) => fits(text))?.[0]
}

/** Schema of an image of a notice: its name, and its size on the page in pixels. */
export const noticePicture = z.object({ picture: z.string(), width: z.number(), height: z.number() })

/** Errors of saving a text with its images. */
export const PICTURE_ERRORS = ['PICTURE_NOT_FOUND', 'PICTURES_TOO_MANY'] as const

/**
 * Returns the bytes of an image in a text: of a notice that the caller may see, or one of the caller's own that waits
 * for its notice (rules/notices#pictures). Does not count as a download.
 */
export const downloadPicture = endpoint({
  path: '/bmt/v1/dwn/pictureInfo',
  summary: 'Get a picture of a notice',
  access: 'signed-in',
  input: z.strictObject({
    /** If left out, only a waiting image is found. */
    noticeId: z.optional(recordId),
    picture: pictureName,
  }),
  errors: ['PICTURE_NOT_FOUND', 'FILE_NOT_FOUND', 'RANGE_INVALID'],
  audit: 'none',
  personal: 'none',
  answer: 'file',
})

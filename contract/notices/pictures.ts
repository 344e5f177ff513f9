import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { recordId } from '../fields.ts'

/** A picture of a text has 10 MB at most, × 1024 × 1024 bytes (rules/notices#pictures). */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

/** How many pictures a text may have. */
export const MAX_PICTURES = 30

/** How many pixels a picture may have: those of the largest phones fit, and what a browser cannot unpack does not. */
export const MAX_PICTURE_PIXELS = 50_000_000

/** What the name of a picture has of characters: random, made where the picture is put into the text. */
export const PICTURE_NAME = { length: 10, characters: 'abcdefghijklmnopqrstuvwxyz0123456789' } as const

/** What a text calls a picture by: `![words](image:name)`. */
export const pictureName = z
  .string({ error: (issue) => (issue.input === undefined ? 'required' : 'notText') })
  .check(z.regex(new RegExp(`^[a-z0-9]{${PICTURE_NAME.length}}$`), 'codeFormat'))

const TARGET = new RegExp(`\\bimage:([a-z0-9]{${PICTURE_NAME.length}})(?![a-z0-9])`, 'g')

/** The names of the pictures that a text may show, each once. */
export function picturesIn(text: string): string[] {
  return [...new Set([...text.matchAll(TARGET)].map(([, name = '']) => name))]
}

/** A text without the names of its pictures, which nobody looks for. */
export const withoutPictures = (text: string): string => text.replaceAll(TARGET, '')

/** The name of a picture by the address in a text; undefined for any other address. */
export const pictureAt = (address: string): string | undefined =>
  address.startsWith('image:') && pictureName.safeParse(address.slice('image:'.length)).success
    ? address.slice('image:'.length)
    : undefined

const BEGINNINGS: readonly (readonly [type: string, fits: (text: string) => boolean])[] = [
  ['image/png', (text) => text.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (text) => text.startsWith('\xff\xd8\xff')],
  ['image/gif', (text) => /^GIF8[79]a/.test(text)],
  ['image/webp', (text) => /^RIFF[^]{4}WEBPVP8[ LX]/.test(text)],
]

/**
 * The type of a picture by how it begins: PNG, JPEG, GIF or WebP. Undefined for anything else, SVG above all, which may hold scripts.
 * @param first 16 bytes of it or more
 */
export function pictureTypeOf(first: Uint8Array): string | undefined {
  const text = String.fromCharCode(...first.subarray(0, 16))
  return BEGINNINGS.find(([, fits]) => fits(text))?.[0]
}

/** A picture of a notice, and how large it is shown. */
export const noticePicture = z.object({ picture: z.string(), width: z.number(), height: z.number() })

/** Why the pictures of a text cannot be saved with it. */
export const PICTURE_ERRORS = ['PICTURE_NOT_FOUND', 'PICTURES_TOO_MANY'] as const

/**
 * The bytes of a picture in a text: of a notice that the caller may see, or one of their own that waits for its notice
 * (rules/notices#pictures).
 */
export const downloadPicture = endpoint({
  path: '/bmt/v1/dwn/pictureInfo',
  summary: 'Get a picture of a notice',
  access: 'signed-in',
  input: z.strictObject({
    /** Left out: only one that waits. */
    noticeId: z.optional(recordId),
    picture: pictureName,
  }),
  output: z.object({}),
  errors: ['PICTURE_NOT_FOUND', 'FILE_NOT_FOUND', 'RANGE_INVALID'],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
  answer: 'file',
})

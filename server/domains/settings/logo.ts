import { createHash } from 'node:crypto'
import { refuse } from '../../../contract/errors.ts'

/** Values of the logo's columns; null without a logo. */
export interface LogoColumns {
  logo: Buffer | null
  logoType: string | null
  logoDigest: string | null
}

/** Columns of a portal without a logo. */
const NONE: LogoColumns = { logo: null, logoType: null, logoDigest: null }

/**
 * Image types of a logo with the check of their first bytes, for `logoOf`. SVG is not allowed, because it may contain
 * scripts.
 */
const TYPES: readonly [type: string, isIt: (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  [
    'image/webp',
    (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  ],
]

/**
 * Returns the values of the logo's columns for an image. The bytes decide its type, not its name.
 * @param base64 the image in Base64; '' for no image
 * @throws {Refusal} LOGO_INVALID if it is not a PNG, JPEG or WebP
 */
export function logoOf(base64: string): LogoColumns {
  if (base64 === '') return NONE
  const logo = Buffer.from(base64, 'base64')
  const [type] = TYPES.find(([, isIt]) => isIt(logo)) ?? refuse('LOGO_INVALID')
  return {
    logo,
    logoType: type,
    logoDigest: createHash('sha256').update(logo).digest('base64url').slice(0, 22),
  }
}

/** The file types that may be attached, by extension (rules/files#file-types). If both lists are empty, all types are allowed. */
export interface FileTypes {
  /** If it is not empty, all other types are rejected. */
  allowed: readonly string[]
  refused: readonly string[]
}

/** The number of first bytes that identify the type of a file. */
export const FIRST_BYTES = 1024

/** The first bytes of the files of some types. */
interface Beginning {
  types: readonly string[]
  /** Other types whose files may have the same first bytes. */
  also?: readonly string[]
  /** True if every file of these types starts with one of these byte sequences. */
  isSure?: true
  fits: (text: string) => boolean
}

/** Creates a function that returns whether a text begins with one of these. */
const beginsWith =
  (...starts: string[]) =>
  (text: string) =>
    starts.some((start) => text.startsWith(start))

/** Types of Office documents that are ZIP archives, or compound files if a password protects them. */
const OFFICE = ['docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'xlsb', 'xltx', 'pptx', 'pptm', 'ppsx', 'potx']

/**
 * The first bytes of known types, as Latin-1. Sequences that a text may start with by chance have a stricter pattern:
 * words start with 'MZ'.
 */
const BEGINNINGS: readonly Beginning[] = [
  { types: ['pdf', 'ai'], isSure: true, fits: (text) => text.includes('%PDF-') },
  { types: ['png', 'apng'], isSure: true, fits: beginsWith('\x89PNG\r\n\x1a\n') },
  { types: ['jpg', 'jpeg', 'jpe', 'jfif'], isSure: true, fits: beginsWith('\xff\xd8\xff') },
  { types: ['gif'], isSure: true, fits: beginsWith('GIF87a', 'GIF89a') },
  { types: ['tif', 'tiff'], isSure: true, fits: beginsWith('II*\0', 'MM\0*') },
  { types: ['webp', 'wav', 'avi'], isSure: true, fits: (text) => /^RIFF[^]{4}(WEBP|WAVE|AVI )/.test(text) },
  { types: ['mp4', 'm4a', 'm4v', 'mov', '3gp', 'heic', 'avif'], fits: (text) => text.startsWith('ftyp', 4) },
  {
    types: [
      ...OFFICE,
      'zip',
      'hwpx',
      'odt',
      'ods',
      'odp',
      'epub',
      'xps',
      'vsdx',
      'jar',
      'war',
      'apk',
      'ipa',
      'appx',
      'xpi',
    ],
    isSure: true,
    fits: beginsWith('PK\x03\x04', 'PK\x05\x06'),
  },
  {
    // Includes the newer Office types if a password protects them.
    types: [
      ...OFFICE,
      'doc',
      'dot',
      'xls',
      'xlt',
      'ppt',
      'pps',
      'hwp',
      'hwt',
      'vsd',
      'mpp',
      'msg',
      'msi',
      'msp',
    ],
    isSure: true,
    fits: beginsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  },
  { types: ['hwp'], isSure: true, fits: beginsWith('HWP Document File') },
  { types: ['rtf'], also: ['doc'], isSure: true, fits: beginsWith('{\\rtf') },
  { types: ['7z'], isSure: true, fits: beginsWith('7z\xbc\xaf\x27\x1c') },
  { types: ['rar'], isSure: true, fits: beginsWith('Rar!\x1a\x07') },
  { types: ['gz', 'tgz'], isSure: true, fits: beginsWith('\x1f\x8b') },
  {
    types: ['exe', 'dll', 'scr', 'com', 'sys', 'cpl', 'ocx', 'drv', 'efi', 'pif'],
    fits: (text) => /^MZ[^]{0,62}\0/.test(text),
  },
  { types: ['elf', 'so', 'o', 'bin', 'run', 'appimage'], fits: beginsWith('\x7fELF') },
  {
    types: ['macho', 'dylib', 'bundle', 'class', 'bin'],
    fits: beginsWith('\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', '\xca\xfe\xba\xbe'),
  },
  { types: ['lnk'], fits: beginsWith('L\0\0\0\x01\x14\x02\0') },
  { types: ['sh', 'bash', 'py', 'pl', 'rb', 'js', 'cgi', 'command'], fits: beginsWith('#!') },
  {
    // Programs save an HTML table under the name of a spreadsheet.
    types: ['html', 'htm', 'xhtml', 'hta', 'svg', 'xml'],
    also: ['xls', 'doc'],
    fits: (text) => /^(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|script|svg)[\s>]/i.test(text),
  },
]

/**
 * Returns the extension of a file name in lower case, without the dot; '' if it has none. Ignores dots and
 * spaces at the end, which operating systems drop.
 */
export function typeOf(name: string): string {
  const [, type = ''] = /\.([^.]+)$/.exec(name.normalize('NFKC').replace(/(?<![. ])[. ]+$/, '')) ?? []
  return type.toLowerCase()
}

/**
 * Returns whether a file with this name may be attached. A type in both lists is refused. A name without an extension
 * is refused if only some types are allowed. True for any name if both lists are empty.
 */
export function mayBeNamed({ allowed, refused }: FileTypes, name: string): boolean {
  const type = typeOf(name)
  return !refused.includes(type) && (allowed.length === 0 || allowed.includes(type))
}

/**
 * Returns whether the first bytes of a file may be those of an allowed type; call it after `mayBeNamed`.
 * Allows an empty file, and bytes that match the type of the name. Refuses bytes that match a refused type.
 * If only some types are allowed, two rules apply to other bytes. The type of the name must have no fixed
 * first bytes, and every match must be an allowed type.
 * @param first the first `FIRST_BYTES` of the file, or all of it
 */
export function mayBegin({ allowed, refused }: FileTypes, name: string, first: Uint8Array): boolean {
  if (first.length === 0 || allowed.length + refused.length === 0) return true
  const type = typeOf(name)
  const text = String.fromCharCode(...first.subarray(0, FIRST_BYTES))
  const isOf = ({ types, also = [] }: Beginning) => types.includes(type) || also.includes(type)
  const found = BEGINNINGS.filter(({ fits }) => fits(text))
  if (found.some(isOf)) return true
  if (found.some(({ types }) => types.some((one) => refused.includes(one)))) return false
  if (allowed.length === 0) return true
  const isSure = BEGINNINGS.some((one) => one.isSure === true && isOf(one))
  return !isSure && found.every(({ types }) => types.some((one) => allowed.includes(one)))
}

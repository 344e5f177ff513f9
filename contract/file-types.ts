/** Which types of files may be attached, by extension (rules/files#file-types): none named, all of them. */
export interface FileTypes {
  /** No others, unless it is empty. */
  allowed: readonly string[]
  refused: readonly string[]
}

/** How many of its first bytes say what a file is. */
export const FIRST_BYTES = 1024

/** How the files of some types begin. */
interface Beginning {
  types: readonly string[]
  /** Types whose files may begin so, too. */
  also?: readonly string[]
  /** Every file of all these types begins in one of their ways. */
  isSure?: true
  fits: (text: string) => boolean
}

const beginsWith =
  (...starts: string[]) =>
  (text: string) =>
    starts.some((start) => text.startsWith(start))

const OFFICE = ['docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'xlsb', 'xltx', 'pptx', 'pptm', 'ppsx', 'potx']

/** By bytes as Latin-1. What a text may begin with by chance is looked at more closely: 'MZ' begins words. */
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
    // Those of Office's newer types that a password protects, too.
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
    // Programs call a table in HTML by the name of a spreadsheet.
    types: ['html', 'htm', 'xhtml', 'hta', 'svg', 'xml'],
    also: ['xls', 'doc'],
    fits: (text) => /^(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|script|svg)[\s>]/i.test(text),
  },
]

/** The extension of a name, as systems read it: small letters, without the dots and spaces that they drop at its end. */
export function typeOf(name: string): string {
  const [, type = ''] = /\.([^.]+)$/.exec(name.normalize('NFKC').replace(/(?<![. ])[. ]+$/, '')) ?? []
  return type.toLowerCase()
}

/** Whether a file of this name may be attached. */
export function mayBeNamed({ allowed, refused }: FileTypes, name: string): boolean {
  const type = typeOf(name)
  return !refused.includes(type) && (allowed.length === 0 || allowed.includes(type))
}

/**
 * Whether a file that may be attached by its name may be by what it begins with, too: it is of none of the types that are refused;
 * where only some are allowed, it is what its name says, or of a type that begins with anything.
 * @param first the first `FIRST_BYTES` of it, or all
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

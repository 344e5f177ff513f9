/**
 * File type that can be previewed. Types that may contain scripts, above all SVG, are excluded (rules/files#preview).
 */
interface Kind {
  type: string
  name: RegExp
  /** Whether the first bytes are those of the type, each character of the text a byte. */
  begins: (bytes: string) => boolean
}

/** The types that can be previewed, by file name and first bytes. */
const KINDS: readonly Kind[] = [
  { type: 'image/png', name: /\.png$/i, begins: (bytes) => bytes.startsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', name: /\.jpe?g$/i, begins: (bytes) => bytes.startsWith('\xff\xd8\xff') },
  { type: 'image/gif', name: /\.gif$/i, begins: (bytes) => /^GIF8[79]a/.test(bytes) },
  { type: 'image/webp', name: /\.webp$/i, begins: (bytes) => /^RIFF[^]{4}WEBP/.test(bytes) },
  { type: 'image/avif', name: /\.avif$/i, begins: (bytes) => /^[^]{4}ftypavi[fs]/.test(bytes) },
  { type: 'application/pdf', name: /\.pdf$/i, begins: (bytes) => bytes.startsWith('%PDF-') },
]

const PDF = 'application/pdf'

/** Returns the previewable type that the name of a file indicates; undefined if there is none. */
const kindOf = (fileName: string) => KINDS.find(({ name }) => name.test(fileName))

/**
 * Returns whether the name of a file is that of an image or PDF that can be previewed; a PDF only if the browser
 * has a viewer. The content is checked later, by `previewOf`.
 */
export function maybePreviewed(fileName: string, hasPdfViewer: boolean): boolean {
  const kind = kindOf(fileName)
  return kind !== undefined && (kind.type !== PDF || hasPdfViewer)
}

/**
 * Returns the content of a file with the media type that its name and first bytes indicate, so that the browser
 * can show it.
 * @returns undefined if they disagree or the type cannot be previewed
 */
export async function previewOf(fileName: string, content: Blob): Promise<Blob | undefined> {
  const kind = kindOf(fileName)
  if (kind === undefined) return undefined
  const first = new Uint8Array(await content.slice(0, 16).arrayBuffer())
  return kind.begins(String.fromCharCode(...first)) ? new Blob([content], { type: kind.type }) : undefined
}

/** Returns whether a preview is a PDF. Any other preview is an image. */
export const isPdf = (content: Blob): boolean => content.type === PDF

/** What can be shown before it is saved; what may hold scripts, SVG above all, is none of it (rules/files#preview). */
interface Kind {
  type: string
  name: RegExp
  /** Whether the first bytes are those of the type, each character of the text a byte. */
  begins: (bytes: string) => boolean
}

const KINDS: readonly Kind[] = [
  { type: 'image/png', name: /\.png$/i, begins: (bytes) => bytes.startsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', name: /\.jpe?g$/i, begins: (bytes) => bytes.startsWith('\xff\xd8\xff') },
  { type: 'image/gif', name: /\.gif$/i, begins: (bytes) => /^GIF8[79]a/.test(bytes) },
  { type: 'image/webp', name: /\.webp$/i, begins: (bytes) => /^RIFF[^]{4}WEBP/.test(bytes) },
  { type: 'image/avif', name: /\.avif$/i, begins: (bytes) => /^[^]{4}ftypavi[fs]/.test(bytes) },
  { type: 'application/pdf', name: /\.pdf$/i, begins: (bytes) => bytes.startsWith('%PDF-') },
]

const PDF = 'application/pdf'

const kindOf = (fileName: string) => KINDS.find(({ name }) => name.test(fileName))

/** Whether a file of this name may be shown; a PDF only by a browser that has a viewer. */
export function maybePreviewed(fileName: string, hasPdfViewer: boolean): boolean {
  const kind = kindOf(fileName)
  return kind !== undefined && (kind.type !== PDF || hasPdfViewer)
}

/** The content as the type that its name and its first bytes say; undefined where they do not agree. */
export async function previewOf(fileName: string, content: Blob): Promise<Blob | undefined> {
  const kind = kindOf(fileName)
  if (kind === undefined) return undefined
  const first = new Uint8Array(await content.slice(0, 16).arrayBuffer())
  return kind.begins(String.fromCharCode(...first)) ? new Blob([content], { type: kind.type }) : undefined
}

/** Whether it is shown by the browser's viewer of PDFs, and not as an image. */
export const isPdf = (content: Blob): boolean => content.type === PDF

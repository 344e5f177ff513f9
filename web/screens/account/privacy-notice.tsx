import { MarkdownText } from '../notices/read/markdown-text.tsx'

/** A privacy notice has no images. */
const NO_PICTURES = { pictures: [] }

/** Shows the text of a privacy notice: Markdown, rendered as that of a notice (rules/notices#text-of-a-notice). */
export function PrivacyNotice({ text }: { text: string }) {
  return <MarkdownText text={text} level={2} source={NO_PICTURES} />
}

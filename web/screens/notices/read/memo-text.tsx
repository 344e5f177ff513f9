import { lazy } from 'react'
import { MEMO_FORMAT, type MemoFormat } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { LinkedText } from './links.tsx'
import type { PictureSource } from '../files/notice-picture.tsx'
import styles from './memo-text.module.css'

/** Text of a notice, its format and its images. */
export interface Memo {
  text: string
  format: MemoFormat
  /** The owner of the images. */
  source: PictureSource
  /** Level of the text's highest heading, below the surrounding headings; 2 by default. */
  level?: number
}

/**
 * Renderer of Markdown, loaded when the first such text is shown. It has three times the size of the code of the
 * surrounding page. If it cannot be loaded, the Markdown source is shown.
 */
const MarkdownText = lazy(() =>
  import('./markdown-text.tsx').then(
    (module) => ({ default: module.MarkdownText }),
    () => ({ default: PlainText }),
  ),
)

/**
 * Shows the text of a notice (rules/notices#text-of-a-notice): Markdown, or plain text with its line breaks and with URLs as
 * links. Never HTML. Suspends until the Markdown renderer is loaded; if that fails, shows the source.
 */
export function MemoText({ text, format, source, level = 2 }: Memo) {
  return format === MEMO_FORMAT.markdown ? (
    <MarkdownText text={text} level={level} source={source} />
  ) : (
    <PlainText text={text} />
  )
}

/** Shows a text as typed, with its line breaks and with URLs as links. */
function PlainText({ text }: { text: string }) {
  const t = usePortalMessages().notices.detail
  return (
    <div className={styles.plain}>
      <LinkedText text={text} origin={location.origin} newWindow={t.opensNewWindow} />
    </div>
  )
}

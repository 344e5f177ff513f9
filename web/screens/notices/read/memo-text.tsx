import { lazy } from 'react'
import { MEMO_FORMAT, type MemoFormat } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { LinkedText } from './linked-text.tsx'
import type { PictureSource } from '../files/notice-picture.tsx'
import styles from './memo-text.module.css'

/** The text of a notice, and how it is written. */
export interface Memo {
  text: string
  format: MemoFormat
  /** Whose pictures it shows. */
  source: PictureSource
  /** The level of the text's highest heading, below the headings around it; 2 unless told. */
  level?: number
}

// Three times the weight of the page around it, and no plain notice needs it. Where it cannot be had, the signs are shown.
const MarkdownText = lazy(() =>
  import('./markdown-text.tsx').then(
    (module) => ({ default: module.MarkdownText }),
    () => ({ default: PlainText }),
  ),
)

/**
 * A text as its author wrote it (rules/notices#text-of-a-notice): Markdown, or plain with its line breaks and its web
 * addresses as links. Never HTML. Waits (Suspense) for what reads Markdown.
 */
export function MemoText({ text, format, source, level = 2 }: Memo) {
  return format === MEMO_FORMAT.markdown ? (
    <MarkdownText text={text} level={level} source={source} />
  ) : (
    <PlainText text={text} />
  )
}

function PlainText({ text }: { text: string }) {
  const t = usePortalMessages().notices.detail
  return (
    <div className={styles.plain}>
      <LinkedText text={text} origin={location.origin} newWindow={t.opensNewWindow} />
    </div>
  )
}

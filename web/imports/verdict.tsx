import layout from '../ui/layout.module.css'
import type { ImportWords } from './words.ts'
import styles from './imports.module.css'

interface Props {
  words: ImportWords
  checked: {
    rows: readonly unknown[]
    examples: number
    unknown: readonly string[]
    result: { errorCount: number }
  }
}

/** Shows the result of the dry run, and which parts of the file are skipped. */
export function Verdict({ words: t, checked }: Props) {
  const { rows, examples, unknown, result } = checked
  const count = rows.length.toLocaleString()
  const isGood = result.errorCount === 0
  return (
    <>
      <output className={isGood ? styles.good : styles.wrong}>
        {isGood ? t.ready(count) : t.wrong(result.errorCount.toLocaleString(), count)}
      </output>
      {examples > 0 && <p className={layout.quiet}>{t.examplesLeft(examples)}</p>}
      {unknown.length > 0 && <p className={layout.quiet}>{t.unknownColumns(unknown.join(', '))}</p>}
    </>
  )
}

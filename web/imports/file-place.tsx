import { useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { UploadIcon } from '../ui/icons.tsx'
import type { ImportWords } from './words.ts'
import styles from './imports.module.css'

interface Props {
  words: ImportWords
  fileName: string | undefined
  isBusy: boolean
  onFile: (file: File) => void
}

/** Where a file is dropped or chosen. */
export function FilePlace({ words: t, fileName, isBusy, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    // Dropping is a shortcut of the button inside, which works by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes(styles.place, isOver && styles.over)}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined && !isBusy) onFile(file)
      }}
    >
      <p>{fileName ?? t.drop}</p>
      <Button isPending={isBusy} onClick={() => input.current?.click()}>
        <UploadIcon size={18} />
        {fileName === undefined ? t.choose : t.chooseAnother}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.choose}
        accept=".csv,.xlsx,text/csv"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file, corrected, is a change too.
          event.target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <output className="visually-hidden">{isBusy && t.reading}</output>
    </div>
  )
}

import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { MAX_FILE_BYTES } from '../../../contract/notices.ts'
import { portalMessages, usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { CloseIcon, FileIcon } from '../../ui/icons.tsx'
import styles from './attachment-field.module.css'
import { bytesInWords } from './bytes.ts'

interface AttachmentFieldProps {
  /** The file that the notice has already. */
  existing?: { FILE_ID: string; ORIGINAL_FILE_NAME: string } | null | undefined
  /** The file that was chosen and is not sent yet. */
  chosen: File | null
  onChoose: (file: File) => void
  /** The chip was pressed: of the chosen file, or else of the existing one. */
  onClear: () => void
  isDisabled?: boolean | undefined
}

/**
 * The attached file of a notice (spec §2, §5): '+ 내 PC' chooses one, its chip takes it away. Only one; up to 1000 MB,
 * or a warning and nothing is chosen. An empty file is a file too.
 */
export function AttachmentField({ existing, chosen, onChoose, onClear, isDisabled }: AttachmentFieldProps) {
  const t = usePortalMessages().files
  const labelId = useId()
  const input = useRef<HTMLInputElement>(null)
  const picker = useRef<HTMLButtonElement>(null)
  const chip = useRef<HTMLButtonElement>(null)
  const [isOver, setOver] = useState(false)
  const name = chosen?.name ?? existing?.ORIGINAL_FILE_NAME
  const isTaken = name !== undefined
  const before = useRef(isTaken)

  useEffect(() => {
    // What had the focus is gone or cannot be pressed any more.
    if (before.current !== isTaken && document.activeElement === document.body) {
      ;(isTaken ? chip : picker).current?.focus()
    }
    before.current = isTaken
  }, [isTaken])

  function choose(file: File | undefined) {
    if (file === undefined || isTaken || isDisabled) return
    if (file.size <= MAX_FILE_BYTES) onChoose(file)
    else void warnOfSize(file.name)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    const { files } = event.dataTransfer
    if (isTaken) void dialogs.alert({ message: t.onlyOne })
    else choose(files[0])
  }

  return (
    // Dropping is one more way to do what the button does.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      aria-labelledby={labelId}
      className={classes(styles.field, isOver && styles.over)}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(!isTaken)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span id={labelId} className={styles.label}>
        {t.label}
      </span>
      <div className={styles.row}>
        <Button ref={picker} isDisabled={isTaken || isDisabled} onClick={() => input.current?.click()}>
          {t.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t.choose}
          onChange={(event) => {
            choose(event.target.files?.[0])
            // The same file again is a choice too.
            event.target.value = ''
          }}
        />
        {isTaken ? (
          <button
            ref={chip}
            type="button"
            className={styles.chip}
            title={name}
            aria-label={t.remove(name)}
            disabled={isDisabled}
            onClick={onClear}
          >
            <FileIcon size={16} />
            <span className={styles.name}>{name}</span>
            {chosen !== null && <span className={styles.size}>{bytesInWords(chosen.size)}</span>}
            <CloseIcon size={14} />
          </button>
        ) : (
          <span className={styles.hint}>{t.dropHere}</span>
        )}
      </div>
    </fieldset>
  )
}

function warnOfSize(name: string): Promise<void> {
  const t = portalMessages().files
  return dialogs.alert({ title: t.tooLargeTitle, message: t.tooLarge(name) })
}

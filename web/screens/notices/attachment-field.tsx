import { useEffect, useId, useRef, useState } from 'react'
import { fileName, MAX_FILE_BYTES } from '../../../contract/notices.ts'
import { isReadable } from '../../api/readable.ts'
import { portalMessages, usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { CloseIcon, FileIcon } from '../../ui/icons.tsx'
import layout from '../../ui/layout.module.css'
import styles from './attachment-field.module.css'
import { bytesAsText } from './bytes.ts'
import { isSameFile, type UnfinishedUpload } from './unfinished-upload.ts'
import { useFileDrop } from './use-file-drop.ts'

interface AttachmentFieldProps {
  /** The file that the notice has already. */
  existing?: { fileId: string; fileName: string } | null | undefined
  /** The file that was chosen and is not sent yet. */
  chosen: File | null
  onChoose: (file: File) => void
  /** The chip was pressed: of the chosen file, or else of the existing one. */
  onClear: () => void
  /** A file that was on its way and did not arrive. */
  unfinished: UnfinishedUpload | null
  /** Nobody wants to go on with that one. */
  onGiveUp: (upload: UnfinishedUpload) => void
}

/**
 * The attached file of a notice (rules/files#one-file): '+ 내 PC' chooses one, so does dropping it anywhere on the page;
 * its chip takes it away. Only one; up to 1000 MB, or a warning and nothing is chosen. An empty file is a file too.
 */
export function AttachmentField({
  existing,
  chosen,
  onChoose,
  onClear,
  unfinished,
  onGiveUp,
}: AttachmentFieldProps) {
  const t = usePortalMessages().files
  const labelId = useId()
  const input = useRef<HTMLInputElement>(null)
  const picker = useRef<HTMLButtonElement>(null)
  const chip = useRef<HTMLButtonElement>(null)
  const name = chosen?.name ?? existing?.fileName
  const isTaken = name !== undefined
  const before = useRef(isTaken)
  const [givenUp, setGivenUp] = useState<string>()
  const isOver = useFileDrop((file, isFolder) => {
    if (isTaken) void dialogs.alert({ message: t.onlyOne })
    else if (isFolder) void tellUnreadable()
    else void choose(file)
  })

  useEffect(() => {
    // What had the focus is gone or cannot be pressed any more; the browser takes it off a disabled button later.
    const { activeElement } = document
    if (before.current !== isTaken && (activeElement === document.body || activeElement === picker.current)) {
      ;(isTaken ? chip : picker).current?.focus()
    }
    before.current = isTaken
  }, [isTaken])

  async function choose(file: File) {
    const refusal = await refusalOf(file)
    if (refusal === null) onChoose(file)
    else await dialogs.alert(refusal)
  }

  return (
    <fieldset aria-labelledby={labelId} className={classes(styles.field, isOver && !isTaken && styles.over)}>
      <span id={labelId} className={styles.label}>
        {t.label}
      </span>
      <div className={styles.row}>
        <Button ref={picker} isDisabled={isTaken} onClick={() => input.current?.click()}>
          {t.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t.choose}
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file !== undefined && !isTaken) void choose(file)
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
            onClick={onClear}
          >
            <FileIcon size={16} />
            <span className={layout.ellipsis}>{name}</span>
            {chosen !== null && <span className={styles.size}>{bytesAsText(chosen.size)}</span>}
            <CloseIcon size={14} />
          </button>
        ) : (
          <span className={layout.hint}>{isOver ? t.dropNow : t.dropHere}</span>
        )}
      </div>
      {unfinished !== null && unfinished.uploadId !== givenUp && (
        <Unfinished
          upload={unfinished}
          chosen={chosen}
          isTaken={isTaken}
          onGiveUp={() => {
            onGiveUp(unfinished)
            setGivenUp(unfinished.uploadId)
            // The button goes with the hint.
            ;(isTaken ? chip : picker).current?.focus()
          }}
        />
      )}
    </fieldset>
  )
}

interface UnfinishedProps {
  upload: UnfinishedUpload
  chosen: File | null
  /** Another file has to go before the same one can be chosen. */
  isTaken: boolean
  onGiveUp: () => void
}

function Unfinished({ upload, chosen, isTaken, onGiveUp }: UnfinishedProps) {
  const t = usePortalMessages().files
  if (chosen !== null) {
    return isSameFile(upload, chosen) && <output className={styles.unfinished}>{t.goesOn}</output>
  }
  return (
    <div className={styles.unfinished}>
      <output>{isTaken ? t.unfinishedBeside(upload.name) : t.unfinished(upload.name)}</output>
      <Button size="small" onClick={onGiveUp}>
        {t.giveUp}
      </Button>
    </div>
  )
}

/** Why a file cannot be attached, in the words of an alert; null when it can. Nothing is sent to find out. */
async function refusalOf(file: File): Promise<{ title: string; message: string } | null> {
  const t = portalMessages().files
  if (file.size > MAX_FILE_BYTES) return { title: t.tooLargeTitle, message: t.tooLarge(file.name) }
  if (!fileName.safeParse(file.name).success) return { title: t.badNameTitle, message: t.badName(file.name) }
  return (await isReadable(file)) ? null : { title: t.unreadableTitle, message: t.unreadable }
}

/** The file that was chosen is gone or was changed meanwhile. */
export function tellUnreadable(): Promise<void> {
  const t = portalMessages().files
  return dialogs.alert({ title: t.unreadableTitle, message: t.unreadable })
}

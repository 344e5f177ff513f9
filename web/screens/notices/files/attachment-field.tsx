import { useEffect, useId, useRef } from 'react'
import { FIRST_BYTES, mayBegin, mayBeNamed } from '../../../../contract/file-types.ts'
import { fileName, MAX_FILE_BYTES } from '../../../../contract/notices.ts'
import { portalConfig, usePortalConfig } from '../../../api/config.ts'
import { isReadable } from '../../../api/readable.ts'
import { portalMessages, usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { dialogs } from '../../../ui/dialogs.ts'
import { CloseIcon, FileIcon } from '../../../ui/icons.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './attachment-field.module.css'
import { bytesAsText } from './bytes.ts'
import { UploadProgress } from './upload-progress.tsx'
import { useFileDrop } from './use-file-drop.ts'
import type { FormUpload } from './use-upload.ts'

interface AttachmentFieldProps {
  /** The file that is attached to the notice; null after the user removed it. */
  existing?: { fileId: string; fileName: string } | null | undefined
  /** The upload to save with the notice. */
  upload: FormUpload
  /** Called when the user removes the existing file. */
  onClear: () => void
}

/**
 * Shows the attachment of a notice, one file of up to 1000 MB (rules/files#one-file), with its progress. The user
 * selects a file or drops it anywhere on the page, and it is sent immediately. A file that is too large, of a
 * refused type or unreadable is not sent, and an alert or the field says why. While there is a file, no other can
 * be added; its chip removes it. An interrupted upload of a draft is shown with a button that cancels it.
 */
export function AttachmentField({ existing, upload, onClear }: AttachmentFieldProps) {
  const t = usePortalMessages().files
  const labelId = useId()
  const input = useRef<HTMLInputElement>(null)
  const picker = useRef<HTMLButtonElement>(null)
  const chip = useRef<HTMLButtonElement>(null)
  const { file, progress, problem, unfinished, setProblem } = upload
  const name = file?.name ?? existing?.fileName
  const isTaken = name !== undefined
  const before = useRef(isTaken)
  const types = usePortalConfig().fileTypes
  const typesId = useId()
  const isOver = useFileDrop((dropped, isFolder) => {
    if (isTaken) void dialogs.alert({ message: t.onlyOne })
    else if (isFolder) void tellUnreadable()
    else choose(dropped)
  })

  useEffect(() => {
    // The element with the focus was removed or is now disabled. The browser takes the focus from a disabled button later.
    const { activeElement } = document
    if (before.current !== isTaken && (activeElement === document.body || activeElement === picker.current)) {
      ;(isTaken ? chip : picker).current?.focus()
    }
    before.current = isTaken
  }, [isTaken])

  /** Sends a file unless it must not be attached. */
  function choose(chosen: File): void {
    upload.start(chosen, isAllowed(chosen))
  }

  /** Returns whether a file may be attached. If not, shows why, in an alert or at the field. */
  async function isAllowed(chosen: File): Promise<boolean> {
    const refusal = await refusalOf(chosen)
    if (refusal === null) return true
    if (refusal.title === undefined) setProblem(refusal.message)
    else void dialogs.alert(refusal)
    return false
  }

  return (
    <fieldset aria-labelledby={labelId} className={classes(styles.field, isOver && !isTaken && styles.over)}>
      <span id={labelId} className={styles.label}>
        {t.label}
      </span>
      <div className={styles.row}>
        <Button
          ref={picker}
          isDisabled={isTaken}
          aria-describedby={types !== undefined && !isTaken ? typesId : undefined}
          onClick={() => input.current?.click()}
        >
          {t.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t.choose}
          accept={types?.allowed.map((type) => `.${type}`).join()}
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            if (chosen !== undefined && !isTaken) choose(chosen)
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
            aria-label={t.remove(file === null ? name : `${name} ${bytesAsText(file.size)}`)}
            onClick={file === null ? onClear : upload.cancel}
          >
            <FileIcon size={16} />
            <span className={layout.ellipsis}>{name}</span>{' '}
            {file !== null && <span className={styles.size}>{bytesAsText(file.size)}</span>}
            <CloseIcon size={14} />
          </button>
        ) : (
          <span className={layout.hint}>{isOver ? t.dropNow : t.dropHere}</span>
        )}
      </div>
      {types !== undefined && !isTaken && (
        <p id={typesId} className={classes(styles.below, layout.hint)}>
          {types.allowed.length > 0
            ? t.typesAllowed(types.allowed.filter((type) => !types.refused.includes(type)).join(', '))
            : t.typesRefused(types.refused.join(', '))}
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className={classes(styles.below, styles.problem)}>
          {problem}
        </p>
      )}
      {file !== null && progress !== null && (
        <div className={classes(styles.below, styles.progress)}>
          <UploadProgress
            fileName={file.name}
            progress={progress}
            onCancel={upload.cancel}
            onRetry={upload.retry}
          />
        </div>
      )}
      {unfinished !== null && (
        <div className={styles.unfinished}>
          <output>{t.unfinished(unfinished.fileName)}</output>
          <Button
            size="small"
            onClick={() => {
              upload.cancel()
              // The button is removed with the hint.
              picker.current?.focus()
            }}
          >
            {t.giveUp}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/**
 * Returns why a file cannot be attached, for an alert, or for the field if there is no title. Reads the file, but sends
 * nothing to the server.
 * @returns null if the file can be attached
 */
async function refusalOf(file: File): Promise<{ title?: string; message: string } | null> {
  const t = portalMessages().files
  if (file.size > MAX_FILE_BYTES) return { title: t.tooLargeTitle, message: t.tooLarge(file.name) }
  if (!fileName.safeParse(file.name).success) return { title: t.badNameTitle, message: t.badName(file.name) }
  const types = portalConfig().fileTypes
  if (types && !mayBeNamed(types, file.name)) return { message: t.typeRefused(file.name) }
  if (!(await isReadable(file))) return { title: t.unreadableTitle, message: t.unreadable }
  if (types === undefined) return null
  const first = new Uint8Array(await file.slice(0, FIRST_BYTES).arrayBuffer())
  return mayBegin(types, file.name, first) ? null : { message: t.contentRefused(file.name) }
}

/** Shows an alert that the selection is a folder or cannot be read. */
function tellUnreadable(): Promise<void> {
  const t = portalMessages().files
  return dialogs.alert({ title: t.unreadableTitle, message: t.unreadable })
}

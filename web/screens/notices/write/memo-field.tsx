import { Suspense, useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { MAX_PICTURES, MEMO_FORMAT, picturesIn } from '../../../../contract/notices.ts'
import { useBound } from '../../../forms/bound-text.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { classes } from '../../../ui/classes.ts'
import { Field } from '../../../ui/field.tsx'
import { FormGrid } from '../../../ui/form-grid.tsx'
import { EyeIcon } from '../../../ui/icons.tsx'
import input from '../../../ui/input.module.css'
import layout from '../../../ui/layout.module.css'
import type { NoticeFormValues } from './form-values.ts'
import styles from './memo-field.module.css'
import { MemoText } from '../read/memo-text.tsx'
import type { PictureSource } from '../files/notice-picture.tsx'
import { newPictureName, PICTURE_TYPES, pictureProblem, wordsOf } from '../files/pictures.ts'
import { TextToolbar } from './text-toolbar.tsx'
import { type Edit, editOf, picturesEdit, type Tool, type ToolButton, withoutPicture } from './text-tools.ts'
import type { FormPictures, SentPicture } from '../files/use-pictures.ts'

/** Tools by the key that is pressed together with Ctrl or ⌘. */
const SHORTCUTS: Record<string, Tool> = { b: 'bold', i: 'italic' }

/**
 * Shows the field for the text of a notice (rules/notices#toolbar): Markdown with its toolbar, images and preview, or plain
 * text.
 */
export function MemoField({ source, pictures }: { source: PictureSource; pictures: FormPictures }) {
  const t = usePortalMessages().notices
  const { control } = useFormContext<NoticeFormValues>()
  const format = useController({ control, name: 'memoFormat' }).field
  const { ref, ...bound } = useBound<NoticeFormValues>({ name: 'memo' })
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [wantsPreview, setWantsPreview] = useState(false)
  const isMarkdown = format.value === MEMO_FORMAT.markdown
  // If the text has an error, show the editor so that the user can correct it.
  const isPreview = wantsPreview && isMarkdown && bound.errorMessage === undefined

  function press(tool: ToolButton): void {
    if (tool === 'picture') return picker.current?.click()
    const { value: text, selectionStart: start, selectionEnd: end } = area.current!
    replace(area.current!, editOf(tool, { text, start, end }, t.tools.words))
  }

  function pressByKey(event: KeyboardEvent): void {
    const tool = SHORTCUTS[event.key.toLowerCase()]
    if (tool === undefined || !isMarkdown || event.altKey || event.shiftKey) return
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    press(tool)
  }

  /** Inserts images at the caret and sends them. Shows why an image is not accepted. */
  async function insert(files: readonly File[], isToBeNamed: boolean): Promise<void> {
    const found = await Promise.all(files.map(pictureProblem))
    // The user has left the form in the meantime.
    if (area.current === null) return
    const chosen = files
      .filter((_, index) => found[index] === null)
      .map((file) => ({ file, name: newPictureName(), words: wordsOf(file) }))
    const { value: text, selectionStart: start, selectionEnd: end } = area.current
    const isTooMany = picturesIn(text).length + chosen.length > MAX_PICTURES
    setProblems([...found.filter((one) => one !== null), ...(isTooMany ? [t.pictures.tooMany] : [])])
    if (chosen.length === 0 || isTooMany) return
    for (const { name, file } of chosen) pictures.start(name, file)
    replace(area.current, picturesEdit({ text, start, end }, chosen, isToBeNamed))
  }

  /** Takes pasted or dropped images. Leaves everything else to the browser. */
  function take(event: ClipboardEvent | DragEvent, from: DataTransfer): void {
    const files = Array.from(from.files).filter(({ type }) => type.startsWith('image/'))
    // A copied table also includes an image of itself.
    if (!isMarkdown || files.length === 0 || from.getData('text/plain') !== '') return
    event.preventDefault()
    void insert(files, false)
  }

  function remove(name: string): void {
    const edit = withoutPicture(bound.value, name)
    if (edit !== undefined) replace(area.current!, edit)
  }

  return (
    <FormGrid columns={1}>
      <Field
        label={t.form.memo}
        errorMessage={bound.errorMessage}
        description={isMarkdown ? t.tools.hint : undefined}
      >
        {({ native }) => (
          <div className={classes(input.box, styles.editor)}>
            <div className={styles.bar}>
              <input
                ref={picker}
                type="file"
                hidden
                multiple
                aria-label={t.tools.picture}
                accept={PICTURE_TYPES}
                onChange={(event) => {
                  const files = Array.from(event.target.files ?? [])
                  // Without this, selecting the same image again would fire no event.
                  event.target.value = ''
                  void insert(files, true)
                }}
              />
              {isMarkdown && !isPreview && <TextToolbar areaId={native.id} onPress={press} />}
              <div className={styles.right}>
                {isMarkdown && (
                  <Button
                    size="small"
                    variant="quiet"
                    aria-pressed={isPreview}
                    onClick={() => setWantsPreview(!isPreview)}
                  >
                    <EyeIcon size={16} />
                    {t.tools.preview}
                  </Button>
                )}
                <Checkbox
                  label={t.tools.markdown}
                  value={isMarkdown}
                  onBlur={format.onBlur}
                  onChange={(is) => format.onChange(is ? MEMO_FORMAT.markdown : MEMO_FORMAT.plain)}
                />
              </div>
            </div>
            <textarea
              {...native}
              name={bound.name}
              ref={(element) => {
                area.current = element
                ref(element)
              }}
              hidden={isPreview}
              className={input.area}
              rows={14}
              value={bound.value}
              onBlur={bound.onBlur}
              onChange={(event) => bound.onChange(event.target.value)}
              onKeyDown={pressByKey}
              onPaste={(event) => take(event, event.clipboardData)}
              onDrop={(event) => take(event, event.dataTransfer)}
            />
            {isMarkdown && (
              <SentPictures
                text={bound.value}
                sent={pictures.sent}
                problems={problems}
                onRetry={pictures.retry}
                onRemove={remove}
              />
            )}
            {isPreview && (
              <section className={styles.preview} aria-label={t.tools.preview}>
                {bound.value.trim() === '' ? (
                  <p className={layout.quiet}>{t.detail.noMemo}</p>
                ) : (
                  <Suspense fallback={<p className={layout.quiet}>{t.tools.previewLoading}</p>}>
                    <MemoText text={bound.value} format={MEMO_FORMAT.markdown} source={source} />
                  </Suspense>
                )}
              </section>
            )}
          </div>
        )}
      </Field>
    </FormGrid>
  )
}

/** Types an edit into the text, so that the browser can undo it like other input. */
function replace(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus()
  area.setSelectionRange(from, to)
  // Deprecated but without alternative: any other change by a script ends the field's undo history.
  // oxlint-disable-next-line typescript/no-deprecated
  if (!document.execCommand('insertText', false, insert)) {
    area.setRangeText(insert, from, to)
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  area.setSelectionRange(start, end)
}

interface Props {
  text: string
  sent: readonly SentPicture[]
  /** Reasons why selected files cannot be images of the text. */
  problems: readonly string[]
  onRetry: (name: string) => void
  onRemove: (name: string) => void
}

/**
 * Shows the progress of the images that are being sent, the failed ones with buttons to retry or remove, and rejected files.
 * Leaves out images that the text no longer contains.
 */
function SentPictures({ text, sent, problems, onRetry, onRemove }: Props) {
  const t = usePortalMessages().notices.pictures
  const { sendAgain } = usePortalMessages().files
  const named = new Set(picturesIn(text))
  const here = sent.filter(({ name }) => named.has(name))
  const [first, ...others] = here.filter(({ problem }) => problem === undefined)
  return (
    <div className={styles.pictures}>
      <output>{first !== undefined && t.sending(first.fileName, first.percent, others.length)}</output>
      {problems.map((problem) => (
        <p key={problem} role="alert" className={styles.problem}>
          {problem}
        </p>
      ))}
      {here.map(
        ({ name, fileName, problem }) =>
          problem !== undefined && (
            <div key={name} className={styles.failed}>
              <p role="alert" className={styles.problem}>
                {t.failed(fileName, problem)}
              </p>
              <Button size="small" onClick={() => onRetry(name)}>
                {sendAgain}
              </Button>
              <Button size="small" onClick={() => onRemove(name)}>
                {t.remove}
              </Button>
            </div>
          ),
      )}
    </div>
  )
}

import { Suspense, useRef, useState } from 'react'
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
import { RichEditor } from './rich/rich-editor.tsx'
import { SourceArea } from './source-area.tsx'
import { TextToolbar } from './text-toolbar.tsx'
import type { TextEditor, ToolButton } from './text-tools.ts'
import type { FormPictures, SentPicture } from '../files/use-pictures.ts'

/** Key in localStorage of the way to write that the user chose last: SOURCE, or 'editor'. */
const STORED = 'notice-editor'
/** Stored value for the Markdown source. */
const SOURCE = 'markdown'

/**
 * Shows the field for the body of a notice (rules/notices#editor). Markdown is written in the editor or as source,
 * with toolbar, images and preview; checkboxes choose source and plain text. Shows the source if the editor cannot
 * keep the text. Pasted, dropped and selected images are sent immediately. Must be inside the form of a notice.
 * @param source images of the saved notice
 * @param pictures images that this form sends
 */
export function MemoField({ source, pictures }: { source: PictureSource; pictures: FormPictures }) {
  const t = usePortalMessages().notices
  const { control, getValues, setFocus } = useFormContext<NoticeFormValues>()
  const format = useController({ control, name: 'memoFormat' }).field
  const { ref, ...bound } = useBound<NoticeFormValues>({ name: 'memo' })
  const editor = useRef<TextEditor>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [wantsPreview, setWantsPreview] = useState(false)
  const [isNarrow, setNarrow] = useState(false)
  const [wantsSource, setWantsSource] = useState(() => localStorage.getItem(STORED) === SOURCE)
  const [isRefused, setRefused] = useState(false)
  const [pressed, setPressed] = useState<ReadonlySet<string>>(new Set())
  const isMarkdown = format.value === MEMO_FORMAT.markdown
  const isRich = isMarkdown && !wantsSource && !isRefused
  // If the text has an error, show the editor so that the user can correct it.
  const isPreview = wantsPreview && isMarkdown && bound.errorMessage === undefined

  /** Applies a button of the toolbar; that of images opens the file dialog. */
  function press(tool: ToolButton): void {
    if (tool === 'picture') picker.current?.click()
    else editor.current?.press(tool)
  }

  /** Switches to the source or the editor, and stores the choice in this browser. */
  function chooseSource(is: boolean): void {
    localStorage.setItem(STORED, is ? SOURCE : 'editor')
    setWantsSource(is)
    setRefused(false)
  }

  /**
   * Sends images and inserts them at the caret. Shows why files are not accepted. Inserts none if the text would have more
   * than MAX_PICTURES.
   */
  async function insert(files: readonly File[], isToBeNamed: boolean): Promise<void> {
    const found = await Promise.all(files.map(pictureProblem))
    // The user has left the form in the meantime.
    if (editor.current === null) return
    const chosen = files
      .filter((_, index) => found[index] === null)
      .map((file) => ({ file, name: newPictureName(), words: wordsOf(file) }))
    const isTooMany = picturesIn(editor.current.text()).length + chosen.length > MAX_PICTURES
    setProblems([...found.filter((one) => one !== null), ...(isTooMany ? [t.pictures.tooMany] : [])])
    if (chosen.length === 0 || isTooMany) return
    await Promise.all(chosen.map(({ name, file }) => pictures.start(name, file)))
    editor.current?.insertPictures(chosen, isToBeNamed)
  }

  /** Inserts pasted or dropped images. @returns false for plain text and anything else, which the browser handles */
  function take(from: DataTransfer): boolean {
    const files = Array.from(from.files).filter(({ type }) => type.startsWith('image/'))
    // A copied table also includes an image of itself.
    if (!isMarkdown || files.length === 0 || from.getData('text/plain') !== '') return false
    void insert(files, false)
    return true
  }

  const hint = isRefused
    ? t.tools.refused
    : isRich
      ? pressed.has('table')
        ? t.tools.tableHint
        : t.tools.editorHint
      : t.tools.hint
  const shared = { value: bound.value, onBlur: bound.onBlur, onChange: bound.onChange, onFiles: take }
  return (
    <FormGrid columns={1}>
      <Field
        label={t.form.memo}
        errorMessage={bound.errorMessage}
        description={isMarkdown ? hint : undefined}
        {...(isRich && { onLabelClick: () => setFocus('memo') })}
      >
        {({ native, labelId, messageId, isInvalid }) => (
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
              {isMarkdown && !isPreview && (
                <TextToolbar areaId={native.id} pressed={isRich ? pressed : undefined} onPress={press} />
              )}
              <div className={styles.right}>
                {isPreview && (
                  <Button
                    size="small"
                    variant="quiet"
                    aria-pressed={isNarrow}
                    onClick={() => setNarrow(!isNarrow)}
                  >
                    {t.tools.phoneWidth}
                  </Button>
                )}
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
                {isMarkdown && <Checkbox label={t.tools.source} value={!isRich} onChange={chooseSource} />}
                <Checkbox
                  label={t.tools.markdown}
                  value={isMarkdown}
                  onBlur={format.onBlur}
                  onChange={(is) => format.onChange(is ? MEMO_FORMAT.markdown : MEMO_FORMAT.plain)}
                />
              </div>
            </div>
            {isRich ? (
              <RichEditor
                {...shared}
                ref={editor}
                inputRef={ref}
                field={{ id: native.id, labelId, messageId, isInvalid }}
                readValue={() => getValues('memo')}
                isHidden={isPreview}
                source={source}
                onRefused={() => setRefused(true)}
                onTools={setPressed}
              />
            ) : (
              <SourceArea
                {...native}
                {...shared}
                ref={editor}
                inputRef={ref}
                name={bound.name}
                hidden={isPreview}
                hasTools={isMarkdown}
              />
            )}
            {isMarkdown && (
              <SentPictures
                text={bound.value}
                sent={pictures.sent}
                problems={problems}
                onRetry={pictures.retry}
                onRemove={(name) => editor.current?.removePicture(name)}
              />
            )}
            {isPreview && (
              <section
                className={classes(styles.preview, isNarrow && styles.narrow)}
                aria-label={t.tools.preview}
              >
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

/** Images of the text, and the actions for failed ones. */
interface Props {
  text: string
  sent: readonly SentPicture[]
  /** Reasons why selected files cannot be images of the text. */
  problems: readonly string[]
  onRetry: (name: string) => void
  onRemove: (name: string) => void
}

/**
 * Shows the progress of the images that are being sent, each failed one with buttons to retry or remove it, and
 * why files were rejected. Leaves out images that the text no longer contains.
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

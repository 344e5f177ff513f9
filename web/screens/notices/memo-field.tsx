import { Suspense, useRef, useState, type KeyboardEvent } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { MEMO_FORMAT } from '../../../contract/notices.ts'
import { useBound } from '../../forms/bound-text.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/field.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { EyeIcon } from '../../ui/icons.tsx'
import input from '../../ui/input.module.css'
import layout from '../../ui/layout.module.css'
import type { NoticeFormValues } from './form-values.ts'
import styles from './memo-field.module.css'
import { MemoText } from './memo-text.tsx'
import { TextToolbar } from './text-toolbar.tsx'
import { type Edit, editOf, type Tool } from './text-tools.ts'

/** By the key that is held with Ctrl or ⌘. */
const SHORTCUTS: Record<string, Tool> = { b: 'bold', i: 'italic' }

/** The text of a notice (rules/notices#toolbar): Markdown with its tools and how it will look, or plain. */
export function MemoField() {
  const t = usePortalMessages().notices
  const { control } = useFormContext<NoticeFormValues>()
  const format = useController({ control, name: 'memoFormat' }).field
  const { ref, ...bound } = useBound<NoticeFormValues>({ name: 'memo' })
  const area = useRef<HTMLTextAreaElement>(null)
  const [wantsPreview, setWantsPreview] = useState(false)
  const isMarkdown = format.value === MEMO_FORMAT.markdown
  // What is wrong with a text is mended in the text.
  const isPreview = wantsPreview && isMarkdown && bound.errorMessage === undefined

  function press(tool: Tool): void {
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
            />
            {isPreview && (
              <section className={styles.preview} aria-label={t.tools.preview}>
                {bound.value.trim() === '' ? (
                  <p className={layout.quiet}>{t.detail.noMemo}</p>
                ) : (
                  <Suspense fallback={<p className={layout.quiet}>{t.tools.previewLoading}</p>}>
                    <MemoText text={bound.value} format={MEMO_FORMAT.markdown} />
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

/** Types an edit into the text, so that the browser can take it back like whatever else was typed. */
function replace(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus()
  area.setSelectionRange(from, to)
  // Said to be out of use, and all there is: what scripts put into a field otherwise ends its history.
  // oxlint-disable-next-line typescript/no-deprecated
  if (!document.execCommand('insertText', false, insert)) {
    area.setRangeText(insert, from, to)
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  area.setSelectionRange(start, end)
}

import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { EditorState, NodeSelection, type Transaction } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { EditorView } from 'prosemirror-view'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref } from 'react'
import { usePortalMessages } from '../../../../language.tsx'
import type { PictureSource } from '../../files/notice-picture.tsx'
import memo from '../../read/memo-text.module.css'
import type { TextEditor } from '../text-tools.ts'
import type { Original } from './from-markdown.ts'
import { describePicture, insertPictures, linkAround, removePicture, setLink } from './edits.ts'
import { pasteParser, textSlice, withoutStyles } from './paste.ts'
import { PictureView } from './picture-view.ts'
import styles from './rich-editor.module.css'
import { TargetDialog } from './target-dialog.tsx'
import { openMarkdown, writeMarkdown } from './to-markdown.ts'
import { commandOf, createCellKeys, keepShape, KEYS, pressedTools, typedFormats, withTail } from './tools.ts'

interface Props {
  ref: Ref<TextEditor>
  /** Receives the editable element, so that the form can put the focus on it. */
  inputRef: (element: HTMLElement | null) => void
  /** The IDs of the field, its label and its message. */
  field: { id: string | undefined; labelId: string; messageId: string | undefined; isInvalid: boolean }
  value: string
  /** Returns the value that the form has now: the rendered one may be older than the last key. */
  readValue: () => string
  isHidden: boolean
  source: PictureSource
  onChange: (value: string) => void
  onBlur: () => void
  /** Called if the editor cannot keep the text. */
  onRefused: () => void
  /** Takes the images of pasted or dropped files. @returns false if there are none */
  onFiles: (from: DataTransfer) => boolean
  /** Receives the tools whose format the selection has. */
  onTools: (pressed: ReadonlySet<string>) => void
}

/**
 * Shows an editor in which users see and edit a Markdown text as readers see it (rules/notices#editor). Each edit
 * calls `onChange` with the Markdown; unedited blocks stay as typed. Calls `onRefused` if it cannot keep the text.
 * Links and image descriptions are edited in a dialog.
 */
export function RichEditor(props: Props) {
  const { ref, inputRef, field, value, isHidden } = props
  const { words } = usePortalMessages().notices.tools
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const original = useRef<Original>(undefined)
  /** The text that the document is; a different value comes from outside. */
  const text = useRef<string>(undefined)
  /** The edit that a dialog asks for. */
  const answered = useRef<(state: EditorState) => Transaction | null>(undefined)
  const [dialog, setDialog] = useState<'link' | 'describe'>()

  /** Reports the tools of the selection. */
  const show = (state: EditorState) => props.onTools(pressedTools(state))
  /** Applies a transaction of the editor, and reports the new text. */
  const change = useEffectEvent((transaction: Transaction) => {
    const state = view.current!.state.apply(transaction)
    view.current!.updateState(state)
    if (transaction.docChanged) {
      text.current = writeMarkdown(state.doc, original.current)
      props.onChange(text.current)
    }
    show(state)
  })
  const take = useEffectEvent((from: DataTransfer | null) => from !== null && props.onFiles(from))
  const blur = useEffectEvent(() => props.onBlur())
  const sourceId = useEffectEvent(() => props.source.noticeId)

  /** Opens the form's value unless the editor has it already: at the start, and after a change from outside. */
  const load = useEffectEvent(() => {
    const typed = props.readValue()
    if (typed === text.current) return
    const opened = openMarkdown(typed)
    if (opened === undefined) return props.onRefused()
    const doc = withTail(opened.doc)
    original.current = { ...opened, doc }
    text.current = typed
    const openLink = () => {
      setDialog('link')
      return true
    }
    const plugins = [
      typedFormats,
      keymap({ 'Mod-k': openLink }),
      keymap(KEYS),
      createCellKeys(),
      history(),
      keepShape,
      tableEditing(),
    ]
    const state = EditorState.create({ doc, plugins })
    if (view.current !== null) view.current.updateState(state)
    else
      view.current = new EditorView(place.current, {
        state,
        transformPastedHTML: withoutStyles,
        clipboardParser: pasteParser,
        clipboardTextParser: textSlice,
        nodeViews: { image: (node) => new PictureView(node, sourceId()) },
        dispatchTransaction: change,
        handlePaste: (_view, event) => take(event.clipboardData),
        handleDrop: (_view, event) => take(event.dataTransfer),
        handleDOMEvents: { blur },
      })
    inputRef(view.current.dom)
    show(state)
  })

  const { id, labelId, messageId, isInvalid } = field
  useEffect(() => load(), [value])
  useEffect(() => {
    view.current?.setProps({
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelId,
        class: `${memo['markdown']} ${styles['text']}`,
        ...(id !== undefined && { id }),
        ...(messageId !== undefined && { 'aria-describedby': messageId }),
        ...(isInvalid && { 'aria-invalid': 'true' }),
      },
    })
  }, [id, labelId, messageId, isInvalid])
  useEffect(
    () => () => {
      inputRef(null)
      view.current?.destroy()
      view.current = null
      text.current = undefined
    },
    // The form registers the element again with every render.
    // oxlint-disable-next-line react/exhaustive-deps
    [],
  )

  /** Applies an edit, if there is one, and puts the focus on the editor. */
  const run = (edit: (state: EditorState) => Transaction | null) => {
    const { current } = view
    const transaction = current && edit(current.state)
    if (current === null || !transaction) return
    current.dispatch(transaction.scrollIntoView())
    current.focus()
  }

  /** Applies the edit of a dialog after it has closed. */
  const finish = useEffectEvent(() => {
    if (dialog !== undefined || answered.current === undefined) return
    run(answered.current)
    answered.current = undefined
  })
  // Outside a dialog nothing can have the focus until it is closed.
  useEffect(() => finish(), [dialog])

  useImperativeHandle(ref, () => ({
    press(tool) {
      const { current } = view
      if (current === null || tool === 'picture') return
      if (tool === 'link' || tool === 'describe') return setDialog(tool)
      commandOf(tool, words)(current.state, current.dispatch)
      current.focus()
    },
    insertPictures: (pictures, isToBeNamed) => run((state) => insertPictures(state, pictures, isToBeNamed)),
    removePicture: (name) => run((state) => removePicture(state, name)),
    text: () => text.current ?? '',
  }))

  const selected = view.current?.state.selection
  return (
    <div className={styles.place} hidden={isHidden}>
      <div ref={place} />
      {dialog !== undefined && view.current !== null && (
        <TargetDialog
          kind={dialog}
          value={
            dialog === 'link'
              ? (linkAround(view.current.state)?.href ?? '')
              : selected instanceof NodeSelection
                ? (selected.node.attrs['alt'] as string)
                : ''
          }
          onClose={() => setDialog(undefined)}
          onSave={(typed) => {
            answered.current = (state) =>
              dialog === 'link' ? setLink(state, typed) : describePicture(state, typed)
            setDialog(undefined)
          }}
        />
      )}
    </div>
  )
}

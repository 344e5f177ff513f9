import { useImperativeHandle, useRef, type ComponentProps, type KeyboardEvent, type Ref } from 'react'
import { usePortalMessages } from '../../../language.tsx'
import input from '../../../ui/input.module.css'
import { replaceText } from '../../../ui/replace-text.ts'
import { editOf, picturesEdit, type TextEditor, type Tool, TOOLS, withoutPicture } from './text-tools.ts'

/** Tools by the key that is pressed together with Ctrl or ⌘. An upper-case key needs Shift, too. */
const SHORTCUTS: Record<string, Tool> = { b: 'bold', i: 'italic', X: 'strike', e: 'code', k: 'link' }

interface Props extends Omit<ComponentProps<'textarea'>, 'ref' | 'onChange'> {
  ref: Ref<TextEditor>
  inputRef: (element: HTMLTextAreaElement | null) => void
  value: string
  /** True for Markdown: keyboard shortcuts then use the tools. */
  hasTools: boolean
  onChange: (value: string) => void
  /** Takes the images of pasted or dropped files. @returns false if there are none */
  onFiles: (from: DataTransfer) => boolean
}

/**
 * Shows the field for the source of a text: Markdown, whose tools also work by shortcut, or plain text. Passes
 * pasted and dropped images to `onFiles`.
 */
export function SourceArea({ ref, inputRef, hasTools, onChange, onFiles, ...native }: Props) {
  const { words } = usePortalMessages().notices.tools
  const area = useRef<HTMLTextAreaElement>(null)
  const selection = () => {
    const { value: text, selectionStart: start, selectionEnd: end } = area.current!
    return { text, start, end }
  }

  /** Applies a tool to the selection. Ignores buttons that the source does not have. */
  function press(tool: string): void {
    const found = TOOLS.find((one) => one === tool)
    if (found !== undefined) replaceText(area.current!, editOf(found, selection(), words))
  }

  useImperativeHandle(ref, () => ({
    press,
    insertPictures: (pictures, isToBeNamed) =>
      replaceText(area.current!, picturesEdit(selection(), pictures, isToBeNamed)),
    removePicture(name) {
      const edit = withoutPicture(area.current!.value, name)
      if (edit !== undefined) replaceText(area.current!, edit)
    },
    text: () => area.current!.value,
  }))

  /** Applies the tool of a shortcut, if the text is Markdown. */
  function pressByKey(event: KeyboardEvent): void {
    const tool = SHORTCUTS[event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()]
    if (tool === undefined || !hasTools || event.altKey) return
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    press(tool)
  }

  return (
    <textarea
      {...native}
      ref={(element) => {
        area.current = element
        inputRef(element)
      }}
      className={input.area}
      rows={14}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={pressByKey}
      onPaste={(event) => onFiles(event.clipboardData) && event.preventDefault()}
      onDrop={(event) => onFiles(event.dataTransfer) && event.preventDefault()}
    />
  )
}

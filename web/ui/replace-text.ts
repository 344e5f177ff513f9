/** Replacement of a range of a text, and the selection after it. */
export interface Edit {
  from: number
  to: number
  insert: string
  start: number
  end: number
}

/**
 * Replaces a range of the field by typing, so that the browser can undo it like other input. Moves the focus to the
 * field.
 */
export function replaceText(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
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

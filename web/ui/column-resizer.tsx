import type { KeyboardEvent, PointerEvent } from 'react'
import styles from './data-table.module.css'

interface Props {
  /** Label, which includes the name of the column. */
  label: string
  width: number
  /** True for the one handle of a table that Tab reaches. The up and down arrows move the focus to the others. */
  isStop: boolean
  onResize: (width: number) => void
  /** Called to restore the width that fits the content. */
  onReset: () => void
  onFocus: () => void
}

/** Minimum width of a column in pixels. */
const NARROWEST = 48
/** Maximum width of a column in pixels. */
const WIDEST = 1000
/** Pixels by which an arrow key changes a width. */
const STEP = 16

/**
 * Shows a handle between two headers that changes a column's width by dragging or by the left and right arrows. A
 * double click or Delete restores the automatic width.
 */
export function ColumnHandle({ label, width, isStop, onResize, onReset, onFocus }: Props) {
  const resize = (to: number) => onResize(Math.round(Math.min(Math.max(to, NARROWEST), WIDEST)))

  function drag(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    const handle = event.currentTarget
    const begin = event.clientX
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) => resize(width + clientX - begin)
    const end = () => handle.removeEventListener('pointermove', move)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', end, { once: true })
  }

  /** Handles a key on the handle: left and right resize, Delete and Backspace reset, up and down move the focus. */
  function press(event: KeyboardEvent<HTMLElement>) {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    const next = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step !== undefined) resize(width + step)
    else if (event.key === 'Delete' || event.key === 'Backspace') onReset()
    else if (next !== undefined) {
      const all = [
        ...(event.currentTarget.closest('tr')?.querySelectorAll<HTMLElement>('[role=separator]') ?? []),
      ]
      all[all.indexOf(event.currentTarget) + next]?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    // In ARIA a focusable separator is a control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <span
      // The `hr` element takes no focus.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(width)}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      title={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isStop ? 0 : -1}
      className={styles.handle}
      onPointerDown={drag}
      onDoubleClick={onReset}
      onKeyDown={press}
      onFocus={onFocus}
    />
  )
}

import { useEffect, useRef, type PointerEvent } from 'react'

/** Milliseconds for which a mouse must stay within REST_PX pixels until it counts as resting. */
const REST_MS = 150
/** Pixels that a resting mouse may move. */
const REST_PX = 6

/**
 * Calls back when a mouse rests on an element, but not while it crosses it. Touch and pen never call.
 * @returns `onPointerMove` for the element, and `stop`, which cancels a pending call: call it when the pointer leaves
 */
export function useHoverIntent(onRest: () => void) {
  const pending = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(undefined)
  function stop() {
    clearTimeout(pending.current?.timer)
    pending.current = undefined
  }
  useEffect(() => () => clearTimeout(pending.current?.timer), [])
  return {
    stop,
    onPointerMove: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
      const from = pending.current
      if (pointerType !== 'mouse') return
      if (from !== undefined && Math.hypot(x - from.x, y - from.y) < REST_PX) return
      stop()
      pending.current = { x, y, timer: setTimeout(onRest, REST_MS) }
    },
  }
}

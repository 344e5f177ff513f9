import { useEffect, useRef, type PointerEvent } from 'react'

/** A mouse that stays within a few pixels for so long has come to rest: somebody means what lies under it. */
const REST_MS = 150
const REST_PX = 6

/**
 * Calls back when the mouse has come to rest on an element; on its way across, it means nothing.
 * @returns what the element listens with
 */
export function useRest(onRest: () => void) {
  const waiting = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(undefined)
  function stop() {
    clearTimeout(waiting.current?.timer)
    waiting.current = undefined
  }
  useEffect(() => () => clearTimeout(waiting.current?.timer), [])
  return {
    stop,
    onPointerMove: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
      const from = waiting.current
      if (pointerType !== 'mouse') return
      if (from !== undefined && Math.hypot(x - from.x, y - from.y) < REST_PX) return
      stop()
      waiting.current = { x, y, timer: setTimeout(onRest, REST_MS) }
    },
  }
}

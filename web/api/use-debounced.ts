import { useEffect, useState } from 'react'

/** Milliseconds without input after which a search starts. */
const DEBOUNCE_MS = 200

/**
 * Returns a text when it has not changed for DEBOUNCE_MS, and the previous one until then; an empty text immediately.
 */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : debounced
}

import { useSyncExternalStore } from 'react'

/** Media query for windows narrower than 768 pixels. */
const phone = matchMedia('(width < 768px)')

/** Calls the listener when the window becomes narrow or wide. Returns a function that stops this. */
function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** Returns whether the window is narrower than 768 pixels, as on a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches)
}

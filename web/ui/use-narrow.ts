import { useSyncExternalStore } from 'react'

const phone = matchMedia('(width < 768px)')

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** Returns whether the window is narrower than 768 pixels, as on a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches)
}

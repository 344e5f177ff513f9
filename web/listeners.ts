/** Those who want to hear of a change: `subscribe` is what `useSyncExternalStore` takes. */
export function createListeners() {
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  return { subscribe, notify }
}

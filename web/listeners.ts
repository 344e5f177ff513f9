/** Creates a list of listeners for a change. `subscribe` has the form that `useSyncExternalStore` requires. */
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

/**
 * Creates an empty list of listeners. `subscribe` adds one and returns a function that removes it, as
 * `useSyncExternalStore` requires. `notify` calls all of them.
 */
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

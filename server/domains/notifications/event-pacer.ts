/**
 * Events per second to all streams of a process together, so that their clients do not all send requests at the same
 * time, and a user who publishes notices in a loop does not make them send requests more often.
 */
export const MOST_EVENTS_A_SECOND = 100

/**
 * Creates a function that sends an event to a stream, at most MOST_EVENTS_A_SECOND to all streams. A stream whose event
 * is queued gets no second one: its client reads everything after the first.
 */
export function createEventPacer<Stream>(send: (stream: Stream) => void): (stream: Stream) => void {
  const queued = new Set<Stream>()
  let lastAt = 0
  return (stream) => {
    if (queued.has(stream)) return
    queued.add(stream)
    const now = Date.now()
    lastAt = Math.max(now, lastAt + 1_000 / MOST_EVENTS_A_SECOND)
    setTimeout(() => {
      queued.delete(stream)
      send(stream)
    }, lastAt - now).unref()
  }
}

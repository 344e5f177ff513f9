import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { sessionUid } from '../session.ts'

/** The server sends a sign of life every 20 seconds. A stream that is silent for longer than two of these periods is dead. */
const SILENT_MS = 50_000

/** Why a stream is over. */
export type StreamEnd =
  { why: 'ended' | 'failed' } | { why: 'refused'; status: number; retryAfterMs: number; uid: string | null }

/**
 * Receives a stream of server-sent events. The browser's EventSource cannot send the session in a header. Failures are not shown,
 * because background calls are repeated.
 * @param onEvent called with each event, regardless of its content
 */
export async function listen(path: string, onEvent: () => void, signal: AbortSignal): Promise<StreamEnd> {
  const uid = sessionUid()
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const isAlive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENT_MS)
  }
  isAlive()
  try {
    const response = await fetch(API_BASE + path, {
      headers: { Accept: 'text/event-stream', ...(uid !== null && { [SESSION_HEADER]: uid }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok || response.body === null) {
      const retryAfterMs = Number(response.headers.get('Retry-After') ?? 0) * 1_000
      return { why: 'refused', status: response.status, retryAfterMs, uid }
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      isAlive()
      const events = (rest + read.value).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) if (event.startsWith('data:')) onEvent()
    }
    return { why: 'ended' }
  } catch {
    return { why: 'failed' }
  } finally {
    clearTimeout(timer)
  }
}

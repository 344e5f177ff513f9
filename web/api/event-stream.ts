import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { sessionUid } from '../session.ts'

/**
 * Milliseconds of silence after which a stream counts as broken. The server sends a heartbeat every 20
 * seconds, so this is more than two of them.
 */
const SILENT_MS = 50_000

/**
 * Reason why a stream ended. `failed`: no connection, a broken one, 50 seconds of silence or an abort. `wasOpen`:
 * whether it had begun. `retryAfterMs`: 0 if the server names no time. `uid`: the session token that the server
 * refused.
 */
export type StreamEnd =
  | { why: 'ended' | 'failed'; wasOpen: boolean }
  | { why: 'refused'; status: number; retryAfterMs: number; uid: string | null }

/**
 * Receives a stream of server-sent events until it ends. Never rejects, and shows no failure, because background calls
 * are repeated. The browser's EventSource cannot send the session in a header.
 * @param onEvent called once per event, without its content
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
  let wasOpen = false
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
    wasOpen = true
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      isAlive()
      const events = (rest + read.value).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) if (event.startsWith('data:')) onEvent()
    }
    return { why: 'ended', wasOpen }
  } catch {
    return { why: 'failed', wasOpen }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Sends requests as bytes on many connections, in a process of its own so that it does not delay what is measured. An
 * HTTP client would take several times the CPU, which servers on the same machine need.
 */
import { connect } from 'node:net'
import { inputOf } from './child.ts'
import { quantile } from './numbers.ts'

/** Requests to send repeatedly. */
export interface Load {
  port: number
  /** Maximum number of connections. Without `perSecond`, all are opened immediately. */
  connections: number
  /** Bytes of the requests, sent in turns. */
  requests: string[]
  /** Requests per second, all connections together. Without it, each connection sends as soon as it is answered. */
  perSecond?: number
  /** Seconds after which it ends, when the last request is answered. Without it, the parent ends it. */
  seconds?: number
}

/** Result of a load. `answered`, `perSecond`, `p50` and `p99` (in ms) count only responses with status 200. */
export interface LoadResult {
  sent: number
  /** Connections at the end. */
  open: number
  /** Answers by status; `cut` counts connections that the server closed. */
  statuses: Record<string, number>
  answered: number
  perSecond: number
  p50: number
  p99: number
}

const load = await inputOf<Load>()
/** Answers by status, and `cut` for connections that the server closed. */
const statuses: Record<string, number> = {}
/** Milliseconds of each response with status 200. */
const times: number[] = []
/** Callbacks that send the next request, one per idle connection. */
const free = new Set<() => void>()
const begin = performance.now()
/** Open connections, sent requests, requests without a response yet, and whether the load has ended. */
let [open, sent, waiting, isOver] = [0, 0, 0, false]

process.on('message', () => {
  isOver = true
  report()
})
if (load.perSecond === undefined) for (let i = 0; i < load.connections; i += 1) openOne()
else keepPace(load.perSecond)
if (load.seconds === undefined) process.send?.('started')

/**
 * Sends `perSecond` requests per second on free connections, and opens more up to `load.connections`. Sends fewer if
 * none is free.
 */
function keepPace(perSecond: number): void {
  setInterval(() => {
    const due = ((performance.now() - begin) / 1000) * perSecond
    while (sent < due) {
      const [sendNext] = free
      if (sendNext === undefined) {
        if (open < load.connections) openOne()
        break
      }
      free.delete(sendNext)
      sendNext()
    }
  }, 2)
}

/**
 * Opens a connection that sends requests and counts the responses. When the server closes it, opens another one, unless
 * `perSecond` is set.
 */
function openOne(): void {
  let text = ''
  let sentAt: number | undefined
  const socket = connect({ port: load.port, host: '127.0.0.1' })
  const sendNext = () => {
    if (isOver) return
    socket.write(load.requests[sent % load.requests.length] ?? '')
    sentAt = performance.now()
    sent += 1
    waiting += 1
  }
  const onEnd = (status: string) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    if (sentAt === undefined) return
    if (status === '200') times.push(performance.now() - sentAt)
    sentAt = undefined
    waiting -= 1
    if (load.seconds === undefined || performance.now() < begin + load.seconds * 1000) return
    isOver = true
    if (waiting === 0) report()
  }
  const onFree = () => {
    if (load.perSecond === undefined) sendNext()
    else free.add(sendNext)
  }
  open += 1
  socket.setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('connect', onFree)
  socket.on('data', (chunk: string) => {
    text += chunk
    const head = text.indexOf('\r\n\r\n')
    if (head < 0) return
    const [, status, length] =
      /^HTTP\/1\.1 (\d{3})[^]*?content-length: (\d+)/i.exec(text.slice(0, head)) ?? []
    if (status === undefined || text.length < head + 4 + Number(length)) return
    text = ''
    onEnd(status)
    onFree()
  })
  socket.on('close', () => {
    open -= 1
    free.delete(sendNext)
    onEnd('cut')
    if (!isOver && load.perSecond === undefined) openOne()
  })
}

/** Sends the result to the parent. The quantiles are NaN if no response had status 200. */
function report(): void {
  const perSecond = (times.length / (performance.now() - begin)) * 1000
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  process.send?.({ sent, open, statuses, answered: times.length, perSecond, p50, p99 } satisfies LoadResult)
}

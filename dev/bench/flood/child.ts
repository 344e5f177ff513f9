/** Sends requests that are ready as bytes, on many connections, in a process of its own: who measures is not held up by it. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Flood } from './flood.ts'

const statuses: Record<string, number> = {}
const free: Socket[] = []
let [open, sent, isOver] = [0, 0, false]

process.on('message', () => {
  isOver = true
  process.send?.({ sent, statuses, open }, () => process.exit())
})
// Whoever started it is gone.
process.on('disconnect', () => process.exit())
start(JSON.parse(readFileSync(process.env['FLOOD_FILE'] ?? '', 'utf8')) as Flood)

function start(flood: Flood): void {
  const { connections, perSecond } = flood
  if (perSecond === undefined) {
    for (let i = 0; i < connections; i += 1) openOne(flood)
    return
  }
  const begin = performance.now()
  setInterval(() => {
    const due = ((performance.now() - begin) / 1000) * perSecond
    while (sent < due) {
      const socket = free.pop()
      if (socket === undefined) {
        if (open < connections) openOne(flood)
        break
      }
      send(socket, flood)
    }
  }, 2)
}

function openOne(flood: Flood): void {
  const isFree = (socket: Socket) => {
    if (flood.perSecond === undefined) send(socket, flood)
    else free.push(socket)
  }
  open += 1
  const socket = connect({ port: flood.port, host: '127.0.0.1' })
  let text = ''
  socket.setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('connect', () => isFree(socket))
  socket.on('data', (chunk: string) => {
    text += chunk
    // Answers to calls are short and say their length.
    const [, status, length] = /^HTTP\/1\.1 (\d{3})[^]*?content-length: (\d+)/i.exec(text) ?? []
    const head = text.indexOf('\r\n\r\n')
    if (status === undefined || head < 0 || text.length < head + 4 + Number(length)) return
    text = ''
    statuses[status] = (statuses[status] ?? 0) + 1
    isFree(socket)
  })
  socket.on('close', () => {
    open -= 1
    const at = free.indexOf(socket)
    if (at >= 0) free.splice(at, 1)
    if (isOver) return
    statuses['cut'] = (statuses['cut'] ?? 0) + 1
    if (flood.perSecond === undefined) openOne(flood)
  })
}

function send(socket: Socket, { requests }: Flood): void {
  if (isOver) return
  socket.write(requests[sent % requests.length] ?? '')
  sent += 1
}

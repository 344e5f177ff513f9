// Receives webhooks, verifies their signatures (Standard Webhooks) and prints each event once.
//   WEBHOOK_SECRET=whsec_… PORT=8080 SEEN_FILE=seen.txt node webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { WEBHOOK_SECRET, PORT = '8080', SEEN_FILE = 'seen.txt' } = process.env
const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
const seen = new Set(existsSync(SEEN_FILE) ? readFileSync(SEEN_FILE, 'utf8').split('\n') : [])

function isGenuine(id, timestamp, signatures, body) {
  // An old request may be one that was recorded and sent again.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const server = createServer(async (request, answer) => {
  const body = await text(request)
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => request.headers[`webhook-${name}`],
  )
  if (!isGenuine(id, timestamp, signatures, body)) return answer.writeHead(400).end('invalid signature')
  if (!seen.has(id)) {
    process.stdout.write(`${body}\n`)
    appendFileSync(SEEN_FILE, `${id}\n`)
    seen.add(id)
  }
  return answer.writeHead(204).end()
})
server.listen(Number(PORT), () => process.stderr.write(`Listening on port ${server.address().port}.\n`))

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { connectionOf } from './hosts.ts'

/* Several hosts in DATABASE_URL (rules/running#several-hosts). */

test('one host is left to pg', () => {
  const url = 'postgres://maru:a%2Cb@db.example:5432/maru?sslmode=require'
  expect(connectionOf(url)).toEqual({ connectionString: url })
})

test('several keep user, password, name and options', () => {
  const { connectionString } = connectionOf('postgres://maru:a%2Cb@a:1,[::1]:2,c/maru?sslmode=require')
  expect(connectionString).toBe('postgres://maru:a%2Cb@a:1/maru?sslmode=require')
})

test.each(['postgres://a:5432,/maru', 'postgres://a,b:x/maru', 'postgres://a b,c/maru'])(
  'hosts that cannot be read stop the start in one line: %s',
  (url) => {
    expect(() => connectionOf(url)).toThrow(/^DATABASE_URL: its hosts cannot be read[^\n]+$/)
  },
)

test('a host that answers the connection and no question keeps no connection', async () => {
  const closed = Promise.withResolvers<void>()
  const silent = createServer((socket) => {
    // Authenticated, and ready for a query.
    socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')))
    socket.on('error', () => {}).on('close', closed.resolve)
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { Client = pg.Client, ...config } = connectionOf(
    `postgres://maru@127.0.0.1:${port}/maru?target_session_attrs=read-write`,
  )
  await expect(new Client(config).connect()).rejects.toThrow('none of the hosts takes writes')
  await closed.promise
  silent.close()
})

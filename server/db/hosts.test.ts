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

import { createCipheriv, createDecipheriv } from 'node:crypto'
import { expect, test } from 'vitest'
import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'
import { seal, unseal } from './envelope.ts'

const { key, iv } = DEFAULT_ENVELOPE
const values = [{}, { NAME: '김민준', MEMO: '줄\n바꿈 😀 "따옴표"' }, [1, null, true], 'x'.repeat(100_000)]

test.each(values)('decrypts what the page seals, as AES-256-CBC with PKCS#7', (value) => {
  const decipher = createDecipheriv('aes-256-cbc', key, iv)
  const text = decipher.update(seal(value, DEFAULT_ENVELOPE), 'base64', 'utf8') + decipher.final('utf8')
  expect(JSON.parse(text)).toEqual(value)
})

test.each(values)('decrypts on the page what AES-256-CBC with PKCS#7 seals', (value) => {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  const data = cipher.update(JSON.stringify(value), 'utf8', 'base64') + cipher.final('base64')
  expect(unseal(data, DEFAULT_ENVELOPE)).toEqual(value)
})

test('rejects on the page what was sealed with another key', () => {
  const other = { key: 'another-portal-envelope-aes-key!', iv }
  expect(() => unseal(seal({ a: 1 }, other), DEFAULT_ENVELOPE)).toThrow()
})

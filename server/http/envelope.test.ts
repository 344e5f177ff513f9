import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'
import { Refusal } from '../../contract/errors.ts'
import { countTurns } from '../../dev/test-kit/turns.ts'
import { createEnvelope } from './envelope.ts'

const envelope = createEnvelope(DEFAULT_ENVELOPE)

function open(body: string | Buffer): Promise<unknown> {
  return envelope.open(Buffer.from(body))
}

// Verified against OpenSSL and CryptoJS (raw key and IV): printf '%s' "$PLAIN" | openssl enc -aes-256-cbc -K "$KEY_HEX"
// -iv "$IV_HEX" -base64 -A
const PLAIN = { ID: 'hong.gildong', PW: '비밀번호-Maru-2026!' }
const SEALED = '1/h034qTsExdtz9FtfP4mquxP8BRwu4QRKAOBZEpGxsKfoznCbZI5SCheUTEZHw9hhs+uXNGnGAyNepqYDumfg=='

describe('the envelope (rules/wire#envelope)', () => {
  test('encrypts like OpenSSL and CryptoJS: AES-256-CBC, PKCS#7, Base64 ciphertext', () => {
    expect(envelope.seal(PLAIN)).toBe(SEALED)
  })

  test('opens what OpenSSL sealed, with Korean intact', async () => {
    expect(await open(JSON.stringify({ DATA: SEALED }))).toEqual(PLAIN)
  })

  test('fills whole blocks: PKCS#7 adds one when the value fits exactly', () => {
    const sealed = Buffer.from(envelope.seal('12345678901234'), 'base64')
    expect(sealed).toHaveLength(32)
  })

  test.each([
    ['no body', ''],
    ['{}', '{}'],
    ['DATA holding {}', '{"DATA":"eBXOk5+uW1KCevMrwMUkuQ=="}'],
  ])('may be %s for a call without fields', async (_, body) => {
    expect(await open(body)).toEqual({})
    expect(await envelope.open(undefined)).toEqual({})
  })

  test.each([
    ['no JSON', 'ID=hong&PW=x'],
    ['half a JSON', '{"DATA":"'],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"DATA"'],
    ['an array', '[{"DATA":"eBXOk5+uW1KCevMrwMUkuQ=="}]'],
    ['an object without DATA', '{"data":"eBXOk5+uW1KCevMrwMUkuQ=="}'],
    ['DATA null', '{"DATA":null}'],
    ['DATA a number', '{"DATA":1}'],
    ['DATA the bare input', '{"DATA":{"ID":"x"}}'],
    ['DATA an array', '{"DATA":["eBXOk5+uW1KCevMrwMUkuQ=="]}'],
    ['DATA empty', '{"DATA":""}'],
    ['no Base64', '{"DATA":"이것은 Base64가 아닙니다"}'],
    ['Base64 with a line end', String.raw`{"DATA":"eBXOk5+uW1KCevMrwMUkuQ==\n"}`],
    ['URL-safe Base64', `{"DATA":"${'eBXOk5+uW1KCevMrwMUkuQ'.replaceAll('+', '-')}-_"}`],
    ['Base64 with a blank within', '{"DATA":"eBXOk5+uW1KC evMrwMUkuQ=="}'],
    ['Base64 that ends within', '{"DATA":"eBXOk5+uW1KC=evMrwMUkuQ=="}'],
    ['no whole blocks', '{"DATA":"AAAA"}'],
    ['wrong padding of the cipher', `{"DATA":"${Buffer.alloc(16).toString('base64')}"}`],
    ['no JSON within', '{"DATA":"4WUhQLSjOVqYb3Yr4l49QA=="}'],
    ['no UTF-8 within', '{"DATA":"ONV01yh1e4rjmC0wxy2hjg=="}'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ])('rejects %s as ENVELOPE_INVALID', async (_, body) => {
    await expect(open(body)).rejects.toThrow(expect.objectContaining({ code: 'ENVELOPE_INVALID' }))
    await expect(open(body)).rejects.toThrow(Refusal)
  })

  test('rejects what another key sealed', async () => {
    const other = createEnvelope({ ...DEFAULT_ENVELOPE, key: 'another-envelope-key-of-32-bytes' })
    await expect(open(JSON.stringify({ DATA: other.seal({ ID: 'x' }) }))).rejects.toThrow('ENVELOPE_INVALID')
  })
})

const sealedText = (json: string) => JSON.stringify({ DATA: envelope.seal(JSON.parse(json) as unknown) })
const inLists = (depth: number) => `{"ROWS":${'['.repeat(depth)}${']'.repeat(depth)}}`
const withNames = (count: number) =>
  `{"ROWS":[{${Array.from({ length: count }, (_, i) => `"A_${i}":1`).join()}}]}`
const withValues = (count: number) => `{"ROWS":[${Array<string>(count).fill('{}').join()}]}`

describe('JSON that takes long to parse (rules/wire#input-text)', () => {
  test.each([
    ['nests deeper than any call', inLists(16)],
    ['has more names in one object than any call', withNames(201)],
    ['has more values than any import', withValues(300_002)],
  ])('refuses text that %s before it is parsed', async (_, json) => {
    const body = sealedText(json)
    const parsing = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parsing.mockRestore())
    await expect(open(body)).rejects.toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
    expect(parsing).toHaveBeenCalledOnce()
    parsing.mockClear()
    // In place of the envelope, too.
    await expect(open(json)).rejects.toThrow(expect.objectContaining({ code: 'ENVELOPE_INVALID' }))
    expect(parsing).not.toHaveBeenCalled()
  })

  test.each([
    ['as deep as may be', inLists(15)],
    ['with as many names as may be', withNames(200)],
    ['with as many values as an import of ten thousand rows', withValues(150_000)],
    ['with brackets, commas and quotes in its text', JSON.stringify({ MEMO: '[{,:"\\'.repeat(100_000) })],
  ])('is opened %s', async (_, json) => {
    expect(await open(sealedText(json))).toEqual(JSON.parse(json))
  })

  test('yields to other calls while it parses a large body', async () => {
    const turns = countTurns()
    const large = { MEMO: '가'.repeat(100_000) }
    expect(await envelope.open(Buffer.from(sealedText(JSON.stringify(large))))).toEqual(large)
    expect(turns()).toBeGreaterThanOrEqual(3)
  })
})

import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { claimedKeyId, openKeySecret } from './key-secret.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'maru-key-secret-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const open = (env: Record<string, string> = {}) => openKeySecret(readConfig({ DATA_DIR: dataDir, ...env }))
const parts = { id: '12', user_id: '3', request_key: '기기 1' }

describe('KEY_SECRET (rules/keys#key-secret)', () => {
  test('when missing is drawn by the first start as 256 bits in DATA_DIR, for its owner alone, and read by later ones', () => {
    const key = open().keyOf(parts)
    expect(readdirSync(dataDir)).toEqual(['key-secret'])
    expect(readFileSync(join(dataDir, 'key-secret'), 'utf8')).toMatch(/^[\w-]{43}\n$/)
    if (process.platform !== 'win32') expect(statSync(join(dataDir, 'key-secret')).mode & 0o777).toBe(0o600)
    expect(open().keyOf(parts)).toBe(key)
    rmSync(join(dataDir, 'key-secret'))
    expect(open().keyOf(parts)).not.toBe(key)
  })

  test('is agreed on by eight processes that start at once on one DATA_DIR', async () => {
    const program = `
      const { readConfig } = await import('./server/config.ts')
      const { openKeySecret } = await import('./server/services/key-secret.ts')
      const { fingerprint } = openKeySecret(readConfig({ DATA_DIR: process.env.DIR }))
      process.stdout.write(fingerprint.toString('hex'))`
    const started = Array.from({ length: 8 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        cwd: new URL('../..', import.meta.url),
        env: { ...process.env, DIR: dataDir },
      }),
    )
    const fingerprints = (await Promise.all(started)).map(({ stdout }) => stdout)
    expect(new Set(fingerprints)).toEqual(new Set([open().fingerprint.toString('hex')]))
    expect(readdirSync(dataDir)).toEqual(['key-secret'])
  })

  test('when set is used alone and nothing is written', () => {
    const secret = 'k'.repeat(32)
    const key = open({ KEY_SECRET: secret }).keyOf(parts)
    expect(readdirSync(dataDir)).toEqual([])
    expect(open({ KEY_SECRET: secret }).keyOf(parts)).toBe(key)
    expect(open({ KEY_SECRET: `${secret}!` }).keyOf(parts)).not.toBe(key)
  })

  test('that is short or has spaces stops the start with one line', () => {
    for (const KEY_SECRET of ['short', 'x'.repeat(31), `${'x'.repeat(20)} ${'x'.repeat(20)}`]) {
      expect(() => readConfig({ KEY_SECRET })).toThrow(/^KEY_SECRET must be at least 32 characters[^\n]*$/)
    }
  })

  test('is the same under DATA_DIR, where a restore without KEY_SECRET puts the one of the backup', () => {
    const KEY_SECRET = `${'+/'.repeat(31)}x=`
    writeFileSync(join(dataDir, 'key-secret'), `${KEY_SECRET}\n`)
    expect(open().fingerprint).toEqual(open({ KEY_SECRET }).fingerprint)
  })

  test('in a file that is cut off or unreadable stops the start with one line and is not replaced', () => {
    const path = join(dataDir, 'key-secret')
    writeFileSync(path, 'abc')
    expect(() => open()).toThrow(/^[^\n]*key-secret holds no secret[^\n]*$/)
    expect(readFileSync(path, 'utf8')).toBe('abc')
    rmSync(path)
    writeFileSync(join(dataDir, 'file'), '')
    expect(() => open({ DATA_DIR: join(dataDir, 'file') })).toThrow(/^DATA_DIR [^\n]*$/)
    chmodSync(dataDir, 0o700)
  })
})

describe('former secrets (rules/keys#changed-secret)', () => {
  const [now, before, older] = ['n', 'b', 'o'].map((letter) => letter.repeat(32)) as [string, string, string]

  test('stand in KEY_SECRET_OLD, or in the file below the first line, and only tell keys from others', () => {
    const former = open({ KEY_SECRET: before })
    const secret = open({ KEY_SECRET: now, KEY_SECRET_OLD: ` ${before}  ${older} ` })
    expect(secret.fingerprint).toEqual(open({ KEY_SECRET: now }).fingerprint)
    expect(secret.keyOf(parts)).toBe(open({ KEY_SECRET: now }).keyOf(parts))
    expect(secret.isKeyOf(former.keyOf(parts), parts, former.fingerprint)).toBe(true)
    expect(secret.isKeyOf(former.keyOf(parts), parts, secret.fingerprint)).toBe(false)
    expect(secret.isKeyOf(secret.keyOf(parts), parts, former.fingerprint)).toBe(false)
    // Of a secret that is not known nothing is a key.
    expect(open({ KEY_SECRET: now }).isKeyOf(former.keyOf(parts), parts, former.fingerprint)).toBe(false)

    const drawn = open()
    const path = join(dataDir, 'key-secret')
    const kept = readFileSync(path, 'utf8')
    writeFileSync(path, `${'a'.repeat(43)}\n${kept}${before}\n`)
    expect(open().fingerprints.slice(1)).toEqual([drawn.fingerprint, former.fingerprint])
    expect(open().fingerprint).not.toEqual(drawn.fingerprint)
    for (const wrong of [`${kept}short\n`, `${kept}\n${before}\n`]) {
      writeFileSync(path, wrong)
      expect(() => open()).toThrow(/^[^\n]*key-secret holds no secret[^\n]*$/)
    }
  })

  test('make servers alike in whatever order they are named', () => {
    const traitOf = (KEY_SECRET_OLD: string) => open({ KEY_SECRET: now, KEY_SECRET_OLD }).trait
    expect(traitOf(`${before} ${older}`)).toEqual(traitOf(`${older} ${before} ${now}`))
    expect(traitOf(before)).not.toEqual(traitOf(''))
    expect(open({ KEY_SECRET: before, KEY_SECRET_OLD: now }).trait).not.toEqual(traitOf(before))
  })

  test('that are short, or named without one of today, stop the start with one line', () => {
    expect(() => open({ KEY_SECRET: now, KEY_SECRET_OLD: `${before} short` })).toThrow(
      /^KEY_SECRET_OLD must be former values[^\n]*$/,
    )
    expect(() => open({ KEY_SECRET_OLD: before })).toThrow(/^KEY_SECRET_OLD needs[^\n]*$/)
  })
})

describe('a derived key', () => {
  test('depends on ID, user and request together, however they are split', () => {
    const { keyOf, isKeyOf, fingerprint } = open()
    const keys = [
      parts,
      { ...parts, id: '13' },
      { ...parts, user_id: '4' },
      { ...parts, request_key: '기기 2' },
      { id: '12', user_id: '3","기기', request_key: '1' },
    ].map(keyOf)
    expect(new Set(keys).size).toBe(5)
    for (const [i, key] of keys.entries()) expect(isKeyOf(key, parts, fingerprint)).toBe(i === 0)
    expect(isKeyOf('', parts, fingerprint)).toBe(false)
  })

  test('names its keyId, and a text that is no key names none', () => {
    expect(claimedKeyId(open().keyOf(parts))).toBe('12')
    for (const text of [
      '',
      'MARU1',
      `MARU1.0.${'A'.repeat(43)}`,
      `MARU1.1.${'A'.repeat(42)}`,
      `MARU1.-1.${'A'.repeat(43)}`,
    ])
      expect(claimedKeyId(text)).toBeUndefined()
  })
})

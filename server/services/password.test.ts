import { stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { newPassword } from '../../contract/fields.ts'
import { passwordWeakness } from '../../contract/password-weakness.ts'
import { createPasswords, temporaryPassword } from './password.ts'

const cheap = { memoryKiB: 64, passes: 1 }

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

describe('hashing (rules/account#password-storage)', () => {
  test('makes a PHC string with OWASP parameters and its own salt', async () => {
    const passwords = createPasswords()
    const [one, two] = await Promise.all([passwords.hash('비밀-암호 1'), passwords.hash('비밀-암호 1')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(two).not.toBe(one)
    await expect(passwords.verify(one, '비밀-암호 1')).resolves.toBe(true)
    await expect(passwords.verify(one, '비밀-암호 2')).resolves.toBe(false)
  })

  test('agrees with the reference implementation', async () => {
    // A test vector of the reference C implementation (phc-winner-argon2, src/test.c).
    const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    await expect(createPasswords(cheap).verify(reference, 'password')).resolves.toBe(true)
  })

  test('verifies a hash made at another cost', async () => {
    const old = await createPasswords(cheap).hash('옛날에 만든 1')
    await expect(createPasswords({ memoryKiB: 128, passes: 2 }).verify(old, '옛날에 만든 1')).resolves.toBe(
      true,
    )
  })

  test.each([
    '',
    'plain text',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$',
  ])('throws on a malformed hash instead of calling the password wrong: %j', async (hash) => {
    await expect(createPasswords(cheap).verify(hash, 'x')).rejects.toThrow('malformed')
  })

  test('takes as long for an unknown ID as for a wrong password, and never matches', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('어떤 암호 1')
    await expect(passwords.verifyNothing('어떤 암호 1')).resolves.toBe(false)
    // The fastest of each, in turns, until other work on the machine has left both of them alone once.
    let [wrong, unknown] = [Infinity, Infinity]
    await expect
      .poll(async () => {
        wrong = Math.min(wrong, await timeOf(() => passwords.verify(hash, '다른 암호 1')))
        unknown = Math.min(unknown, await timeOf(() => passwords.verifyNothing('다른 암호 1')))
        return Math.abs(Math.log2(unknown / wrong))
      })
      .toBeLessThan(1)
  })

  test('keeps the event loop free while it hashes forty passwords concurrently', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('마흔 번 1')
    // A look at a file meanwhile takes turns with them, and does not come after them all.
    const work = { isDone: false, looks: 0 }
    const looking = (async () => {
      for (; !work.isDone; work.looks += 1) await stat(import.meta.filename)
    })()
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        passwords.verify(hash, index % 2 === 0 ? '마흔 번 1' : '아니오'),
      ),
    )
    work.isDone = true
    await looking
    expect(results.filter(Boolean)).toHaveLength(20)
    expect(work.looks).toBeGreaterThan(40)
  })
})

test('never generates a weak temporary password', () => {
  const person = { userId: 'gildong.hong', phoneNumber: '01012345678', email: 'honggd@maru.example' }
  for (let round = 0; round < 500; round += 1)
    expect(passwordWeakness(temporaryPassword(), person)).toBeNull()
})

test('generates a strong, readable temporary password that passes the contract', () => {
  const made = Array.from({ length: 500 }, temporaryPassword)
  expect(new Set(made).size).toBe(made.length)
  for (const password of made) {
    expect(password).toMatch(/^[a-hjkmnp-tv-z2-9]{4}(-[a-hjkmnp-tv-z2-9]{4}){3}$/)
    expect(newPassword.safeParse(password).success).toBe(true)
  }
})

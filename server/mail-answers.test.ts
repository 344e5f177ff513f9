import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptInvitation, CERTIFY_TYPE, certifyEmail } from '../contract/account.ts'
import { endpoints } from '../contract/index.ts'
import { catalogues } from '../contract/messages/index.ts'
import { sendMailTemplate } from '../contract/settings/mail-templates.ts'
import { sendTestMail } from '../contract/settings.ts'
import { APPROVAL, inviteUser, registerUser, resetUser } from '../contract/users.ts'
import { PASSWORD, type TestMaru, useMaru } from '../dev/test-kit/maru.ts'
import { startSmtp } from '../dev/test-kit/smtp.ts'

const smtp = await startSmtp()
const without = useMaru()
const withServer = useMaru({ SMTP_URL: smtp.url })
const { success } = catalogues.ko

const about = (userId: string) => ({ userId, reason: '' })

const fields = {
  name: '초대한',
  position: '사원',
  phoneNumber: '01012345678',
  affiliationCode: 'BEL001',
  roleCode: 'AUT003',
  approvalCode: APPROVAL.approved,
  partnerCode: 'HEAD-1',
  validFrom: '2026-01-01',
  validTo: '2087-12-31',
  managerPassword: PASSWORD,
}

/** Makes a call of each kind on a portal. @returns what it answered as `msg` */
async function messagesOf(maru: TestMaru) {
  const { session } = await maru.createUser({ role: 'admin' })
  const person = await maru.createUser()
  const register = async (userId: string, password: { password?: string }) => {
    const input = { ...fields, userId, email: `${userId}@example.com`, ...password }
    const answer = await maru.call(registerUser, input, { session })
    expect(answer.code).toBeUndefined()
    return answer.msg
  }
  const code = { certificationType: CERTIFY_TYPE.signUp, userId: 'new.one', phoneNumber: '' as const }
  return {
    invitation: await register('invited.one', {}),
    again: (await maru.call(inviteUser, about('invited.one'), { session })).msg,
    registration: await register('with.password', { password: '푸른-바다-7고래' }),
    reset: (await maru.call(resetUser, about(person.userId), { session })).msg,
    code: (await maru.call(certifyEmail, { ...code, email: 'new.one@example.com' })).msg,
  }
}

describe('a call that makes a mail (rules/wire#success)', () => {
  beforeEach(async () => {
    for (const maru of [without, withServer]) await maru.createPartner({ code: 'HEAD-1' }).catch(() => {})
  })

  test('answers that the mail was written to a file if there is no mail server', async () => {
    expect(await messagesOf(without)).toEqual({
      invitation: success.invitationWritten,
      again: success.invitationWritten,
      // Nobody is invited who has a password.
      registration: undefined,
      reset: success.passwordWritten,
      code: success.codeWritten,
    })
  })

  test('answers no such message if there is one', async () => {
    expect(Object.values(await messagesOf(withServer))).toEqual(Array(5).fill(undefined))
  })

  test('declares that it makes one', () => {
    const undeclared = endpoints.filter(
      // They answer the state of the one mail.
      ({ endpoint: { path, perPerson, mails } }) =>
        path !== sendTestMail.path &&
        path !== sendMailTemplate.path &&
        perPerson === 'mail' &&
        mails === undefined,
    )
    expect(undeclared.map(({ name }) => name)).toEqual([])
  })
})

/** Waits until the outbox holds some mails to an address. @returns their links, the oldest first */
async function linksTo(address: string, count: number): Promise<string[]> {
  const outbox = join(without.dataDir, 'outbox')
  const find = async () => {
    const names = readdirSync(outbox).filter((name) => name.endsWith('.eml'))
    const mails = await Promise.all(
      names.toSorted().map((name) => PostalMime.parse(readFileSync(join(outbox, name)))),
    )
    return mails.flatMap(({ to, text }) =>
      to?.[0]?.address === address ? [/[\w-]{43}/.exec(text ?? '')?.[0] ?? ''] : [],
    )
  }
  await expect.poll(async () => (await find()).length).toBe(count)
  return find()
}

/** Registers a user without a password. @returns a call that invites them again, and their e-mail */
async function registerInvited(userId: string) {
  const { session } = await without.createUser({ role: 'admin' })
  const email = `${userId}@example.com`
  expect((await without.call(registerUser, { ...fields, userId, email }, { session })).status).toBe(200)
  return { email, inviteAgain: () => without.call(inviteUser, about(userId), { session }) }
}

/** Accepts an invitation. @returns the code of a refusal, or `done` */
const accept = async (token = '') =>
  (await without.call(acceptInvitation, { token, password: '푸른-바다-7고래' })).code ?? 'done'

describe('an invitation that was written to a file (rules/users#invitation)', () => {
  test('opens the account once, until another one is written', async () => {
    const { email, inviteAgain } = await registerInvited('written.one')
    const [first] = await linksTo(email, 1)
    expect((await inviteAgain()).status).toBe(200)
    const links = await linksTo(email, 2)
    expect(await accept(first)).toBe('LINK_INVALID')
    const second = links.find((link) => link !== first)
    expect(await accept(second)).toBe('done')
    expect(await accept(second)).toBe('LINK_INVALID')
    expect((await inviteAgain()).code).toBe('RECORD_CHANGED')
  })

  test('is refused while a factor reset holds the account, and no other file is written', async () => {
    const { email, inviteAgain } = await registerInvited('written.two')
    await linksTo(email, 1)
    await without.database.pool.query('update users set factors_reset_at = now() where email = $1', [email])
    expect((await inviteAgain()).code).toBe('FACTOR_RESET_HOLD')
    expect(await linksTo(email, 1)).toHaveLength(1)
  })
})

test('names no folder of the server in an answer, because visitors read it too (rules/wire#success)', () => {
  for (const { success: texts } of Object.values(catalogues))
    for (const text of Object.values(texts)) expect(text).not.toMatch(/DATA_DIR|outbox/)
})

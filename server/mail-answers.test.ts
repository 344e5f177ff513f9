import { beforeEach, describe, expect, test } from 'vitest'
import { CERTIFY_TYPE, certifyEmail } from '../contract/account.ts'
import { endpoints } from '../contract/index.ts'
import { catalogues } from '../contract/messages/index.ts'
import { sendTestMail } from '../contract/settings.ts'
import { APPROVAL, inviteUser, registerUser, resetUser } from '../contract/users.ts'
import { PASSWORD, type TestMaru, useMaru } from '../dev/test-kit/maru.ts'
import { startSmtp } from '../dev/test-kit/smtp.ts'

const smtp = await startSmtp()
const without = useMaru()
const withServer = useMaru({ SMTP_URL: smtp.url })
const { success } = catalogues.ko

const about = (userId: string) => ({ userId, reason: '' })

/** Makes a call of each kind on a portal. @returns what it answered as `msg` */
async function messagesOf(maru: TestMaru) {
  const { session } = await maru.createUser({ role: 'admin' })
  const person = await maru.createUser()
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
      // It answers the state of the one mail.
      ({ endpoint: { path, perPerson, mails } }) =>
        path !== sendTestMail.path && perPerson === 'mail' && mails === undefined,
    )
    expect(undeclared.map(({ name }) => name)).toEqual([])
  })
})

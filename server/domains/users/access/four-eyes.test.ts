import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  acceptInvitation,
  changeEmail,
  beginTotp,
  certifyNewEmail,
  checkFactor,
  confirmTotp,
  readCheck,
  CERTIFY_TYPE,
  confirmEmail,
  login,
  resetPassword,
  setPassword,
} from '../../../../contract/account.ts'
import { OPENING_ACTIONS } from '../../../../contract/audit-actions.ts'
import { grantFunction } from '../../../../contract/roles.ts'
import {
  askFactorReset,
  changeRoles,
  confirmFactorReset,
  getFactorReset,
  getUser,
  inviteUser,
  previewBulk,
  requestEmail,
  resetUser,
  extendUser,
  unlockUser,
  updateUser,
} from '../../../../contract/users.ts'
import { certifier } from '../../../../dev/test-kit/certified.ts'
import { factorsOf } from '../../../../dev/test-kit/factors.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../../dev/test-kit/smtp.ts'

/* Steps that need two people (rules/roles#four-eyes), and the hold after a reset (rules/users#hold-after-reset). */
const clock = { now: new Date() }
const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url }, { clock: () => clock.now })
const { allSent, getCode } = certifier(maru, smtp)
const { codeOf, finish, gaveFactor, nextCode, passGate, ticketOf, withApp, withPasskey } = factorsOf(
  maru,
  clock,
)
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

type Eye = Awaited<ReturnType<typeof withApp>>
let asker: Eye
let other: Eye
let person: TestUser
const eye = async (role: 'admin' | 'hr' = 'admin') => withApp(await maru.createUser({ role }))
beforeAll(() => maru.createPartner({ code: 'EYES-1' }))
beforeEach(async () => {
  await owner(`update users set withdrawn_at = now() where role_code <> 'AUT003'`)
  ;[asker, other] = [await eye(), await eye()]
  person = await withApp(await maru.createUser())
})
afterAll(() => smtp.close())

const ask = (by: TestUser = asker, of = person) =>
  maru.call(askFactorReset, { userId: of.userId, reason: '분실' }, by)
const confirm = (resetId: string, by: TestUser = other) =>
  maru.call(confirmFactorReset, { userId: person.userId, resetId }, by)
const look = async (by: TestUser) => (await maru.call(getFactorReset, { userId: person.userId }, by)).data
/** Counts all mails that were ever queued, sent or not. */
const mails = () => owner('select last_value from mails_id_seq')
const state = async () => [
  await owner('select * from users where id = $1', [person.id]),
  await owner('select * from totp_secrets where user_id = $1', [person.id]),
  await mails(),
]
const stranger = () => eye()

/** Writes what an administrator did with an account, days ago. */
const did = (actor: TestUser, action: string, of: TestUser, detail: object = {}, days = 0) =>
  owner(
    `insert into audit_log (at, action, actor_id, target, detail, address, request_id, records)
     values (now() - make_interval(days => $5), $1, $2, $3, $4, '', '', array['user/' || $6::text])`,
    [action, actor.id, of.userId, JSON.stringify(detail), days, of.id],
  )

/** The request is there by the asker, and the other one may not confirm it; nothing changes and nobody is mailed. */
async function expectRelated(): Promise<void> {
  const helper = await stranger()
  const { data } = await ask()
  const before = await state()
  expect((await look(other)).reset).toMatchObject({ mayConfirm: false })
  expect((await confirm(data.resetId)).code).toBe('FOUR_EYES_RELATED')
  expect(await state()).toEqual(before)
  expect((await look(helper)).reset).toMatchObject({ mayConfirm: true })
}

/** Every action that opens the account of another user: a new one counts as control until a test says otherwise. */
const OPENING_USERS = OPENING_ACTIONS.filter((action) => action.startsWith('user.'))

describe('two administrators (rules/roles#four-eyes)', () => {
  test('reset a second factor where neither controls the other', async () => {
    const { data } = await ask()
    expect((await look(other)).reset).toMatchObject({ mayConfirm: true })
    expect((await confirm(data.resetId)).status).toBe(200)
  })

  const CHANGES: Readonly<Record<string, object[]>> = {
    'user.extend': [{ validTo: { before: '2020-01-01', after: '2099-12-31' } }],
    'user.update': [
      { loginId: { before: 'a', after: 'b' } },
      { name: { before: 'a', after: 'b' } },
      { roleCode: { before: 'AUT003', after: 'AUT001' } },
      { approvalCode: { before: 'MEMAP002', after: 'MEMAP001' } },
      { validTo: { before: '2020-01-01', after: null } },
      { validFrom: { before: '2099-01-01', after: '2026-01-01' } },
    ],
    // Gives no control: below.
    'user.unlock': [],
  }
  const ACTS = OPENING_USERS.flatMap((action) =>
    (CHANGES[action] ?? [{}]).map((detail): [action: string, detail: object] => [action, detail]),
  )
  test.each(ACTS)('do not where one did %s %j to the other, in either direction', async (action, detail) => {
    await did(asker, action, other, detail)
    await expectRelated()
    await owner('delete from factor_resets')
    ;[asker, other] = [other, asker]
    await expectRelated()
  })

  test('do not where a third account stands between them, or made both', async () => {
    const third = await maru.createUser({ role: 'hr' })
    await did(asker, 'user.register', third, {}, 20)
    await did(third, 'user.approve', other, {}, 3)
    await expectRelated()
    await owner('delete from factor_resets')
    const [one, two] = [await stranger(), await stranger()]
    for (const each of [one, two]) await did(third, 'user.register', each)
    ;[asker, other] = [one, two]
    await expectRelated()
  })

  test('do for what is no control, older than 30 days, or done to the same third account', async () => {
    await did(asker, 'user.register', other, {}, 30)
    await did(asker, 'user.update', other, { position: { before: 'a', after: 'b' } })
    await did(asker, 'user.end-sessions', other)
    await did(asker, 'user.unlock', other)
    await did(asker, 'user.extend', other, { validTo: { before: '2099-01-01', after: '2099-12-31' } })
    const third = await maru.createUser()
    for (const each of [asker, other]) await did(each, 'user.reset-password', third)
    const { data } = await ask()
    expect((await confirm(data.resetId)).status).toBe(200)
  })

  test('do not where one of them gave the other the role, or its role the power', async () => {
    const promoted = await withApp(await maru.createUser())
    const { data: preview } = await maru.call(
      previewBulk,
      { bulkAction: 'role', roleCode: 'AUT002', userIds: [promoted.userId] },
      asker,
    )
    await maru.call(
      changeRoles,
      { roleCode: 'AUT002', userIds: [promoted.userId], version: preview.version },
      asker,
    )
    other = promoted
    await expectRelated()
    await owner('delete from factor_resets')
    other = await eye('hr')
    await maru.call(grantFunction, { roleCode: 'AUT002', functionName: 'autho_audit_search' }, asker)
    await expectRelated()
    await owner(
      `delete from role_functions where role_code = 'AUT002' and function_name = 'autho_audit_search'`,
    )
  })

  test('do not where one moved the other with a branch role, also by an approval', async () => {
    const third = await maru.createUser()
    const plain = { id: other.id, loginId: other.userId, before: 'BEL001', after: 'BEL002' }
    const ofThird = { ...plain, id: third.id, branchRole: 'AUT970' }
    await did(asker, 'user.approve-affiliation', other, { moves: [plain, ofThird] })
    const { data } = await ask()
    expect((await look(other)).reset).toMatchObject({ resetId: data.resetId, mayConfirm: true })
    await owner('delete from factor_resets')
    await did(asker, 'user.approve-affiliation', other, { moves: [{ ...plain, branchRole: 'AUT970' }] })
    await expectRelated()
    await owner('delete from factor_resets')
    other = await stranger()
    await did(asker, 'user.update', other, { branchRole: 'AUT970' })
    await expectRelated()
  })

  test('learn before the request that nobody could confirm', async () => {
    await did(asker, 'user.register', other)
    expect(await look(asker)).toMatchObject({ alone: true, ownFactor: true })
    const before = await state()
    expect((await ask()).code).toBe('RESET_NEEDS_TWO')
    const plain = await maru.createUser({ role: 'admin' })
    expect((await ask()).code).toBe('RESET_NEEDS_TWO')
    expect(await look(plain)).toMatchObject({ alone: false, ownFactor: false })
    expect(await state()).toEqual(before)
  })

  test('have a second factor each, given just now and not by a recovery code', async () => {
    const plain = await maru.createUser({ role: 'admin' })
    expect((await ask(plain)).code).toBe('FOUR_EYES_FACTOR')
    await gaveFactor(asker, 'RECOVERY')
    expect((await ask()).code).toBe('FOUR_EYES_FACTOR')
    await gaveFactor(asker)
    const { data } = await ask()
    expect((await confirm(data.resetId, plain)).code).toBe('FOUR_EYES_FACTOR')
    await gaveFactor(other, 'RECOVERY')
    expect((await confirm(data.resetId)).code).toBe('FOUR_EYES_FACTOR')
    await gaveFactor(other)
    await owner('delete from totp_secrets where user_id = $1', [asker.id])
    expect((await confirm(data.resetId)).code).toBe('FOUR_EYES_RELATED')
    expect(await owner('select 1 from totp_secrets where user_id = $1', [person.id])).toHaveLength(1)
  })

  test('are checked again at the confirmation, for changes since the request', async () => {
    const { data } = await ask()
    const correction = { userId: other.userId, email: 'mine@example.com', reason: '' }
    expect((await maru.call(requestEmail, correction, asker)).status).toBe(200)
    expect((await confirm(data.resetId)).code).toBe('FOUR_EYES_RELATED')
  })

  test('do not where one of them extended the expired account of the other', async () => {
    await owner(`update users set valid_to = '2020-01-01' where id = $1`, [other.id])
    const extension = { userId: other.userId, validTo: '2020-01-01', extendTo: '2099-12-31' }
    expect((await maru.call(extendUser, extension, asker)).status).toBe(200)
    const { sessionUid } = (await finish(await ticketOf(other), codeOf(other.secret))).data
    other = { ...other, session: sessionUid }
    await gaveFactor(other)
    await expectRelated()
  })

  test('do where one of them unlocked the other, whom anybody can lock', async () => {
    const { data } = await ask()
    await owner(`insert into login_failures (login_id, network, failures) values ($1, '', 5)`, [other.userId])
    expect((await maru.call(unlockUser, { userId: other.userId, reason: '' }, asker)).status).toBe(200)
    expect((await confirm(data.resetId)).status).toBe(200)
  })
})

describe('the user of a reset (rules/roles#four-eyes)', () => {
  const ACTS: [action: string, detail: object][] = [
    ['user.register', {}],
    ['user.import', { rows: 1 }],
    ['user.invite', {}],
    ['user.reset-password', {}],
    ['user.request-email', {}],
    ['user.update', { loginId: { before: 'a', after: 'b' } }],
    ['user.update', { name: { before: 'a', after: 'b' } }],
  ]
  test.each(ACTS)('was not given away by %s %j of one of the two', async (action, detail) => {
    await did(asker, action, person, detail)
    const before = await state()
    expect(await look(asker)).toMatchObject({ involved: true })
    expect((await ask()).code).toBe('FOUR_EYES_RELATED')
    expect(await state()).toEqual(before)
    ;[asker, other] = [other, asker]
    await eye()
    expect(await look(asker)).toMatchObject({ involved: false, alone: false })
    await expectRelated()
    expect(await look(other)).toMatchObject({ involved: true })
  })

  test('was not given away by an account that one of the two made', async () => {
    const third = await maru.createUser({ role: 'hr' })
    await did(other, 'user.register', third)
    await did(third, 'user.request-email', person)
    await expectRelated()
  })

  test('may have got from one of the two what is no way in, or help 30 days ago', async () => {
    const waysIn = new Set(ACTS.map(([action]) => action))
    for (const action of OPENING_USERS)
      if (action === 'user.update' || !waysIn.has(action)) await did(asker, action, person)
    await did(other, 'user.update', person, { position: { before: 'a', after: 'b' } })
    await did(other, 'user.reset-password', person, {}, 30)
    const { data } = await ask()
    expect((await confirm(data.resetId)).status).toBe(200)
  })
})

/** Replaces the app by a recovery code and the password alone, as a thief does, and gives a code of the new one. */
async function replaceApp(of: Eye): Promise<string> {
  expect((await maru.call(checkFactor, { factor: 'RECOVERY', proof: of.codes[0] ?? '' }, of)).status).toBe(
    200,
  )
  await passGate(of)
  const { secret, enrolment } = (await maru.call(beginTotp, {}, of)).data
  expect((await maru.call(confirmTotp, { enrolment, code: codeOf(secret) }, of)).status).toBe(200)
  await giveCode(of, secret)
  return secret
}
const giveCode = async (of: Eye, secret: string) => {
  nextCode()
  expect((await maru.call(checkFactor, { factor: 'TOTP', proof: codeOf(secret) }, of)).status).toBe(200)
}
const isThreeDaysOld = (of: Eye) =>
  owner(`update totp_secrets set created_at = now() - interval '3 days' where user_id = $1`, [of.id])

describe('the second factor of each of the two (rules/roles#four-eyes)', () => {
  test('counts three days after it was set up, at the request and at the confirmation', async () => {
    const secret = await replaceApp(asker)
    expect(await look(asker)).toMatchObject({ ownFactor: false })
    expect((await ask()).code).toBe('FOUR_EYES_FACTOR')
    await isThreeDaysOld(asker)
    // The session remembers which factor was given.
    expect((await ask()).code).toBe('FOUR_EYES_FACTOR')
    await giveCode(asker, secret)
    const { data } = await ask()

    const of = await replaceApp(other)
    const before = await state()
    expect((await confirm(data.resetId)).code).toBe('FOUR_EYES_FACTOR')
    expect(await state()).toEqual(before)
    await isThreeDaysOld(other)
    await giveCode(other, of)
    expect((await confirm(data.resetId)).status).toBe(200)
  })

  test('ignores a new passkey of a user who has an old app', async () => {
    await owner(`update settings set portal_url = 'https://portal.maru.kr'`)
    await maru.services.settings.fresh()
    const { device } = await withPasskey(asker)
    await owner('update passkeys set created_at = now() where user_id = $1', [asker.id])
    const { passkeyOptions } = (await maru.call(readCheck, {}, asker)).data
    const given = { factor: 'PASSKEY', proof: device.sign(passkeyOptions) } as const
    expect((await maru.call(checkFactor, given, asker)).status).toBe(200)
    expect((await ask()).code).toBe('FOUR_EYES_FACTOR')
  })

  test('is checked again for the asker at the confirmation', async () => {
    const { data } = await ask()
    await owner('update totp_secrets set created_at = now() where user_id = $1', [asker.id])
    expect((await confirm(data.resetId)).code).toBe('FOUR_EYES_RELATED')
  })
})

const about = () => ({ userId: person.userId, reason: '' })
const invitation = (token: string) =>
  owner(
    `insert into account_links (user_id, kind, token_hash, expires_at)
     values ($1, 'INVITATION', sha256($2::text::bytea), now() + interval '7 days')`,
    [person.id, token],
  )

describe('for three days after a reset (rules/users#hold-after-reset)', () => {
  test('others change neither e-mail nor password, and the user does', async () => {
    const email = 'thief@example.com'
    await maru.call(requestEmail, { ...about(), email }, await eye())
    const { text } = await smtp.mailTo(email, 0)
    const token = /[\w-]{43}/.exec(text)?.[0] ?? ''
    await invitation('former-link')
    const { data } = await ask()
    await confirm(data.resetId)
    // A link from before the reset is void.
    expect((await maru.call(confirmEmail, { token })).code).toBe('LINK_INVALID')
    expect(
      (await maru.call(acceptInvitation, { token: 'former-link', password: 'another-Maru-2026!' })).code,
    ).toBe('LINK_INVALID')
    await invitation('later-link')
    await allSent()
    const before = await state()
    for (const answer of [
      await maru.call(requestEmail, { ...about(), email }, asker),
      await maru.call(resetUser, about(), asker),
      await maru.call(inviteUser, about(), other),
    ])
      expect(answer.code).toBe('FACTOR_RESET_HOLD')
    expect(await state()).toEqual(before)

    const record = (await maru.call(getUser, { userId: person.userId }, asker)).data
    const edit = {
      originalUserId: person.userId,
      userId: person.userId,
      email,
      affiliationCode: 'BEL001',
      name: record.name,
      position: record.position,
      phoneNumber: record.phoneNumber,
    }
    expect((await maru.callRaw(updateUser.path, edit, asker)).code).toBe('EMAIL_READ_ONLY')

    const answer = await maru.call(login, { loginId: person.userId, password: PASSWORD })
    const session = answer.data.sessionUid
    const own = { session }
    await passGate({ ...person, session })
    expect((await maru.call(certifyNewEmail, { email: 'own.new@example.com' }, own)).status).toBe(200)
    expect(
      (await maru.call(changeEmail, { email: 'own.new@example.com', certificationCode: '000000' }, own)).code,
    ).toBe('CERTIFICATION_FAILED')
    const change = { currentPassword: PASSWORD, newPassword: 'another-Maru-2026!' }
    expect((await maru.call(setPassword, change, own)).status).toBe(200)
  })

  test('sends no password to a reader of the mailbox until the hold is over', async () => {
    const { data } = await ask()
    await confirm(data.resetId)
    const { email, userId: loginId } = person
    await allSent()
    const certificationCode = await getCode('resetPassword', email, loginId)
    const asked = {
      userId: loginId,
      email,
      certificationType: CERTIFY_TYPE.resetPassword,
      certificationCode,
    }
    const before = await state()
    expect((await maru.call(resetPassword, asked)).code).toBe('FACTOR_RESET_HOLD')
    expect(await state()).toEqual(before)
    await owner(`update users set factors_reset_at = now() - interval '3 days' where id = $1`, [person.id])
    expect((await maru.call(resetPassword, asked)).status).toBe(200)
    expect((await maru.call(resetUser, about(), asker)).status).toBe(200)
  })
})

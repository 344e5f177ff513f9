import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkPassword, login } from '../contract/account.ts'
import { type ConfirmationMode, CONFIRMATION_MINUTES } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { ROLE } from '../contract/permissions.ts'
import { getUser, requestEmail, updateUser, withdrawUser } from '../contract/users.ts'
import { factorsOf } from '../dev/test-kit/factors.ts'
import { PASSWORD, useMaru } from '../dev/test-kit/maru.ts'
import type { TestUser } from '../dev/test-kit/people.ts'
import { sampleOf } from '../dev/test-kit/samples.ts'

/* Dangerous calls require the user's password again, not only their session (rules/account#confirmation). */
const clock = { now: new Date() }
const maru = useMaru({}, { clock: () => clock.now })
const { gaveFactor, passGate, withApp } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const names = (how: ConfirmationMode) =>
  by(how)
    .map(({ name }) => name)
    .toSorted()
const by = (how: ConfirmationMode) => endpoints.filter(({ endpoint }) => endpoint.confirmed === how)

let admin: TestUser
beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

/** Lets minutes pass after the login and whatever the user proved since. */
async function wait({ id }: { id: string }, minutes = CONFIRMATION_MINUTES): Promise<void> {
  await sql(
    `update sessions set created_at = created_at - make_interval(mins => $2),
      password_checked_at = password_checked_at - make_interval(mins => $2),
      factor_checked_at = factor_checked_at - make_interval(mins => $2) where user_id = $1`,
    [id, minutes],
  )
}
const confirm = async ({ session }: { session: string }, password = PASSWORD) =>
  maru.call(checkPassword, { password }, { session })
/** Counts the rows of changes. Refusals of an earlier test may be written late. */
const countTrail = async () =>
  (await sql(`select count(*)::int as n from audit_log where action not like 'refusal.%'`))[0].n

/** Makes a call that needs a fresh session. */
const [first] = by('always')
const make = async ({ session }: { session: string }) =>
  (await maru.callRaw(first?.endpoint.path ?? '', {}, { session })).code

describe('the contract', () => {
  test('names how each call that opens or closes an account reauthenticates', () => {
    expect(names('always')).toEqual(
      (
        'adoptAccounts approveRequests askFactorReset beginTry changeLimits changeMainTeams changeParentAffiliation ' +
        'changeRoles confirmFactorReset createAccountToken createProgramAccount createProvider ' +
        'createRole createScimToken createService createWebhook deletePartner deleteProgramAccount ' +
        'deleteWebhook enableProvider endProgram endScimToken endUserSession endUserSessions extendUser ' +
        'extendUsers grantFunction inviteUser inviteUsers liftSuspension liftUsers ' +
        'moveUsers publishPrivacyNotice recordIncident ' +
        'refuseFactorReset refuseRequests releaseScim removeProvider removeRole removeUser renameRole ' +
        'requestEmail resendDeliveries resetUser restoreUser restoreUsers resumePartner ' +
        'revokeAccountToken revokeFunction revokeKey revokeKeys revokeProgram revokeService ' +
        'rollAccountToken rollService rollWebhook signInspection signReview stopPartner suspendUser ' +
        'suspendUsers undoBulk unlockUser updateInspectionRules updateMailServer updateMailTemplate updateProgramAccount ' +
        'updateProvider updateRetention updateScim updateSecurity updateSettings updateWebhook ' +
        'withdrawFactorReset withdrawRights withdrawRole withdrawUsers'
      ).split(' '),
    )
    expect(names('gate')).toEqual(
      (
        'beginLink beginPasskey beginTotp cancelAffiliationChange certifyNewEmail changeEmail ' +
        'changeSharing confirmPasskey confirmTotp createProgram endOtherSessions exportOwnData ' +
        'finishLink removeDevice removeLink removePasskey removeTotp renewRecoveryCodes rollProgram'
      ).split(' '),
    )
    expect(names('password')).toEqual(
      'exportAudit exportKeys exportLeakPeople exportUsers importUsers registerUser setPassword updateByImport'.split(
        ' ',
      ),
    )
    // Each of them has its own tests below.
    expect(names('told')).toEqual(['approveAffiliationChanges', 'updateUser', 'withdrawUser'])
  })

  test('asks no program, no service and no visitor', () => {
    const asked = endpoints.filter(({ endpoint }) => endpoint.confirmed !== undefined)
    expect(asked.filter(({ endpoint }) => endpoint.programs || endpoint.access === 'service')).toEqual([])
    expect(asked.filter(({ endpoint }) => endpoint.access === 'public')).toEqual([])
  })
})

describe('ten minutes after the login', () => {
  test.each(by('always').map((entry) => [entry.name, entry] as const))(
    '%s is refused, changes nothing, and works after the password',
    async (_name, entry) => {
      const { path, access } = entry.endpoint
      const input = sampleOf(entry)
      await wait(admin)
      const before = await countTrail()
      expect(await maru.callRaw(path, input, admin)).toMatchObject({
        status: 400,
        code: 'CONFIRMATION_REQUIRED',
      })
      expect(await countTrail()).toBe(before)
      // A body that is no envelope at all is not even looked at.
      expect((await maru.callRaw(path, 'nothing', admin)).code).toBe('CONFIRMATION_REQUIRED')
      // A caller without the permission gets that refusal, and no question for a password.
      const person = await maru.createUser()
      await wait(person)
      expect((await maru.callRaw(path, input, person)).code).toBe(
        access === 'signed-in' ? 'CONFIRMATION_REQUIRED' : 'FORBIDDEN',
      )
      expect((await confirm(admin)).status).toBe(200)
      expect((await maru.callRaw(path, input, admin)).code).not.toBe('CONFIRMATION_REQUIRED')
    },
  )

  test('accepts the password for ten minutes, in its session only', async () => {
    await wait(admin)
    const asked = { loginId: admin.userId, password: PASSWORD }
    const other = { session: (await maru.call(login, asked)).data.sessionUid }
    // A login counts, in its own session.
    expect(await make(other)).toBe('INPUT_INVALID')
    expect(await make(admin)).toBe('CONFIRMATION_REQUIRED')
    await confirm(admin)
    expect(await make(admin)).toBe('INPUT_INVALID')
    await wait(admin, CONFIRMATION_MINUTES - 1)
    expect(await make(admin)).toBe('INPUT_INVALID')
    await wait(admin, 1)
    expect(await make(admin)).toBe('CONFIRMATION_REQUIRED')
    expect(await make(other)).toBe('CONFIRMATION_REQUIRED')
  })

  test('unlocks nothing with a wrong password, and counts it with those of logins', async () => {
    await wait(admin)
    for (let i = 0; i < 4; i += 1)
      expect((await confirm(admin, 'wrong-Maru-2026!')).code).toBe('PASSWORD_WRONG')
    expect((await confirm(admin, 'wrong-Maru-2026!')).code).toBe('LOGIN_LOCKED')
    expect((await confirm(admin)).code).toBe('LOGIN_LOCKED')
    expect(await make(admin)).toBe('CONFIRMATION_REQUIRED')
  })
})

const recordOf = async ({ userId }: TestUser, as = admin) => (await maru.call(getUser, { userId }, as)).data

async function save(of: TestUser, changes: Record<string, unknown>, as = admin) {
  const record = await recordOf(of, as)
  const isOwn = of === as
  const input = {
    originalUserId: of.userId,
    userId: of.userId,
    email: record.email,
    affiliationCode: 'BEL001',
    name: record.name,
    position: record.position,
    phoneNumber: record.phoneNumber,
    ...(!isOwn && {
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode: 'CONFIRM-1',
      roleCode: record.roleCode,
      approvalCode: record.approvalCode,
    }),
    ...changes,
  }
  return (await maru.callRaw(updateUser.path, input, as)).code ?? 'done'
}

describe('a call that needs it only sometimes', () => {
  beforeAll(() => maru.createPartner({ code: 'CONFIRM-1' }))
  const valid = { validFrom: '2026-01-01', validTo: '2099-12-31' }

  test('requires it in updateUser for role, ID, approval and validity, not for a name', async () => {
    await wait(admin)
    const person = await maru.createUser(valid)
    expect(await save(person, { name: '바뀐이름' })).toBe('done')
    for (const change of [
      { roleCode: ROLE.admin },
      { roleCode: ROLE.hr },
      { userId: 'renamed.one' },
      { approvalCode: 'MEMAP002' },
      { validTo: '2098-12-31' },
      { validFrom: '2026-01-02' },
    ])
      expect(await save(person, change)).toBe('CONFIRMATION_REQUIRED')
    expect(await recordOf(person)).toMatchObject({ roleCode: ROLE.user, approvalCode: 'MEMAP001', ...valid })
    const waiting = await maru.createUser({ ...valid, approved: false })
    expect(await save(waiting, { approvalCode: 'MEMAP001' })).toBe('CONFIRMATION_REQUIRED')
    await confirm(admin)
    expect(await save(person, { roleCode: ROLE.hr })).toBe('done')
    expect((await recordOf(person)).roleCode).toBe(ROLE.hr)
  })

  test('requires password and second factor to update or withdraw the own account', async () => {
    const person = await maru.createUser()
    expect(await save(person, { name: '바뀐이름' }, person)).toBe('PASSWORD_CHECK_REQUIRED')
    const holder = await withApp(person)
    await passGate(holder)
    await wait(holder, 0)
    expect(await save(person, { name: '바뀐이름' }, person)).toBe('done')
    await sql('update sessions set factor_checked_at = null where user_id = $1', [person.id])
    expect(await save(person, { name: '다른이름' }, person)).toBe('CONFIRMATION_REQUIRED')
    const leave = () => maru.call(withdrawUser, { userId: person.userId, withdrawnReason: '' }, person)
    expect((await leave()).code).toBe('CONFIRMATION_REQUIRED')
    await gaveFactor(person)
    expect((await leave()).status).toBe(200)
  })

  test('requires it in withdrawUser for others, with nothing changed before', async () => {
    await wait(admin)
    const person = await maru.createUser()
    const withdraw = () => maru.call(withdrawUser, { userId: person.userId, withdrawnReason: '' }, admin)
    expect((await withdraw()).code).toBe('CONFIRMATION_REQUIRED')
    expect((await recordOf(person)).userId).toBe(person.userId)
    await confirm(admin)
    expect((await withdraw()).status).toBe(200)
  })
})

test('keeps a stolen administrator session from taking over another administrator', async () => {
  const victim = await maru.createUser({ role: 'admin', validFrom: '2026-01-01', validTo: '2099-12-31' })
  const gone = await maru.createUser({ role: 'admin' })
  await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
  await wait(admin)
  const state = async () => [
    await sql('select * from users where id = any($1) order by id', [[victim.id, gone.id]]),
    await sql('select id from sessions where user_id = $1', [victim.id]),
    await sql('select user_id from account_links'),
    await sql('select id from mails'),
    await countTrail(),
  ]
  const before = await state()
  const { userId } = victim
  const reason = ''
  const steps: [path: string, input: object][] = [
    [requestEmail.path, { userId, email: 'thief@example.com', reason }],
    ['/stm/v1/snd/password', { userId, reason }],
    ['/stm/v1/inv/user', { userId, reason }],
    ['/stm/v1/end/sessions', { userId, reason }],
    ['/stm/v1/sus/user', { userId, suspendedFor: 'OTHER', reason }],
    ['/stm/v1/rst/user', { userId: gone.userId }],
    ['/stm/v1/ulk/user', { userId, reason }],
  ]
  for (const [path, input] of steps)
    expect([path, (await maru.callRaw(path, input, admin)).code]).toEqual([path, 'CONFIRMATION_REQUIRED'])
  expect(await save(victim, { userId: 'thief.id' })).toBe('CONFIRMATION_REQUIRED')
  expect(await state()).toEqual(before)
})

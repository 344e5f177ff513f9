import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportAudit, listAudit } from '../../../contract/audit.ts'
import { RIGHTS } from '../../../contract/audit-actions.ts'
import { createRole, grantFunction, removeRole, revokeFunction } from '../../../contract/roles.ts'
import {
  changeRoles,
  liftSuspension,
  previewBulk,
  restoreUser,
  suspendUser,
  updateUser,
  withdrawUser,
} from '../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

let admin: TestUser
let person: TestUser

const rights = async () => (await maru.call(listAudit, { action: RIGHTS, perPage: 100 }, admin)).data
const newest = async () => {
  const [row] = (await rights()).rows
  return { action: row?.action, target: row?.target, changes: row?.changes }
}

const edit = (change: object) =>
  maru.call(
    updateUser,
    {
      originalUserId: person.userId,
      userId: person.userId,
      affiliationCode: 'BEL001',
      position: '과장',
      name: '김하늘',
      phoneNumber: '01098765432',
      email: person.email,
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode: 'RIGHTS-1',
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001',
      ...change,
    },
    admin,
  )

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '권한관리' })
  person = await maru.createUser()
  await maru.createPartner({ code: 'RIGHTS-1', affiliation: 'BEL001' })
})

describe('records of rights (rules/audit#rights)', () => {
  test('are every grant, change and removal with before and after, and nothing else', async () => {
    const { userId } = person
    await edit({})
    const { totalCount } = await rights()
    // Neither a name nor a phone number is a right.
    await edit({ name: '김바다', phoneNumber: '01011112222' })
    await maru.call(listAudit, {}, admin)
    expect((await rights()).totalCount).toBe(totalCount)

    const steps: [call: () => Promise<{ status: number }>, said: object][] = [
      [
        () => edit({ name: '김바다', phoneNumber: '01011112222', roleCode: 'AUT002' }),
        { action: '사용자 수정', target: userId, changes: [change('권한', '일반 사용자', '인사 관리자')] },
      ],
      [
        async () => {
          const asked = { userIds: [userId], roleCode: 'AUT003' }
          const { data } = await maru.call(previewBulk, { bulkAction: 'role', ...asked }, admin)
          return maru.call(changeRoles, { ...asked, version: data.version }, admin)
        },
        { action: '사용자 수정', changes: [change('권한', '인사 관리자', '일반 사용자')] },
      ],
      [
        () => maru.call(suspendUser, { userId, suspendedFor: 'LEAVE', reason: '육아휴직' }, admin),
        { action: '사용자 정지', target: userId },
      ],
      [() => maru.call(liftSuspension, { userId, reason: '복직' }, admin), { action: '사용자 정지 해제' }],
      [
        () => maru.call(withdrawUser, { userId, withdrawnReason: '퇴사' }, admin),
        { action: '사용자 탈퇴', changes: expect.arrayContaining([change('권한', '일반 사용자', '')]) },
      ],
      [
        () => maru.call(restoreUser, { userId }, admin),
        { action: '사용자 탈퇴 취소', changes: expect.arrayContaining([change('권한', '', '일반 사용자')]) },
      ],
    ]
    for (const [call, said] of steps) {
      expect((await call()).status).toBe(200)
      expect(await newest()).toMatchObject(said)
    }
    expect((await rights()).totalCount).toBe(totalCount + steps.length)
  })

  test('hold what a role may do, from its first function to its end', async () => {
    const { data } = await maru.call(createRole, { roleName: '점검 권한', roleNameEn: 'Checks' }, admin)
    const { roleCode } = data
    const functionName = 'autho_partner_search' as const
    await maru.call(grantFunction, { roleCode, functionName }, admin)
    expect(await newest()).toEqual({
      action: '권한 그룹 기능 허용',
      target: '점검 권한',
      changes: [{ item: expect.any(String), before: expect.any(String), after: expect.any(String) }],
    })
    await maru.call(revokeFunction, { roleCode, functionName }, admin)
    expect(await newest()).toMatchObject({ action: '권한 그룹 기능 해제', target: '점검 권한' })
    await maru.call(removeRole, { roleCode }, admin)
    expect(await newest()).toMatchObject({ action: '권한 그룹 삭제', target: '점검 권한' })
  })

  test('are narrowed by the other filters, and leave as a file', async () => {
    const of = async (filter: object) =>
      (await maru.call(listAudit, { action: RIGHTS, perPage: 100, ...filter }, admin)).data.rows
    const all = await of({})
    expect(await of({ actor: admin.userId })).toHaveLength(all.length)
    expect(await of({ actor: person.userId })).toEqual([])
    const ofPerson = await of({ target: person.userId })
    expect(ofPerson.length).toBeGreaterThan(0)
    expect(ofPerson.length).toBeLessThan(all.length)
    expect(await of({ changedTo: '2020-01-01' })).toEqual([])
    expect(await of({ address: '203.0.113.9' })).toEqual([])
    const page = await maru.call(listAudit, { action: RIGHTS, perPage: 2, page: 2 }, admin)
    expect(page.data.rows).toEqual(all.slice(2, 4))
    const file = await maru.call(
      exportAudit,
      { action: RIGHTS, format: 'csv', reason: '감사', password: PASSWORD },
      { session: admin.session },
    )
    expect(parse(file.bytes.toString('utf8'), { bom: true, from: 2 })).toHaveLength(all.length)
  })
})

describe('three years (rules/audit#rights)', () => {
  test('keeps permission changes for three years, and deletes older and other rows', async () => {
    const rows = `('user.update', '{"roleCode": {}}'), ('user.update', '{"name": {}}'), ('role.grant', '{}'), ('notice.create', '{}')`
    for (const age of ['3 years - 1 day', '3 years + 1 day'])
      await owner(
        `insert into audit_log (action, target, detail, address, request_id, at)
           select action, 'kept', detail::jsonb, '', '', now() - interval '${age.replace(' - ', ' -').replace(' + ', ' ')}'
           from (values ${rows}) as v (action, detail)`,
      )
    await owner(`delete from audit_log where target = 'kept'`)
    const left = await owner(
      `select action, detail::text, at > now() - interval '3 years' as young from audit_log where target = 'kept' order by action`,
    )
    expect(left).toEqual([
      { action: 'role.grant', detail: '{}', young: true },
      { action: 'user.update', detail: '{"roleCode": {}}', young: true },
    ])
  })
})

const change = (item: string, before: string, after: string) => ({ item, before, after })

import type { Transaction } from 'kysely'
import { ROLE } from '../../contract/permissions.ts'
import { APPROVAL } from '../../contract/users.ts'
import type { Database } from '../../server/db/types.ts'
import { demoAccounts } from './accounts.ts'
import { daysAfter } from './days.ts'
import type { DemoUser } from './users.ts'

/** Everybody asked once: most were approved within some days, some of those who wait were refused before. */
export async function writeRequests(
  tx: Transaction<Database>,
  users: readonly DemoUser[],
  idOf: (user: DemoUser) => string,
): Promise<void> {
  const [administrator, hr] = [ROLE.admin, ROLE.hr].map((role) => {
    const user = users.find(({ roleCode, userId }) => roleCode === role && isKnown(userId))
    return user && idOf(user)
  })
  const asked = users.filter((user) => !isKnown(user.userId) || user.approvalCode === APPROVAL.notApproved)
  const waiting = asked.filter((user) => user.approvalCode === APPROVAL.notApproved)
  await tx
    .insertInto('approval_requests')
    .values([
      ...waiting
        .filter((_, index) => index % 6 === 2)
        .map((user) => ({
          ...person(user),
          user_id: null,
          state: 'refused' as const,
          requested_at: daysAfter(user.createdAt, -3),
          decided_by: hr ?? null,
          decided_at: daysAfter(user.createdAt, -2),
          reason: '소속을 잘못 선택하셨습니다. 소속을 확인한 후 다시 신청해주세요.',
        })),
      ...asked.map((user) => {
        const request = { ...person(user), user_id: idOf(user), requested_at: user.createdAt }
        if (user.approvalCode === APPROVAL.notApproved) return request
        return {
          ...request,
          state: 'approved' as const,
          decided_by: (user.roleCode === ROLE.admin ? administrator : hr) ?? null,
          decided_at: new Date(user.createdAt.getTime() + 5 * 60 * 60 * 1000),
        }
      }),
    ])
    .execute()
}

const person = ({ userId, name, email, affiliationCode }: DemoUser) => ({
  login_id: userId,
  name,
  email,
  affiliation_code: affiliationCode,
})

function isKnown(userId: string): boolean {
  return demoAccounts.some((account) => account.userId === userId)
}

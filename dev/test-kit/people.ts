import { ROLE } from '../../contract/permissions.ts'
import { APPROVAL } from '../../contract/users.ts'
import type { OpenDatabase } from '../../server/db/open.ts'
import { hashToken, newToken } from '../../server/callers/bearer-tokens.ts'
import { startSession } from '../../server/callers/sessions.ts'

/** Password of every user that `createUser` creates. */
export const PASSWORD = 'maru-Test-2026!'

/** Input of `createUser`; everything has a default. */
export interface NewUser {
  loginId?: string
  role?: keyof typeof ROLE
  name?: string
  affiliation?: string
  /** Code of an existing partner. Without one, users may move to another affiliation by themselves. */
  partner?: string
  /** By default true, unless `asked` is true. */
  approved?: boolean
  validFrom?: string | null
  validTo?: string | null
  email?: string
  phoneNumber?: string
  /** True for a temporary password; false by default. */
  temporary?: boolean
  createdAt?: string
  /** True to add a pending approval request from `createdAt`. The account is then not approved by default. */
  asked?: boolean
}

/** A user made for a test. */
export interface TestUser {
  /** users.id */
  id: string
  userId: string
  email: string
  /** A live session's sessionUid. */
  session: string
}

/** A service with a valid token. */
export interface TestService {
  /** service_tokens.id */
  id: string
  token: string
}

/** Creates users, partners and services for a test. */
export interface People {
  /** Creates a user with PASSWORD and a session, also if the user may not log in. Writes no audit row. */
  createUser(user?: NewUser): Promise<TestUser>
  /** Creates a partner without limits, by default of BEL001, and returns its code. */
  createPartner(partner?: { code?: string; affiliation?: string }): Promise<string>
  /** Creates a service with a token, and an administrator who has created it. */
  createService(): Promise<TestService>
}

/**
 * Returns functions that write users, partners and services directly into the database.
 * @param passwordHash hash of the password of every user
 */
export function populate({ db }: Pick<OpenDatabase, 'db'>, passwordHash: string): People {
  let count = 0
  return {
    async createUser(user = {}) {
      count += 1
      const loginId = user.loginId ?? `user${String(count).padStart(3, '0')}`
      const email = user.email ?? `${loginId}@example.com`
      const { id } = await db
        .insertInto('users')
        .values((eb) => ({
          loginId,
          passwordHash,
          passwordTemporary: user.temporary ?? false,
          passwordOwnFrom: user.temporary === true ? null : new Date(),
          name: user.name ?? `홍길동${count}`,
          position: '대리',
          phoneNumber: user.phoneNumber ?? `010${String(10_000_000 + count)}`,
          email,
          affiliationCode: user.affiliation ?? 'BEL001',
          roleCode: ROLE[user.role ?? 'user'],
          approvalCode: (user.approved ?? user.asked !== true) ? APPROVAL.approved : APPROVAL.notApproved,
          validFrom: user.validFrom ?? null,
          validTo: user.validTo ?? null,
          partnerId:
            user.partner === undefined
              ? null
              : eb.selectFrom('partners').select('id').where('code', '=', user.partner),
          ...(user.createdAt === undefined ? {} : { createdAt: user.createdAt }),
        }))
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('passwordHistory').values({ userId: id, passwordHash }).execute()
      if (user.asked === true) {
        await db
          .insertInto('approvalRequests')
          .values((eb) => ({
            userId: id,
            loginId,
            name: user.name ?? `홍길동${count}`,
            email,
            affiliationCode: user.affiliation ?? 'BEL001',
            requestedAt: eb.selectFrom('users').select('createdAt').where('id', '=', id),
          }))
          .execute()
      }
      const session = await db
        .transaction()
        .execute((tx) => startSession(tx, { userId: id, address: '127.0.0.1', userAgent: 'test' }))
      return { id, userId: loginId, email, session }
    },

    async createPartner(partner = {}) {
      count += 1
      const code = partner.code ?? `PARTNER-${count}`
      await db
        .insertInto('partners')
        .values({
          code,
          type: 'pa',
          affiliationCode: partner.affiliation ?? 'BEL001',
          provinceCode: '11',
          provinceName: '서울특별시',
          districtName: '종로구',
          x: 126.9774,
          y: 37.5949,
          validFrom: null,
          validTo: null,
          memo: null,
        })
        .execute()
      return code
    },

    async createService() {
      const { id: creator } = await this.createUser({ role: 'admin' })
      const token = newToken('service')
      const { id } = await db
        .insertInto('serviceTokens')
        .values({
          name: `서비스 ${creator}`,
          tokenHash: hashToken(token),
          createdBy: creator,
          revokedBy: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, token }
    },
  }
}

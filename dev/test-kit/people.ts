import { ROLE } from '../../contract/permissions.ts'
import { APPROVAL } from '../../contract/users.ts'
import type { OpenDatabase } from '../../server/db/open.ts'
import { hashToken, newToken } from '../../server/http/tokens.ts'
import { startSession } from '../../server/http/sessions.ts'

/** The password of everybody that `createUser` makes. */
export const PASSWORD = 'maru-Test-2026!'

/** What `createUser` needs; everything has a default. */
export interface NewUser {
  loginId?: string
  role?: keyof typeof ROLE
  name?: string
  affiliation?: string
  approved?: boolean
  validFrom?: string | null
  validTo?: string | null
  email?: string
  phoneNumber?: string
  temporary?: boolean
  createdAt?: string
  /** A request for the account waits, since `createdAt`; of an account that is not approved. */
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

/** A service with a token in force. */
export interface TestService {
  /** service_tokens.id */
  id: string
  token: string
}

/** Makes the people and partners that a test needs. */
export interface People {
  createUser(user?: NewUser): Promise<TestUser>
  /** A partner of an affiliation; gives its code. */
  createPartner(partner?: { code?: string; affiliation?: string }): Promise<string>
  createService(): Promise<TestService>
}

/** Writes people straight into the database, all with the password whose hash is given. */
export function populate({ db }: Pick<OpenDatabase, 'db'>, passwordHash: string): People {
  let count = 0
  return {
    async createUser(user = {}) {
      count += 1
      const loginId = user.loginId ?? `user${String(count).padStart(3, '0')}`
      const email = user.email ?? `${loginId}@example.com`
      const { id } = await db
        .insertInto('users')
        .values({
          login_id: loginId,
          password_hash: passwordHash,
          password_temporary: user.temporary ?? false,
          password_own_from: user.temporary === true ? null : new Date(),
          name: user.name ?? `홍길동${count}`,
          position: '대리',
          phone_number: user.phoneNumber ?? `010${String(10_000_000 + count)}`,
          email,
          affiliation_code: user.affiliation ?? 'BEL001',
          role_code: ROLE[user.role ?? 'user'],
          approval_code: (user.approved ?? user.asked !== true) ? APPROVAL.approved : APPROVAL.notApproved,
          valid_from: user.validFrom ?? null,
          valid_to: user.validTo ?? null,
          partner_id: null,
          ...(user.createdAt === undefined ? {} : { created_at: user.createdAt }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('password_history').values({ user_id: id, password_hash: passwordHash }).execute()
      if (user.asked === true) {
        await db
          .insertInto('approval_requests')
          .values((eb) => ({
            user_id: id,
            login_id: loginId,
            name: user.name ?? `홍길동${count}`,
            email,
            affiliation_code: user.affiliation ?? 'BEL001',
            requested_at: eb.selectFrom('users').select('created_at').where('id', '=', id),
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
          affiliation_code: partner.affiliation ?? 'BEL001',
          province_code: '11',
          province_name: '서울특별시',
          district_name: '종로구',
          x: 126.9774,
          y: 37.5949,
          valid_from: null,
          valid_to: null,
          memo: null,
        })
        .execute()
      return code
    },

    async createService() {
      const { id: creator } = await this.createUser({ role: 'admin' })
      const token = newToken('service')
      const { id } = await db
        .insertInto('service_tokens')
        .values({
          name: `서비스 ${creator}`,
          token_hash: hashToken(token),
          created_by: creator,
          revoked_by: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, token }
    },
  }
}

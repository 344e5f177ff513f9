import { type Kysely, sql, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { CODE_GROUP } from '../../contract/common.ts'
import { roles } from '../../server/db/seed/roles.ts'
import { newStorageKey, putFile, type Storage, type StorageKey } from '../../server/services/storage.ts'
import type { KeySecret } from '../../server/services/key-secret.ts'
import type { Passwords } from '../../server/services/password.ts'
import { StartRefusal } from '../../server/start-refusal.ts'
import { LOCK } from '../../server/db/locks.ts'
import type { Database } from '../../server/db/types.ts'
import { demoAccounts, DEMO_DOMAIN, DEMO_PASSWORD } from './accounts.ts'
import { makeKeys, type DemoKey } from './keys.ts'
import { makeReaders } from './notice-readers.ts'
import { makeNotices, type DemoNotice } from './notices.ts'
import { makePartners, type DemoPartner } from './partners.ts'
import { createRandom } from './random.ts'
import { writeRequests } from './requests.ts'
import { makeUsers, type DemoUser } from './users.ts'
import { writeKeys, writeKeySecret } from './write-keys.ts'

/** The accounts of the demo data, for the table on the terminal. */
export interface DemoAccounts {
  /** Whether the data was written now; else it was there already. */
  isNew: boolean
  accounts: { userId: string; password: string; role: string; purpose: string }[]
}

/** The demo data as plain values: the same seed and moment give the same. */
export interface DemoData {
  partners: DemoPartner[]
  users: DemoUser[]
  notices: DemoNotice[]
  keys: DemoKey[]
}

const SIZE = { partners: 80, users: 300, notices: 120, files: 25, keys: 3000 }

/** Makes up the demo data; touches nothing. */
export function makeDemoData(now: Date, seed: number): DemoData {
  const random = createRandom(seed)
  const partners = makePartners(random, now, SIZE.partners)
  const users = makeUsers(random, now, SIZE.users, partners)
  const notices = makeNotices(random, now, SIZE.notices, SIZE.files, users)
  return { partners, users, notices, keys: makeKeys(random, now, SIZE.keys, users) }
}

/** What demo data is made with. */
export interface DemoParts {
  storage: Storage
  passwords: Passwords
  now: Date
  seed: number
  /** The secret that its keys come from; without it none is on record. */
  keySecret?: Pick<KeySecret, 'fingerprint'>
}

/**
 * Fills an empty, migrated database with the demo data; one that holds it already stays as it is.
 * @returns the accounts to sign in with
 * @throws {StartRefusal} when the database holds real users: demo data is never mixed with them
 */
export async function generateDemo(
  db: Kysely<Database>,
  { storage, passwords, now, seed, keySecret }: DemoParts,
): Promise<DemoAccounts> {
  const kept: StorageKey[] = []
  try {
    const isNew = await db.transaction().execute(async (tx) => {
      // Two that start on one empty database write it once.
      await sql`select pg_advisory_xact_lock(${LOCK.demo})`.execute(tx)
      if (await holdsDemo(tx)) return false
      const data = makeDemoData(now, seed)
      const partnerIds = await writePartners(tx, data.partners)
      await chooseDefaultPartners(tx)
      const userIds = await writeUsers(tx, data.users, partnerIds, await passwords.hash(DEMO_PASSWORD))
      await writeRequests(tx, data.users, (user) => idOf(userIds, user))
      const noticeIds = await writeNotices(tx, data.notices, userIds, storage, kept)
      await writeReaders(tx, makeReaders(data.notices, data.users, now), noticeIds, userIds)
      await writeKeys(tx, data.keys, (key) => ({
        user_id: idOf(userIds, key.user),
        partner_id: idOf(partnerIds, key.partner),
      }))
      if (keySecret) await writeKeySecret(tx, data.keys, keySecret)
      // A portal in use: nobody is led to the guide of a new one.
      await tx.updateTable('settings').set({ setup_state: 'finished' }).execute()
      return true
    })
    return { isNew, accounts: demoAccounts.map(listed) }
  } catch (error) {
    await Promise.all(kept.map((key) => storage.remove(key)))
    throw error
  }
}

function listed(account: (typeof demoAccounts)[number]): DemoAccounts['accounts'][number] {
  const role = roles.find(({ code }) => code === account.roleCode)?.groupName ?? ''
  return { userId: account.userId, password: DEMO_PASSWORD, role, purpose: account.purpose }
}

/** E-mail addresses cannot be edited: that of the demo's administrator tells whose data it is. */
async function holdsDemo(tx: Transaction<Database>): Promise<boolean> {
  const marker = `admin@${DEMO_DOMAIN}`
  const users = await tx
    .selectFrom('users')
    .select(({ fn }) => [
      fn.countAll().as('all'),
      sql<string>`count(*) filter (where email = ${marker})`.as('demo'),
    ])
    .executeTakeFirstOrThrow()
  if (Number(users.all) === 0) return false
  if (Number(users.demo) > 0) return true
  throw new StartRefusal(
    'The database holds users that are no demo data, and demo data is never mixed with real data. Leave DATABASE_URL unset, or point DATA_DIR or DATABASE_URL to an empty place.',
  )
}

type Ids<T> = Map<T, string>

/** An insert gives its rows back in the order in which it was given them. */
function idsOf<T>(items: readonly T[], rows: readonly { id: string }[]): Ids<T> {
  return new Map(items.map((item, index) => [item, rows[index]?.id ?? '']))
}

function idOf<T>(ids: Ids<T>, item: T): string {
  const id = ids.get(item)
  if (id === undefined) throw new Error('A row of the demo data refers to one that was not written')
  return id
}

async function writePartners(
  tx: Transaction<Database>,
  partners: readonly DemoPartner[],
): Promise<Ids<DemoPartner>> {
  const rows = await tx
    .insertInto('partners')
    .values(
      partners.map((partner) => ({
        code: partner.code,
        type: partner.type,
        affiliation_code: partner.affiliationCode,
        province_code: partner.provinceCode,
        province_name: partner.provinceName,
        district_name: partner.districtName,
        x: partner.x,
        y: partner.y,
        limit_day: partner.limits.day,
        limit_week: partner.limits.week,
        limit_month: partner.limits.month,
        limit_total: partner.limits.total,
        valid_from: partner.validFrom,
        valid_to: partner.validTo,
        memo: partner.memo,
        created_at: partner.createdAt,
        updated_at: partner.createdAt,
      })),
    )
    .returning('id')
    .execute()
  return idsOf(partners, rows)
}

/** The branches have a default partner code; the others show what an installation of before looks like. */
async function chooseDefaultPartners(tx: Transaction<Database>): Promise<void> {
  await sql`update codes c set default_partner_id = (
      select p.id from partners p where p.affiliation_code = c.code order by p.valid_to desc nulls first, p.id limit 1)
    where c.group_code = ${CODE_GROUP.affiliation} and c.code in ('BEL002', 'BEL003', 'BEL004', 'BEL005')`.execute(
    tx,
  )
}

async function writeUsers(
  tx: Transaction<Database>,
  users: readonly DemoUser[],
  partnerIds: Ids<DemoPartner>,
  // One hash for all: 300 would take half a minute.
  password_hash: string,
): Promise<Ids<DemoUser>> {
  const rows = await tx
    .insertInto('users')
    .values(
      users.map((user) => ({
        login_id: user.userId,
        password_hash,
        password_temporary: user.isPasswordTemporary,
        password_own_from: user.isPasswordTemporary ? null : user.createdAt,
        name: user.name,
        position: user.position,
        phone_number: user.phoneNumber,
        email: user.email,
        affiliation_code: user.affiliationCode,
        role_code: user.roleCode,
        approval_code: user.approvalCode,
        valid_from: user.validFrom,
        valid_to: user.validTo,
        partner_id: user.partner && idOf(partnerIds, user.partner),
        language: user.language,
        created_at: user.createdAt,
        updated_at: user.createdAt,
        last_login_at: user.lastLoginAt,
        withdrawn_at: user.withdrawnAt,
      })),
    )
    .returning('id')
    .execute()
  await tx
    .insertInto('password_history')
    .values(rows.map((row) => ({ user_id: row.id, password_hash })))
    .execute()
  return idsOf(users, rows)
}

async function writeNotices(
  tx: Transaction<Database>,
  notices: readonly DemoNotice[],
  userIds: Ids<DemoUser>,
  storage: Storage,
  kept: StorageKey[],
): Promise<Ids<DemoNotice>> {
  const rows = await tx
    .insertInto('notices')
    .values(
      notices.map((notice) => ({
        bullet_code: notice.bulletCode,
        title: notice.title,
        memo: notice.memo,
        author_id: idOf(userIds, notice.author),
        created_at: notice.createdAt,
        updated_at: notice.createdAt,
        published_at: notice.publishedAt,
        pinned_until: notice.pinnedUntil,
        must_read: notice.mustRead,
      })),
    )
    .returning('id')
    .execute()
  const ids = idsOf(notices, rows)
  for (const notice of notices) {
    const { file, createdAt } = notice
    if (file === null) continue
    const key = newStorageKey(createdAt)
    kept.push(key)
    const { size } = await putFile(storage, key, Readable.from([file.content]))
    await tx
      .insertInto('notice_files')
      .values({
        id: randomUUID(),
        notice_id: idOf(ids, notice),
        save_path: key.path,
        save_file_name: key.name,
        original_name: file.name,
        size_bytes: String(size),
        created_at: createdAt,
      })
      .execute()
  }
  return ids
}

async function writeReaders(
  tx: Transaction<Database>,
  readers: ReturnType<typeof makeReaders>,
  noticeIds: Ids<DemoNotice>,
  userIds: Ids<DemoUser>,
): Promise<void> {
  await tx
    .insertInto('notice_reads')
    .values(
      readers.map(({ notice, user, viewedAt, confirmedAt }) => ({
        notice_id: idOf(noticeIds, notice),
        user_id: idOf(userIds, user),
        viewed_at: viewedAt,
        confirmed_at: confirmedAt,
      })),
    )
    .execute()
}

import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { CODE_GROUP } from '../../contract/common.ts'
import { roles } from '../../server/db/seed/roles.ts'
import { newStorageKey, putFile, type Storage, type StorageKey } from '../../server/services/storage.ts'
import type { KeySecret } from '../../server/services/key-secret.ts'
import type { Passwords } from '../../server/services/password.ts'
import { StartRefusal } from '../../server/startup-error.ts'
import { LOCK } from '../../server/db/locks.ts'
import type { Db, Tx } from '../../server/db/database.ts'
import { demoAccounts, DEMO_DOMAIN, DEMO_PASSWORD } from './accounts.ts'
import { makeKeys, type DemoKey, writeKeys, writeKeySecret } from './keys.ts'
import { makeReaders, makeNotices, type DemoNotice } from './notices.ts'
import { makePartners, type DemoPartner } from './partners.ts'
import { createRandom } from './random.ts'
import { writeRequests, makeUsers, type DemoUser } from './users.ts'
import { writeTeams } from './teams.ts'

/** Accounts of the demo data, for the table on the terminal. */
export interface DemoAccounts {
  /** True if the data was written now, false if it existed. */
  isNew: boolean
  /** All demo accounts, also if the data existed. */
  accounts: { userId: string; password: string; role: string; purpose: string }[]
}

/** Demo data as plain values, before it is written. */
export interface DemoData {
  partners: DemoPartner[]
  users: DemoUser[]
  notices: DemoNotice[]
  keys: DemoKey[]
}

/** Numbers of rows; `files` is the number of notices with a file. */
const SIZE = { partners: 80, users: 300, notices: 120, files: 25, keys: 3000 }

/** Creates the demo data in memory, with the numbers of SIZE. The same time and seed give the same data. */
export function makeDemoData(now: Date, seed: number): DemoData {
  const random = createRandom(seed)
  const partners = makePartners(random, now, SIZE.partners)
  const users = makeUsers(random, now, SIZE.users, partners)
  const notices = makeNotices(random, now, SIZE.notices, SIZE.files, users)
  return { partners, users, notices, keys: makeKeys(random, now, SIZE.keys, users) }
}

/** Dependencies of the demo data. */
export interface DemoParts {
  storage: Storage
  passwords: Passwords
  now: Date
  seed: number
  /** Key secret whose fingerprint is stored, as when a key is issued; undefined to store none. */
  keySecret?: Pick<KeySecret, 'fingerprint'>
}

/**
 * Fills a migrated database without users with the demo data, and marks the setup guide as finished. A database with
 * demo data stays unchanged. After a failure, deletes the files that it stored.
 * @returns the accounts to sign in with
 * @throws {StartRefusal} if the database contains real users, because demo data is never mixed with them
 */
export async function generateDemo(
  db: Db,
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
      await writeTeams(tx)
      await writeRequests(tx, data.users, (user) => idOf(userIds, user))
      const noticeIds = await writeNotices(tx, data.notices, userIds, storage, kept)
      await writeReaders(tx, makeReaders(data.notices, data.users, now), noticeIds, userIds)
      await writeKeys(tx, data.keys, (key) => ({
        userId: idOf(userIds, key.user),
        partnerId: idOf(partnerIds, key.partner),
      }))
      if (keySecret) await writeKeySecret(tx, data.keys, keySecret)
      // A portal in use does not show the guide of a new one.
      await tx.updateTable('settings').set({ setupState: 'finished' }).execute()
      return true
    })
    return { isNew, accounts: demoAccounts.map(toListed) }
  } catch (error) {
    await Promise.all(kept.map((key) => storage.remove(key)))
    throw error
  }
}

/** Returns an account as the terminal lists it. */
function toListed(account: (typeof demoAccounts)[number]): DemoAccounts['accounts'][number] {
  const role = roles.find(({ code }) => code === account.roleCode)?.groupName ?? ''
  return { userId: account.userId, password: DEMO_PASSWORD, role, purpose: account.purpose }
}

/**
 * Returns whether the database holds demo data: some user has an email address of its reserved domain. False for a
 * database without users.
 * @throws {StartRefusal} if there are only other users
 */
async function holdsDemo(tx: Tx): Promise<boolean> {
  const users = await tx
    .selectFrom('users')
    .select(({ fn }) => [
      fn.countAll().as('all'),
      sql<string>`count(*) filter (where email like ${`%@${DEMO_DOMAIN}`})`.as('demo'),
    ])
    .executeTakeFirstOrThrow()
  if (Number(users.all) === 0) return false
  if (Number(users.demo) > 0) return true
  throw new StartRefusal(
    'The database holds users that are no demo data, and demo data is never mixed with real data. Leave DATABASE_URL unset, or point DATA_DIR or DATABASE_URL to an empty place.',
  )
}

/** IDs of written rows, by the item of the demo data. */
type Ids<T> = Map<T, string>

/** Returns the IDs of rows that an insert has returned, which are in the order of its values. */
function idsOf<T>(items: readonly T[], rows: readonly { id: string }[]): Ids<T> {
  return new Map(items.map((item, index) => [item, rows[index]?.id ?? '']))
}

/**
 * Returns the ID of an item.
 * @throws {Error} if it was not written
 */
function idOf<T>(ids: Ids<T>, item: T): string {
  const id = ids.get(item)
  if (id === undefined) throw new Error('A row of the demo data refers to one that was not written')
  return id
}

/** Writes the partners and returns their IDs. */
async function writePartners(tx: Tx, partners: readonly DemoPartner[]): Promise<Ids<DemoPartner>> {
  const rows = await tx
    .insertInto('partners')
    .values(
      partners.map(({ limits, ...partner }) => ({
        ...partner,
        limitDay: limits.day,
        limitWeek: limits.week,
        limitMonth: limits.month,
        limitTotal: limits.total,
        updatedAt: partner.createdAt,
      })),
    )
    .returning('id')
    .execute()
  return idsOf(partners, rows)
}

/** Gives the branches a default partner code. The other affiliations have none, as in an older installation. */
async function chooseDefaultPartners(tx: Tx): Promise<void> {
  await sql`update codes c set default_partner_id = (
      select p.id from partners p where p.affiliation_code = c.code order by p.valid_to desc nulls first, p.id limit 1)
    where c.group_code = ${CODE_GROUP.affiliation} and c.code in ('BEL002', 'BEL003', 'BEL004', 'BEL005')`.execute(
    tx,
  )
}

/** Writes the users with one password, and returns their IDs. */
async function writeUsers(
  tx: Tx,
  users: readonly DemoUser[],
  partnerIds: Ids<DemoPartner>,
  // One hash for all: 300 would take half a minute.
  passwordHash: string,
): Promise<Ids<DemoUser>> {
  const rows = await tx
    .insertInto('users')
    .values(
      users.map(({ userId: loginId, isPasswordTemporary, partner, ...user }) => ({
        ...user,
        loginId,
        passwordHash,
        passwordTemporary: isPasswordTemporary,
        passwordOwnFrom: isPasswordTemporary ? null : user.createdAt,
        partnerId: partner && idOf(partnerIds, partner),
        updatedAt: user.createdAt,
      })),
    )
    .returning('id')
    .execute()
  await tx
    .insertInto('passwordHistory')
    .values(rows.map((row) => ({ userId: row.id, passwordHash })))
    .execute()
  return idsOf(users, rows)
}

/**
 * Writes the notices and their files, and returns the IDs.
 * @param kept receives the key of each file before it is stored
 */
async function writeNotices(
  tx: Tx,
  notices: readonly DemoNotice[],
  userIds: Ids<DemoUser>,
  storage: Storage,
  kept: StorageKey[],
): Promise<Ids<DemoNotice>> {
  const rows = await tx
    .insertInto('notices')
    .values(
      notices.map(({ author, file: _file, ...notice }) => ({
        ...notice,
        authorId: idOf(userIds, author),
        updatedAt: notice.createdAt,
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
      .insertInto('noticeFiles')
      .values({
        id: randomUUID(),
        noticeId: idOf(ids, notice),
        savePath: key.path,
        saveFileName: key.name,
        originalName: file.name,
        sizeBytes: String(size),
        createdAt,
      })
      .execute()
  }
  return ids
}

/** Writes who has read which notice. */
async function writeReaders(
  tx: Tx,
  readers: ReturnType<typeof makeReaders>,
  noticeIds: Ids<DemoNotice>,
  userIds: Ids<DemoUser>,
): Promise<void> {
  await tx
    .insertInto('noticeReads')
    .values(
      readers.map(({ notice, user, ...times }) => ({
        ...times,
        noticeId: idOf(noticeIds, notice),
        userId: idOf(userIds, user),
      })),
    )
    .execute()
}

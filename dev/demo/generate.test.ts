import { buffer } from 'node:stream/consumers'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { createNotice } from '../../contract/notices.ts'
import { createPartner } from '../../contract/partners.ts'
import { basicCard } from '../../contract/users.ts'
import { newPassword } from '../../contract/fields.ts'
import { passwordWeakness } from '../../contract/password-weakness.ts'
import { useMaru } from '../test-kit/maru.ts'
import { readRegions } from '../../server/db/seed/regions.ts'
import { DEMO_PASSWORD, demoAccounts, type DemoState } from './accounts.ts'
import { ATTACHMENTS } from './notice-texts.ts'
import { calendarDay, calendarWeek } from './days.ts'
import { generateDemo, makeDemoData } from './generate.ts'
import { AFFILIATIONS } from './partners.ts'

const NOW = new Date('2026-11-21T03:00:00Z')

describe('the demo data (rules/running#demo)', () => {
  const data = makeDemoData(NOW, 1)

  test('is the same for the same seed and moment, and differs for others', () => {
    expect(makeDemoData(NOW, 1)).toEqual(data)
    expect(makeDemoData(NOW, 2)).not.toEqual(data)
  })

  test.each([1, 2, 3, 4, 5, 2026])('is complete for seed %i', (seed) => {
    const { partners, users, notices, keys } = makeDemoData(NOW, seed)
    expect([partners.length, users.length, notices.length, keys.length]).toEqual([80, 300, 120, 3000])
    expect(notices.filter((notice) => notice.file !== null)).toHaveLength(25)
    const board = notices.map((notice) => [
      notice.pinnedUntil !== null,
      notice.mustRead,
      notice.publishedAt > NOW,
    ])
    expect([0, 1, 2].map((mark) => board.filter((marks) => marks[mark]).length)).toEqual([2, 2, 1])
    expect(new Set(partners.map((partner) => partner.affiliationCode))).toEqual(new Set(AFFILIATIONS))
    expect(new Set(users.map((user) => user.affiliationCode))).toEqual(new Set(AFFILIATIONS))
    const provinces = new Set(readRegions().provinces.map((province) => province.code))
    expect(new Set(partners.map((partner) => partner.provinceCode))).toEqual(provinces)
    expect(new Set(partners.map((partner) => partner.type))).toEqual(new Set(['fa', 'pa']))
    expect(partners.some((partner) => partner.limits.day === null)).toBe(true)
    expect(partners.some((partner) => (partner.validTo ?? '9') < calendarDay(NOW))).toBe(true)
    expect(new Set(users.map((user) => user.approvalCode)).size).toBe(2)
    expect(new Set(users.map((user) => user.roleCode)).size).toBe(3)
    expect(users.filter((user) => user.withdrawnAt !== null).length).toBeGreaterThan(1)
    expect(new Set(notices.map((notice) => notice.bulletCode)).size).toBe(2)
  })

  test('is accepted by the contract', () => {
    for (const user of data.users) {
      const card = {
        userId: user.userId,
        affiliationCode: user.affiliationCode,
        position: user.position,
        name: user.name,
        phoneNumber: user.phoneNumber,
        email: user.email,
      }
      expect(basicCard.parse(card)).toEqual(card)
      expect(user.partner?.affiliationCode ?? user.affiliationCode).toBe(user.affiliationCode)
    }
    for (const partner of data.partners) {
      const input = {
        partnerCode: partner.code,
        partnerType: partner.type,
        maxKeysPerDay: partner.limits.day,
        maxKeysPerWeek: partner.limits.week,
        maxKeysPerMonth: partner.limits.month,
        maxKeysTotal: partner.limits.total,
        validFrom: partner.validFrom ?? '',
        validTo: partner.validTo ?? '',
        affiliationCode: partner.affiliationCode,
        longitude: partner.x,
        latitude: partner.y,
        provinceName: partner.provinceName,
        districtName: partner.districtName,
      }
      expect(createPartner.input.parse(input)).toEqual(input)
    }
    for (const { bulletCode, title, memo } of data.notices) {
      const input = { bulletCode, title, memo: memo ?? '' }
      expect(createNotice.input.parse(input)).toEqual(input)
    }
  })

  test('lies in the past, and nobody acts before they exist', () => {
    for (const { author, createdAt } of data.notices) {
      expect(createdAt <= NOW && createdAt > author.createdAt).toBe(true)
    }
    for (const { user, partner, issuedAt } of data.keys) {
      expect(issuedAt <= NOW && issuedAt >= user.createdAt && issuedAt >= partner.createdAt).toBe(true)
      expect(calendarDay(issuedAt) <= (partner.validTo ?? '9')).toBe(true)
    }
  })

  test('lets no partner pass a limit', () => {
    const counts = new Map<string, number>()
    for (const { partner, issuedAt } of data.keys) {
      const { day, week, month, total } = partner.limits
      for (const [period, limit] of [
        [calendarDay(issuedAt), day],
        [`w${calendarWeek(issuedAt)}`, week],
        [calendarDay(issuedAt).slice(0, 7), month],
        ['', total],
      ] as const) {
        const count = (counts.get(partner.code + period) ?? 0) + 1
        counts.set(partner.code + period, count)
        if (limit !== null) expect(count).toBeLessThanOrEqual(limit)
      }
    }
  })

  test.each([1, 2, 3, 4, 5, 2026])('lets the demo accounts issue keys for seed %i', (seed) => {
    const { users, keys } = makeDemoData(NOW, seed)
    for (const { userId } of demoAccounts.filter(({ state }) => state === 'ready')) {
      const partner = users.find((user) => user.userId === userId)?.partner
      expect(partner).toMatchObject({ affiliationCode: 'BEL001', validTo: null })
      const issued = keys.filter((key) => key.partner === partner).map(({ issuedAt }) => issuedAt)
      const { day, week, month, total } = partner?.limits ?? {}
      expect([day, week, month, total]).toEqual([10, 40, 120, null])
      expect(issued.filter((at) => calendarDay(at) === calendarDay(NOW)).length).toBeLessThan(10)
      expect(issued.filter((at) => calendarWeek(at) === calendarWeek(NOW)).length).toBeLessThan(40)
      expect(issued.filter((at) => calendarDay(at).startsWith('2026-11')).length).toBeLessThan(120)
    }
  })

  test('has one password that keeps the rules for every user', () => {
    expect(newPassword.safeParse(DEMO_PASSWORD).success).toBe(true)
    for (const user of data.users) expect(passwordWeakness(DEMO_PASSWORD, user), user.userId).toBeNull()
  })

  test('has files of the types that their names say', () => {
    const beginnings = {
      zip: 'PK',
      docx: 'PK',
      xlsx: 'PK',
      pdf: '%PDF-',
      png: '\x89PNG',
      csv: '\xEF\xBB\xBF',
      txt: '',
    }
    expect(Object.keys(beginnings).toSorted()).toEqual([...ATTACHMENTS.keys()].toSorted())
    for (const [kind, beginning] of Object.entries(beginnings)) {
      const content = ATTACHMENTS.get(kind)
      expect(content?.toString('latin1').startsWith(beginning), kind).toBe(true)
    }
  })
})

describe('demo data in the database', () => {
  const maru = useMaru()
  const generate = () =>
    generateDemo(maru.database.db, {
      storage: maru.services.storage,
      passwords: maru.services.passwords,
      // The clock of the server decides what an account may do.
      now: new Date(),
      seed: 1,
      keySecret: maru.services.keySecret,
    })
  const files = async () => {
    const entries = await readdir(join(maru.dataDir, 'files'), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).length
  }

  test('never joins real users, and a refused attempt leaves nothing', async () => {
    const { db } = maru.database
    await maru.createUser()
    await expect(generate()).rejects.toThrow('no demo data')
    expect(await db.selectFrom('partners').select('id').execute()).toEqual([])
    expect(await files()).toBe(0)
    await maru.owner.query('truncate users restart identity cascade')
  })

  describe('once written', () => {
    beforeAll(async () => {
      const both = await Promise.all([generate(), generate()])
      expect(both.filter((result) => result.isNew)).toHaveLength(1)
    })

    test('exists once, even after two concurrent requests, and returns its accounts again', async () => {
      const { rows } = await maru.database.pool.query(`select
        (select count(*)::int from users) as users, (select count(*)::int from partners) as partners,
        (select count(*)::int from notices) as notices, (select count(*)::int from notice_files) as files,
        (select count(*)::int from issued_keys) as keys, (select count(*)::int from password_history) as history,
        (select count(*)::int from approval_requests r join users u on u.id = r.user_id
          where r.state = 'waiting' and u.approval_code = 'MEMAP002') as waiting,
        (select count(*)::int from users where approval_code = 'MEMAP002') as unapproved`)
      const [{ waiting, unapproved, ...counts }] = rows
      expect(counts).toEqual({ users: 300, partners: 80, notices: 120, files: 25, keys: 3000, history: 300 })
      // Everybody who is not approved has asked.
      expect(unapproved).toBeGreaterThan(10)
      expect(waiting).toBe(unapproved)
      expect(await files()).toBe(25)
      const again = await generate()
      expect(again.isNew).toBe(false)
      expect(again.accounts.map((account) => account.userId)).toEqual(
        demoAccounts.map((account) => account.userId),
      )
    })

    test('has keys that come from the secret of this server (rules/keys#changed-secret)', async () => {
      const { rows } = await maru.database.pool.query(
        'select version, fingerprint, since = (select min(issued_at) from issued_keys) as "isFirst" from key_secrets',
      )
      const { fingerprint } = maru.services.keySecret
      expect(rows).toEqual([{ version: 1, fingerprint, isFirst: true }])
    })

    test('has accounts that each log in or are refused as announced', async () => {
      const expected: Record<DemoState, string | boolean> = {
        ready: false,
        temporary: true,
        unapproved: 'ACCOUNT_NOT_APPROVED',
        expired: 'ACCOUNT_EXPIRED',
        'not-yet-valid': 'ACCOUNT_NOT_YET_VALID',
        withdrawn: 'ACCOUNT_WITHDRAWN',
      }
      for (const { userId, state } of demoAccounts) {
        const answer = await maru.call(login, { loginId: userId, password: DEMO_PASSWORD })
        expect(answer.code ?? answer.data.mustChangePassword, userId).toBe(expected[state])
      }
    })

    test('has files that can all be read whole', async () => {
      const rows = await maru.database.db.selectFrom('noticeFiles').selectAll().execute()
      for (const row of rows) {
        const file = await maru.services.storage.get({ path: row.savePath, name: row.saveFileName })
        expect(file && (await buffer(file.stream)).length, row.originalName).toBe(Number(row.sizeBytes))
      }
      expect(new Set(rows.map((row) => row.originalName.split('.').at(-1))).size).toBeGreaterThan(4)
    })

    test('has higher numbers in newer rows, so that lists by either agree', async () => {
      for (const [table, column] of [
        ['users', 'created_at'],
        ['notices', 'created_at'],
        ['issued_keys', 'issued_at'],
      ]) {
        const { rows } = await maru.database.pool.query(
          `select count(*)::int as wrong from (select id, lag(id) over (order by ${column}, id) as before from ${table}) t where id < before`,
        )
        expect(rows, table).toEqual([{ wrong: 0 }])
      }
    })
  })
})

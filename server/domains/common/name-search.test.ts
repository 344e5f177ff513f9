import { beforeEach, describe, expect, test } from 'vitest'
import { listRequests } from '../../../contract/approvals.ts'
import { exportKeys, getKeyStatistics, listAllPrograms, listKeys } from '../../../contract/keys.ts'
import { changeRoles, exportUsers, listColleagues, listUsers, previewBulk } from '../../../contract/users.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let admin: TestUser

/** Sets how many characters of a name a search needs. */
async function set(nameSearch: 'any' | 'two'): Promise<void> {
  await maru.database.pool.query('update settings set name_search = $1', [nameSearch])
  await maru.services.settings.fresh()
}

beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
  await set('two')
})

const DAYS = { issuedFrom: '2026-01-01', issuedTo: '2026-01-31' }
const PLACE = { provinceName: '', districtName: '', affiliationCode: '' }
const keys = (requesterName: string) => ({ ...DAYS, ...PLACE, requesterName })
const users = (text: object) => ({ affiliationCode: '', approvalCode: '', roleCode: '', ...text })

/** Searches by a text, by the wire name of its field. */
const SEARCHES: Record<string, (text: string) => Promise<{ status: number; raw: string }>> = {
  'KEYWORD of users': (keyword) => maru.call(listUsers, users({ keyword }), admin),
  'NAME of users': (name) => maru.call(listUsers, users({ name }), admin),
  'KEYWORD of exported users': (keyword) =>
    maru.call(exportUsers, { ...users({ keyword }), format: 'csv', reason: '점검' }, admin),
  'KEYWORD of colleagues': (keyword) => maru.call(listColleagues, { affiliationCode: '', keyword }, admin),
  'KEYWORD of requests': (keyword) => maru.call(listRequests, { keyword }, admin),
  'USER_NAME of keys': (name) => maru.call(listKeys, keys(name), admin),
  'USER_NAME of key statistics': (name) => maru.call(getKeyStatistics, keys(name), admin),
  'USER_NAME of exported keys': (name) =>
    maru.call(exportKeys, { ...keys(name), format: 'csv', reason: '점검' }, admin),
  'KEYWORD of all programs': (keyword) => maru.call(listAllPrograms, { keyword }, admin),
  'KEYWORD of a bulk preview': (keyword) =>
    maru.call(previewBulk, { bulkAction: 'suspend', found: users({ keyword }) }, admin),
  'NAME of a bulk preview': (name) =>
    maru.call(previewBulk, { bulkAction: 'suspend', found: users({ name }) }, admin),
}

describe('a search by name (rules/settings#name-search)', () => {
  test.each(Object.entries(SEARCHES))(
    'needs two characters in %s if the setting says so',
    async (name, search) => {
      const [field] = name.split(' ')
      for (const text of ['김', ' 김 ', '👪', '김'.normalize('NFD'), '0-', '- 김']) {
        const { status, raw } = await search(text)
        const failure = JSON.parse(raw) as { msg: string; field: string }
        expect([status, failure.field]).toEqual([400, field])
        expect(failure.msg).toMatch(/: 두 글자 이상 입력해주세요\.$/)
      }
      expect([(await search('')).status, (await search('김하')).status]).toEqual([200, 200])
      await set('any')
      expect((await search('김')).status).toBe(200)
    },
  )

  test('finds nobody by one letter with characters that are invisible, or wildcards elsewhere', async () => {
    await maru.createUser({ name: '김하늘' })
    for (const text of [
      '김\u200b',
      '\u3164김',
      '김\u1160',
      '김\ufe0f',
      '김%',
      '%김',
      '김_',
      '_김',
      '김\u0301',
      '김*',
    ])
      for (const search of [SEARCHES['NAME of users'], SEARCHES['KEYWORD of colleagues']]) {
        const { status, raw } = (await search?.(text)) ?? { status: 0, raw: '' }
        expect.soft([text, status === 400 || !raw.includes('김하늘')]).toEqual([text, true])
      }
  })

  test('limits a bulk change to a search, too', async () => {
    const input = { found: users({ name: '김' }), roleCode: 'AUT003', version: '0'.repeat(64) }
    expect(await maru.call(changeRoles, input, admin)).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
  })
})

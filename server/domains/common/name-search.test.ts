import { beforeEach, describe, expect, test } from 'vitest'
import { exportKeys, getKeyStatistics, listKeys } from '../../../contract/keys.ts'
import { exportUsers, listColleagues, listUsers } from '../../../contract/users.ts'
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
  'USER_NAME of keys': (name) => maru.call(listKeys, keys(name), admin),
  'USER_NAME of key statistics': (name) => maru.call(getKeyStatistics, keys(name), admin),
  'USER_NAME of exported keys': (name) =>
    maru.call(exportKeys, { ...keys(name), format: 'csv', reason: '점검' }, admin),
}

describe('a search by name (rules/settings#name-search)', () => {
  test.each(Object.entries(SEARCHES))(
    'needs two characters in %s if the setting says so',
    async (name, search) => {
      const [field] = name.split(' ')
      for (const text of ['김', ' 김 ', '👪']) {
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
})

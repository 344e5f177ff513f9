import { beforeAll, describe, expect, test } from 'vitest'
import type { CustomField } from '../../../../contract/custom-fields.ts'
import { getSettings, updateSettings } from '../../../../contract/settings.ts'
import {
  exportUsers,
  listSavedSearches,
  listUsers,
  previewBulk,
  saveSearch,
} from '../../../../contract/users.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
let admin: TestUser

const shared: Pick<CustomField, 'nameEn' | 'choices' | 'seenBy' | 'editedBy'> = {
  nameEn: '',
  choices: [],
  seenBy: 'managers',
  editedBy: 'managers',
}
const FIELDS: CustomField[] = [
  { ...shared, slot: 'custom1', name: '내선', kind: 'text' },
  { ...shared, slot: 'custom2', name: '고용 형태', kind: 'choice', choices: ['정규직', '비정규직'] },
  { ...shared, slot: 'custom3', name: '면담일', kind: 'date' },
]
const PEOPLE = {
  'field.one': { custom1: 'A-100%', custom2: '정규직', custom3: '2026-01-31' },
  'field.two': { custom1: 'a-200', custom2: '비정규직', custom3: '2026-02-01' },
  'field.none': {},
}
type Wanted = Partial<Record<'custom1' | 'custom2' | 'custom3' | 'custom4', string>>

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  const { version } = (await maru.call(getSettings, {}, admin)).data
  await maru.call(updateSettings, { customFields: FIELDS, version }, admin)
  for (const [loginId, values] of Object.entries(PEOPLE)) {
    const { id } = await maru.createUser({ loginId })
    await maru.database.pool.query('update users set custom_values = $2 where id = $1', [
      id,
      JSON.stringify(values),
    ])
  }
})

const search = (customValues: Wanted, more = {}) =>
  maru.call(listUsers, { keyword: 'field.', sort: 'userId', customValues, ...more }, admin)
const find = async (customValues: Wanted) => {
  const { data } = await search(customValues)
  expect(data.totalCount).toBe(data.users.length)
  return data.users.map(({ userId }) => userId)
}

describe('filters by the fields of the company (rules/users#custom-field-filters)', () => {
  test('finds a part of a text in any case, without patterns', async () => {
    expect(await find({ custom1: 'a-' })).toEqual(['field.one', 'field.two'])
    expect(await find({ custom1: '00%' })).toEqual(['field.one'])
    expect(await find({ custom1: '' })).toHaveLength(3)
  })

  test('finds a whole choice', async () => {
    expect(await find({ custom2: '정규직' })).toEqual(['field.one'])
    expect(await find({ custom2: '정규직', custom1: '200' })).toEqual([])
  })

  test('finds a period of dates, both days included', async () => {
    expect(await find({ custom3: '2026-01-31~2026-02-01' })).toEqual(['field.one', 'field.two'])
    expect(await find({ custom3: '2026-02-01~' })).toEqual(['field.two'])
    expect(await find({ custom3: '~2026-01-31' })).toEqual(['field.one'])
  })

  test('refuses a field that is not defined, and a period of no days', async () => {
    expect(await search({ custom4: 'x' })).toMatchObject({ code: 'INPUT_INVALID', field: 'custom4' })
    expect(await search({ custom3: '2026-13-01~' })).toMatchObject({
      code: 'INPUT_INVALID',
      field: 'custom3',
    })
  })

  test('counts and selects exactly who is found', async () => {
    const { data } = await maru.call(listUsers, { customValues: { custom2: '비정규직' } }, admin)
    expect(data.totalCount).toBe(1)
    const found = { customValues: { custom2: '비정규직' } }
    const preview = await maru.call(previewBulk, { bulkAction: 'invite', found }, admin)
    expect(preview.data.obstacles.map(({ userId }) => userId)).toEqual(['field.two'])
  })

  test('is saved, exported and logged with the names of the fields, but no values', async () => {
    const customValues = { custom2: '정규직' }
    await maru.call(saveSearch, { searchName: '정규직', conditions: { customValues } }, admin)
    const { searches } = (await maru.call(listSavedSearches, {}, admin)).data
    expect(searches[0]?.conditions.customValues).toEqual(customValues)
    const { raw, headers } = await maru.call(
      exportUsers,
      { customValues, columns: ['userId'], format: 'csv', reason: '시험' },
      admin,
    )
    expect(raw.trim().split('\r\n')).toEqual(['"아이디"', '"field.one"'])
    const { rows } = await maru.owner.query(
      `select detail from audit_log where action = 'user.export' order by id desc limit 1`,
    )
    expect(rows[0].detail.filters).toEqual({ customValues: { '고용 형태': '정규직' } })
    const log = await maru.owner.query('select detail from access_log where request_id = $1', [
      headers['x-request-id'],
    ])
    expect(new Set(log.rows.map(({ detail }) => detail))).toEqual(new Set(['customValues']))
  })
})

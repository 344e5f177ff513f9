import { expect, test } from '../fixtures/test.ts'
import { choose } from './steps.ts'
import type { CustomField } from '../../contract/custom-fields.ts'

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

test('filters users by the fields of the company, also from the address (rules/users#custom-field-filters)', async ({
  as,
  server,
  expectAccessible,
}) => {
  await server.pool.query('update settings set custom_fields = $1', [JSON.stringify(FIELDS)])
  const { page } = await as('admin')
  for (const [name, values] of [
    ['항목찾기일', { custom1: '1204', custom2: '정규직', custom3: '2026-03-02' }],
    ['항목찾기이', { custom1: '1205', custom2: '비정규직', custom3: '2026-04-02' }],
  ] as const) {
    const { id } = await server.createUser({ name })
    await server.pool.query('update users set custom_values = $2 where id = $1', [id, JSON.stringify(values)])
  }
  const filters = page.getByRole('search')
  const extension = filters.getByRole('textbox', { name: '내선' })
  const names = page.getByRole('rowheader')
  // The server reads the settings once a second.
  await expect(async () => {
    await page.goto('/user/search?name=항목찾기')
    await page.getByRole('button', { name: '상세 조건' }).click()
    await expect(extension).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(names).toHaveText(['항목찾기이', '항목찾기일'])
  await choose(filters, '고용 형태', '정규직')
  await extension.fill('120')
  await filters.getByRole('textbox', { name: '면담일 (까지)' }).fill('2026-03-31')
  await page.keyboard.press('Enter')
  await expect(names).toHaveText(['항목찾기일'])
  await expect(page.getByText('추가 항목: 내선 120, 고용 형태 정규직, 면담일 ~2026-03-31')).toBeVisible()
  await expectAccessible(page)

  await page.reload()
  await expect(names).toHaveText(['항목찾기일'])
  await expect(extension).toHaveValue('120')
  await page
    .getByRole('button', { name: /조건 지우기/ })
    .last()
    .click()
  await expect(names).toHaveText(['항목찾기이', '항목찾기일'])
  await server.pool.query(`update settings set custom_fields = '[]'`)
})

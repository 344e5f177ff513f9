import { readFileSync } from 'node:fs'
import { expect, test } from '../fixtures/test.ts'
import { passGate } from './steps.ts'

test('downloads the user’s own data by keyboard as one file after password re-entry (rules/retention#own-data)', async ({
  as,
  expectAccessible,
}) => {
  const { page, person } = await as('user')
  await page.goto('/mypage')
  await passGate(page)
  const card = page.getByRole('region', { name: '내 정보 내려받기', exact: true })
  await expect(card).toContainText('비밀번호와 발급 키의 값은 들어 있지 않습니다.')
  const started = page.waitForEvent('download')
  await card.getByRole('button', { name: '내려받기', exact: true }).press('Enter')
  const download = await started
  expect(download.suggestedFilename()).toMatch(/^내_정보_\d{4}-\d\d-\d\d\.json$/)
  const data = JSON.parse(readFileSync(await download.path(), 'utf8')) as Record<string, unknown[]>
  expect(data['account']).toMatchObject([{ userId: person.userId }])
  await expectAccessible(page)
})

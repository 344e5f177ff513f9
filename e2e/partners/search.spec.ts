import { parse } from 'csv-parse/sync'
import { readFile } from 'node:fs/promises'
import { answer } from '../fixtures/dialogs.ts'
import { documentWidth } from '../fixtures/width.ts'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'
import { choose } from '../users/steps.ts'
import { code, partnerRow, rows } from './steps.ts'

test('keeps filters and order of the partner search on return (rules/partners#partner-search)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  for (let i = 1; i <= 8; i += 1) {
    const partner = await server.createPartner({
      code: `LIST-${'X'.repeat(i % 2 ? 20 : 0)}${i}`,
      affiliation: i > 6 ? 'BEL007' : 'BEL008',
    })
    await server.db
      .updateTable('partners')
      .set({ limitDay: i * 1000, validTo: `2096-0${i}-15` })
      .where('code', '=', partner)
      .execute()
  }
  await page.setViewportSize({ width: 1200, height: 900 })
  await page.goto('/partner/search')
  await expect(page).toHaveTitle('파트너 코드 정보 조회 | 마루')
  await page.getByRole('textbox', { name: '파트너 코드', exact: true }).fill('list-')
  await page.keyboard.press('Enter')
  await expect(page.getByText('총 8건')).toBeVisible()
  await expect(rows(page)).toHaveCount(6)
  await expect(rows(page).first()).toHaveText('LIST-8')
  expect((await page.getByRole('columnheader').allTextContents()).map((text) => text.trim())).toEqual([
    'No.',
    '파트너 코드',
    '소속',
    '일 최대 발급 수',
    '주 최대 발급 수',
    '월 최대 발급 수',
    '총 최대 발급 수',
    '유효기간 시작일',
    '유효기간 종료일',
  ])
  await expect(page.getByRole('row', { name: /LIST-8/ }).getByRole('cell')).toHaveText([
    '8',
    '가족사',
    '8,000',
    '제한 없음',
    '제한 없음',
    '제한 없음',
    '제한 없음',
    '2096-08-15',
  ])
  expect(await documentWidth(page)).toBe(1200)

  await choose(page.getByRole('search'), '소속', '협력사')
  await page.getByRole('button', { name: '유효기간으로 검색' }).click()
  await page.getByLabel('유효한 날 (부터)', { exact: true }).fill('2096-04-15')
  await page.getByRole('button', { name: '검색', exact: true }).click()
  await expect(page.getByText('총 3건')).toBeVisible()
  await page.getByRole('button', { name: /일 최대 발급 수/ }).click()
  await expect(rows(page).first()).toHaveText('LIST-4')
  await expect(page).toHaveURL(
    /partnerCode=list-&affiliationCode=BEL008&validFrom=2096-04-15&sort=maxKeysPerDay&order=asc/,
  )
  await page.reload()
  await expect(page.getByText('총 3건')).toBeVisible()

  // The file holds what is shown, from the first page to the last; there is nobody in it to mask.
  await page.getByRole('button', { name: '내보내기' }).click()
  const dialog = page.getByRole('dialog', { name: '파트너 코드 목록 내보내기' })
  await expect(dialog.getByRole('checkbox')).toHaveCount(0)
  await choose(dialog, '파일 형식', 'CSV')
  await dialog.getByLabel('사유').fill('e2e 점검')
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(file.suggestedFilename()).toMatch(/^파트너_코드_\d{4}-\d\d-\d\d\.csv$/)
  const exported = parse(await readFile(await file.path()), { bom: true, columns: true })
  expect(exported).toMatchObject([4, 5, 6].map((day) => ({ '일 최대 발급 수': `${day}000` })))
  await expect(dialog).toHaveCount(0)

  // A row opens the detail; 'list' leads back to what was shown.
  await page.getByRole('cell', { name: '5,000' }).click()
  await expect(page).toHaveURL(/\/partner\/detail\?partnerCode=LIST-X+5/)
  await expect(page.getByRole('textbox', { name: '일 최대 발급 수' })).toHaveValue('5000')
  await page.getByRole('button', { name: '목록', exact: true }).click()
  await expect(page.getByText('총 3건')).toBeVisible()
  await expect(rows(page).first()).toHaveText('LIST-4')

  await expectAccessibleInEveryLook(page)
})

test('shows a failed load in place with a retry and no dialog (rules/frame#server-unavailable)', async ({
  as,
  server,
  fragile,
}) => {
  const partner = await server.createPartner({ code: 'SILENT-1' })
  const { page } = await as('admin', {}, fragile)
  await page.goto('/partner/search?partnerCode=SILENT')
  await expect(rows(page)).toHaveText([partner])
  await page.getByRole('textbox', { name: '파트너 코드', exact: true }).fill('SILENT-')
  await waitUntilSettled(page)
  fragile.cutDatabase()
  await page.getByRole('button', { name: '검색', exact: true }).click()
  const failed = page.getByRole('alert').filter({ hasText: '파트너 코드 목록을 불러오지 못했습니다.' })
  await expect(failed).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await fragile.mendDatabase()
  await failed.getByRole('button', { name: '다시 시도' }).click()
  await expect(rows(page)).toHaveText([partner])

  await page.goto('/partner/detail?partnerCode=NO-SUCH')
  await expect(page.getByRole('alert').filter({ hasText: '파트너 코드를 찾을 수 없습니다.' })).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.getByRole('button', { name: '목록', exact: true }).click()
  await expect(page).toHaveURL('/partner/search')

  // A delete that does not get through, too.
  await page.goto(`/partner/detail?partnerCode=${partner}`)
  await expect(code(page)).toHaveValue(partner)
  await waitUntilSettled(page)
  fragile.cutDatabase()
  await page.getByRole('button', { name: '삭제', exact: true }).click()
  await answer(page, '파트너 코드 정보 삭제', '네')
  await expect(page.getByRole('alert').filter({ hasText: '삭제하지 못했습니다.' })).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await fragile.mendDatabase()
  expect(await partnerRow(server, partner)).toBeDefined()
})

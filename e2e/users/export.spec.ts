import { parse } from 'csv-parse/sync'
import { readFile } from 'node:fs/promises'
import readXlsxFile from 'read-excel-file/node'
import { answer } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, waitUntilSettled, test } from '../fixtures/test.ts'
import { choose, search } from './steps.ts'

test.describe('the export of users (rules/users#user-export)', () => {
  test('requires a reason and exports the search masked, or whole with the password', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page, person } = await as('admin')
    await server.createUser({ name: '내보낼사람', phoneNumber: '01011112222', email: 'out@example.com' })
    await page.goto('/user/search')
    await search(page, '내보낼사람', 1)
    await page.getByRole('button', { name: '내보내기' }).click()
    const dialog = page.getByRole('dialog', { name: '사용자 목록 내보내기' })
    const start = dialog.getByRole('button', { name: '내보내기', exact: true })
    await start.click()
    await expect(dialog.getByText('필수 입력 항목입니다.')).toBeVisible()
    await expect(dialog.getByLabel('사유')).toBeFocused()
    await expect(dialog.getByText('검색한 사용자 1명')).toBeVisible()

    await choose(dialog, '열', '모든 열')
    await dialog.getByLabel('사유').fill('e2e 점검')
    const [xlsx] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(xlsx.suggestedFilename()).toMatch(/^사용자_\d{4}-\d\d-\d\d\.xlsx$/)
    const [sheet] = await readXlsxFile(await xlsx.path())
    expect(sheet?.data[1]?.slice(1, 6)).toEqual([
      '내보낼사람',
      '본사',
      '대리',
      '010-****-2222',
      'ou***@example.com',
    ])
    await expect(dialog).toHaveCount(0)

    await page.getByRole('button', { name: '내보내기' }).click()
    await choose(dialog, '파일 형식', 'CSV')
    await choose(dialog, '열', '모든 열')
    await dialog.getByLabel('사유').fill('본인 확인')
    await dialog.getByLabel('가리지 않고').check()
    await start.click()
    await expect(dialog.getByLabel('비밀번호 재입력')).toBeFocused()
    await dialog.getByLabel('비밀번호 재입력').fill('wrong-Maru-2026!')
    await start.click()
    await page.getByRole('alertdialog').getByRole('button', { name: '확인' }).click()
    await expect(dialog.getByText('비밀번호가 올바르지 않습니다.')).toBeVisible()
    await dialog.getByLabel('비밀번호 재입력').fill(PASSWORD)
    const [csv] = await Promise.all([page.waitForEvent('download'), start.click()])
    const rows = parse(await readFile(await csv.path()), { bom: true, columns: true })
    expect(rows).toMatchObject([{ 전화번호: '010-1111-2222', 이메일: 'out@example.com' }])

    const records = await server.db
      .selectFrom('auditLog')
      .select('detail')
      .where('action', '=', 'user.export')
      .where('actorId', '=', person.id)
      .orderBy('id')
      .execute()
    expect(records.map(({ detail }) => detail)).toMatchObject([
      { reason: 'e2e 점검', format: 'xlsx', rows: 1, unmasked: false },
      { reason: '본인 확인', format: 'csv', rows: 1, unmasked: true },
    ])
    await page.getByRole('button', { name: '내보내기' }).click()
    await dialog.getByLabel('가리지 않고').check()
    await expectAccessible(page)
  })

  test('keeps what was typed when the server fails', async ({ as, fragile }) => {
    const { page } = await as('admin', {}, fragile)
    await page.goto('/user/search')
    await page.getByRole('button', { name: '내보내기' }).click()
    const dialog = page.getByRole('dialog', { name: '사용자 목록 내보내기' })
    await dialog.getByLabel('사유').fill('다시 해 볼 것')
    await waitUntilSettled(page)
    fragile.cutDatabase()
    await dialog.getByRole('button', { name: '내보내기', exact: true }).click()
    await answer(page, '관리자에게 문의해주세요.', '확인')
    await fragile.mendDatabase()
    await page.goto('/user/search')
    await page.getByRole('button', { name: '내보내기' }).click()
    await dialog.getByRole('button', { name: '이어서 작성' }).click()
    await expect(dialog.getByLabel('사유')).toHaveValue('다시 해 볼 것')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: '내보내기', exact: true }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
  })
})

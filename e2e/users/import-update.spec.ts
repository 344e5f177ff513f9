import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { readFile } from 'node:fs/promises'
import { tabTo } from '../fixtures/keyboard.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { choose, completeUser, search, userRow } from './steps.ts'
import { toast } from '../fixtures/dialogs.ts'

test('updates users from the edited export by keyboard despite an edit in between (rules/users#update, rules/users#update-check)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('hr')
  const one = await completeUser(server, { name: '파일수정하나', phoneNumber: '01011112222' })
  const two = await completeUser(server, { name: '파일수정둘', validTo: '2087-03-31' })
  await page.goto('/user/search')
  await search(page, '파일수정', 2)
  await page.getByRole('button', { name: '내보내기' }).click()
  const exporting = page.getByRole('dialog', { name: '사용자 목록 내보내기' })
  await choose(exporting, '열', '모든 열')
  await exporting.getByLabel('사유').fill('인사 이동')
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  const {
    sheets: [sheet],
  } = await readXlsx(await readFile(await saved.path()))
  const [header = [], ...people] = sheet?.rows ?? []
  /** The export with some of its cells edited, as Excel saves it. */
  const edited = async (cells: Record<string, Record<string, string>>) => ({
    name: '인사이동.xlsx',
    mimeType: '',
    buffer: Buffer.from(
      await writeXlsx({
        sheets: [
          {
            name: '1',
            rows: [
              header,
              ...people.map((row) =>
                row.map((cell, at) => cells[String(row[0])]?.[String(header[at])] ?? cell),
              ),
            ],
          },
        ],
      }),
    ),
  })

  // A permanent listener: if it were switched on for one key press, the browser might receive that after the key.
  page.on('filechooser', () => {})
  await page.goto('/user/import')
  await tabTo(page, page.getByRole('radio', { name: '신규 등록' }))
  await page.keyboard.press('ArrowRight')
  // Titled as such, and kept over a reload.
  await expect(page).toHaveTitle('사용자 일괄 수정 | 마루')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('사용자 일괄 수정')
  await expect(page.getByRole('link', { name: '사용자 목록에서 내보내기' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: '파일 선택' }))
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles(
    await edited({
      [one.userId]: { 소속: '부산지사', 전화번호: '010-****-9999' },
      [two.userId]: { 이메일: 'other@example.com', '유효기간 종료일': '2025-01-01' },
    }),
  )
  await expect(page.getByRole('status').filter({ hasText: '2행에 오류가 4개' })).toContainText(
    '아무것도 수정하지 않았습니다',
  )
  await expect(page.getByRole('table', { name: '오류' }).getByRole('row')).toHaveText([
    '행항목입력값내용',
    /^2이메일other@example.com현재 이메일과 다릅니다/,
    /^2유효기간 종료일2025-01-01/,
    /^3전화번호010\*{4}9999가려진 값이 현재 값과 맞지 않습니다/,
    /^3파트너 코드P-.*이전 소속의 파트너 코드입니다/,
  ])
  await expectAccessible(page)

  await page.locator('input[type=file]').setInputFiles(await edited({ [one.userId]: { 직급: '과장' } }))
  await expect(page.getByText('수정 1명, 변경 없음 1명', { exact: true })).toBeVisible()
  await expect(
    page.getByText('다음 열은 수정에 사용하지 않습니다: 승인 상태, 등록일, 마지막 로그인'),
  ).toBeVisible()
  const preview = page.getByRole('table', { name: '수정할 사용자' }).getByRole('row').nth(1)
  await expect(preview).toHaveText(`${one.userId}파일수정하나직급: 대리 → 과장`)
  await expectAccessible(page)

  // Meanwhile a colleague promotes the same person.
  await server.pool.query(`update users set position = '차장' where id = $1`, [one.id])
  await tabTo(page, page.getByRole('button', { name: '1명 수정' }))
  await page.keyboard.press('Enter')
  const password = page.getByRole('dialog', { name: '비밀번호 확인' }).getByLabel('관리자 비밀번호')
  await expect(password).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: '아무것도 수정하지 않았습니다' })).toBeFocused()
  await expect(preview).toHaveText(`${one.userId}파일수정하나직급: 차장 → 과장`)
  expect((await userRow(server, one.id)).position).toBe('차장')

  // The file and the password are still there.
  await tabTo(page, page.getByRole('button', { name: '1명 수정' }))
  await page.keyboard.press('Enter')
  await expect(password).toHaveValue(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(toast(page, '사용자 1명을 수정했습니다.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('link', { name: '사용자 목록 보기' })).toBeFocused()
  expect(await userRow(server, one.id)).toMatchObject({ position: '과장', phoneNumber: '01011112222' })
  expect(await userRow(server, two.id)).toMatchObject({ validTo: '2087-03-31', email: two.email })

  // Without permission to register, a user can only update, and gets no choice.
  const grant = ['AUT002', 'autho_user_insert']
  await server.pool.query('delete from role_functions where role_code = $1 and function_name = $2', grant)
  await page.reload()
  await expect(page.getByRole('link', { name: '사용자 목록에서 내보내기' })).toBeVisible()
  await expect(page.getByRole('radio', { name: '신규 등록' })).toHaveCount(0)
  await server.pool.query('insert into role_functions values ($1, $2)', grant)
})

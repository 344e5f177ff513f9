import { expect, test } from '../fixtures/test.ts'
import { closeToast } from '../fixtures/dialogs.ts'

test('finds and ends programs of other users (rules/keys#programs-of-others)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const kim = await server.createUser({ role: 'user', name: '타파하' })
  await server.pool.query(
    `insert into program_tokens (user_id, name, token_hash, expires_at)
     select $1, '단말 ' || n, sha256(random()::text::bytea), now() + interval '10 days' from generate_series(1, 2) n`,
    [kim.id],
  )
  const { page } = await as('admin')
  await page.goto('/key/programs?keyword=타파하')
  await expect(page).toHaveTitle('프로그램 토큰 | 마루')
  const rows = page.getByRole('table', { name: '프로그램 토큰 목록', exact: true }).getByRole('row')
  await expect(rows).toHaveCount(3)
  const row = rows.filter({ hasText: '단말 1' })
  await expect(row).toContainText('곧 만료')
  await expect(row).toContainText('사용 안 함')

  await page.getByRole('textbox', { name: '이름, 아이디, 프로그램, 파트너 코드', exact: true }).fill('단말 1')
  await page.getByRole('button', { name: '검색', exact: true }).click()
  await expect(rows.filter({ hasText: '단말 2' })).toHaveCount(0)
  await page.getByRole('button', { name: '타파하의 단말 1 토큰 종료', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '프로그램 토큰 종료', exact: true })
  await expect(dialog).toContainText(`타파하 (${kim.userId})`)
  await dialog.getByRole('button', { name: '종료', exact: true }).click()
  const reason = dialog.getByRole('textbox', { name: '종료 사유' })
  await expect(reason).toBeFocused()
  await reason.fill('단말 분실')
  await dialog.getByRole('button', { name: '종료', exact: true }).click()
  await closeToast(page, '프로그램 토큰이 종료되었습니다.')
  await expect(page.getByText('유효한 프로그램 토큰이 없습니다.', { exact: true })).toBeVisible()

  await page.goto('/key/programs?keyword=타파하')
  await expect(rows.filter({ hasText: '단말 2' })).toBeVisible()
  await expectAccessibleInEveryLook(page)
})

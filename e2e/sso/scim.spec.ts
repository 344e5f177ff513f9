import { closeToast, answer } from '../fixtures/dialogs.ts'
import { startOwnMaru } from '../fixtures/own-maru.ts'
import { QUIET, signIn } from '../fixtures/page-pool.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose } from '../users/steps.ts'

test('creates a token, with which the provider makes accounts, and lets it adopt one (rules/scim#tokens, rules/scim#adoption)', async ({
  pageAt,
  expectAccessible,
}) => {
  const server = await startOwnMaru()
  try {
    const admin = await server.createUser({ role: 'admin' })
    const { email, userId } = await server.createUser({ name: '김연결' })
    await server.pool.query(
      `insert into identity_providers (name, issuer, client_id, client_secret, tried_version, enabled_at)
        values ('회사', 'https://login.example.com', 'maru', '', 1, now())`,
    )
    const page = await pageAt(server.url)
    await page.goto(QUIET)
    await signIn(page, admin)
    await page.goto('/setting/sso')
    const open = page.getByRole('button', { name: '회사 프로비저닝', exact: true })
    await open.press('Enter')
    const dialog = page.getByRole('dialog', { name: '회사 프로비저닝', exact: true })
    await expect(dialog.getByRole('button', { name: '토큰 발급' })).toBeDisabled()
    await choose(dialog, '새 계정의 소속', '본사')
    await closeToast(page, '저장했습니다.')
    await dialog.getByRole('button', { name: '토큰 발급' }).press('Enter')
    const token = await dialog.getByRole('textbox', { name: 'SCIM 토큰' }).inputValue()
    await dialog.getByRole('button', { name: '닫기' }).click()
    await answer(page, '저장하지 않은 내용', '네')

    const create = (userName: string) =>
      page.request.post(`${server.url}/scim/v2/Users`, {
        headers: { authorization: `Bearer ${token}` },
        data: { userName, displayName: '박신규' },
      })
    expect((await create('newcomer@gana.kr')).status()).toBe(201)
    expect((await create(email)).status()).toBe(409)

    await dialog.getByRole('button', { name: '닫기' }).click()
    await open.press('Enter')
    await expect(dialog.getByText('이 통합 로그인이 관리하는 계정은 1개입니다.')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('checkbox', { name: new RegExp(`김연결 .${userId}.`) }).press('Space')
    await dialog.getByRole('button', { name: '연결', exact: true }).press('Enter')
    await answer(page, '계정 연결', '네')
    await closeToast(page, '연결했습니다.')
    await expect(dialog.getByText('이 통합 로그인이 관리하는 계정은 2개입니다.')).toBeVisible()

    await dialog.getByRole('button', { name: /발급한 토큰 폐기$/ }).press('Enter')
    await answer(page, 'SCIM 토큰 폐기', '네')
    await closeToast(page, '폐기했습니다.')
    expect((await create('later@gana.kr')).status()).toBe(401)
  } finally {
    await server.close()
  }
})

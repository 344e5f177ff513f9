import type { Page } from '@playwright/test'
import { logIn, passGate, setUpApp } from '../account/steps.ts'
import { closeToast, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test, type SignedIn, type WorkerMaru } from '../fixtures/test.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const card = (page: Page) => page.getByRole('region', { name: '2단계 인증', exact: true })

test.beforeEach(async ({ server }) => {
  // Every test comes from one address, whose wrong passwords are counted together.
  await server.db.deleteFrom('rateLimits').execute()
})

test.afterEach(async ({ server }) => {
  await server.db.deleteFrom('factorResets').execute()
})

/** Makes the session of an administrator one that was logged in to with a second factor. */
async function withFactor({ pool }: WorkerMaru, me: SignedIn): Promise<SignedIn> {
  await pool.query(
    `insert into totp_secrets (user_id, sealed, last_step, created_at) values ($1, '', 0, now() - interval '4 days')`,
    [me.person.id],
  )
  await pool.query(
    `update sessions set factor_checked_at = now(), factor_checked_by = 'TOTP', factor_made_at = now() - interval '4 days' where user_id = $1`,
    [me.person.id],
  )
  return me
}

async function openCard(page: Page, userId: string): Promise<void> {
  await page.goto(`/user/detail?userId=${userId}`)
  await card(page).getByRole('button', { name: '2단계 인증 보기', exact: true }).press('Enter')
}

test('replaces a lost phone, from the report to a new factor (rules/users#factor-reset)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('user')
  await server.pool.query(
    `insert into totp_secrets (user_id, sealed, last_step, created_at) values ($1, '', 0, now() - interval '4 days')`,
    [person.id],
  )
  await logOut(page)
  await logIn(page, person.userId, PASSWORD)
  await button(page, '복구 코드 사용').press('Enter')
  await expect(page.getByText(/관리자 두 사람이 확인하면 2단계 인증이 초기화되고/)).toBeVisible()
  await expectAccessible(page)

  const asker = await as('hr')
  const { page: first } = asker
  await openCard(first, person.userId)
  await expect(card(first)).toContainText('초기화에 참여하려면 내 2단계 인증이 필요합니다.')
  await expect(card(first).getByRole('button', { name: '초기화 요청', exact: true })).toHaveCount(0)
  await withFactor(server, asker)
  await openCard(first, person.userId)
  await expect(card(first)).toContainText('초기화를 함께 할 수 있는 관리자가 없습니다.')
  await expectAccessible(first)
  const { page: second } = await withFactor(server, await as('admin'))
  await openCard(first, person.userId)
  await card(first).getByRole('button', { name: '초기화 요청', exact: true }).press('Enter')
  const asking = first.getByRole('dialog', { name: '2단계 인증 초기화 요청' })
  await expect(asking).toBeVisible()
  await expectAccessible(first)
  await asking.getByRole('textbox', { name: /^사유/ }).fill('휴대전화 분실, 전화로 확인')
  await asking.getByRole('button', { name: '초기화 요청', exact: true }).press('Enter')
  await closeToast(first, /^초기화를 요청했습니다/)
  await expect(card(first)).toContainText('다른 관리자의 확인을 기다립니다.')
  await expect(card(first).getByRole('button', { name: '초기화 확인', exact: true })).toHaveCount(0)
  await expect(card(first).getByRole('button', { name: '요청 취소', exact: true })).toBeVisible()

  await second.goto('/main')
  await expect(second.getByRole('link', { name: /2단계 인증 초기화 확인/ })).toBeVisible()
  await openCard(second, person.userId)
  await expect(card(second)).toContainText('휴대전화 분실, 전화로 확인')
  await expectAccessible(second)
  await card(second).getByRole('button', { name: '초기화 확인', exact: true }).press('Enter')
  const confirming = second.getByRole('dialog', { name: '2단계 인증 초기화 확인' })
  await confirming.getByRole('button', { name: '초기화 확인', exact: true }).press('Enter')
  await closeToast(second, '2단계 인증을 초기화했습니다.')
  await expect(card(second)).toContainText('등록한 2단계 인증이 없습니다.')

  await button(page, '처음으로').press('Enter')
  await logIn(page, person.userId, PASSWORD)
  await expect(page).toHaveURL('/main')
  await page.goto('/mypage')
  await passGate(page)
  await button(page, '2단계 인증 관리').press('Enter')
  await setUpApp(page)
})

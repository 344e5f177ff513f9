import type { Locator, Page } from '@playwright/test'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { startIdentityProvider } from '../../dev/test-kit/identity-provider.ts'
import { passGate } from '../account/steps.ts'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { mailTo } from '../fixtures/mail.ts'
import { startOwnMaru } from '../fixtures/own-maru.ts'
import { QUIET, signIn } from '../fixtures/page-pool.ts'
import {
  certify,
  checkId,
  confirmAlert,
  fillSignUp,
  sendCode,
  somebodyNew,
} from '../fixtures/self-service.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { choose } from '../users/steps.ts'

/** Returns a port that is free now: the portal's URL is known before it starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a portal beside an identity provider that knows it as a client. */
async function startWithProvider() {
  const port = await freePort()
  const portalUrl = `http://127.0.0.1:${port}`
  const settings = { OUTBOUND_ALLOW: '127.0.0.1', PORT: String(port), PORTAL_URL: portalUrl }
  const server = await startOwnMaru(settings)
  const client = { clientId: 'maru', clientSecret: 'a secret', redirectUri: `${portalUrl}/sso` }
  const provider = await startIdentityProvider(client)
  provider.person = { sub: 'person-1', email: 'person@example.com', email_verified: true }
  const close = async () => {
    await provider.stop()
    await server.close()
  }
  return { portalUrl, server, client, provider, close }
}

/** Fills the form of a new provider in. @returns the dialog's last field */
async function fillProvider(
  page: Page,
  { client, provider }: Pick<Awaited<ReturnType<typeof startWithProvider>>, 'client' | 'provider'>,
): Promise<Locator> {
  await page.goto('/setting/sso')
  await page.getByRole('button', { name: '통합 로그인 추가' }).click()
  const form = page.getByRole('dialog', { name: '통합 로그인 추가', exact: true })
  await form.getByRole('textbox', { name: '이름' }).fill('회사')
  await form.getByRole('textbox', { name: '발급자' }).fill(provider.issuer)
  await form.getByRole('textbox', { name: '클라이언트 ID' }).fill('maru')
  const secret = form.getByLabel('클라이언트 비밀값')
  await secret.fill(client.clientSecret)
  return secret
}

test('adds, tests and enables a provider, by which people link, log in, ask for an account, confirm and log out (rules/sso#providers, rules/sso#test-login, rules/sso#links, rules/sso#login, rules/sso#first-login, rules/sso#required, rules/sso#reauthentication, rules/sso#logout)', async ({
  pageAt,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const portal = await startWithProvider()
  const { portalUrl, server, provider } = portal
  try {
    const admin = await server.createUser({ role: 'admin' })
    const page = await pageAt(portalUrl)
    await page.goto(QUIET)
    await signIn(page, admin)
    const secret = await fillProvider(page, portal)
    await expectAccessible(page)
    await secret.press('Enter')
    await closeToast(page, '저장했습니다. 사용하려면 시험 로그인을 해주세요.')

    // Nothing but a test login allows to enable it.
    await expect(page.getByRole('button', { name: '회사 사용', exact: true })).toBeDisabled()
    await page.getByRole('button', { name: '회사 시험하기', exact: true }).click()
    await expect(page.getByText('연결된 포털 계정이 없습니다.')).toBeVisible()
    await expect(page.getByText('person-1')).toBeVisible()
    await expectAccessible(page)
    await page.goto('/setting/sso')
    await page.getByRole('button', { name: '회사 사용', exact: true }).click()
    await expect(page.getByRole('button', { name: '회사 사용 중지', exact: true })).toBeVisible()
    await expectAccessibleInEveryLook(page)

    const kim = await server.createUser()
    const own = await pageAt(portalUrl)
    await own.goto(QUIET)
    await signIn(own, kim)
    await own.goto('/mypage')
    await passGate(own)
    await own.getByRole('button', { name: '통합 로그인 관리', exact: true }).click()
    await own.getByRole('button', { name: '회사 연결', exact: true }).click()
    await expect(own.getByText('회사 계정을 연결했습니다.')).toBeVisible()
    await expectAccessible(own)
    await own.getByRole('button', { name: '돌아가기' }).press('Enter')
    await expect(own).toHaveURL('/mypage')

    const guest = await pageAt(portalUrl)
    await guest.goto('/login')
    const button = guest.getByRole('button', { name: '회사 계정으로 로그인', exact: true })
    await expect(button).toBeVisible()
    await expectAccessible(guest)
    await button.press('Enter')
    await expect(guest).toHaveURL('/main')
    // The home page may have other links of this name.
    await expect(guest.getByRole('banner').getByRole('link', { name: /내 정보/ })).toHaveCount(1)

    await setLook(page, '한국어')
    await page.getByRole('button', { name: '회사 수정', exact: true }).click()
    const change = page.getByRole('dialog', { name: '회사 수정', exact: true })
    await choose(change, '연결되지 않은 사람의 로그인', '회원가입 신청 허용')
    await change.getByText('로그아웃할 때 통합 로그인에서도 로그아웃', { exact: true }).click()
    await change.getByRole('button', { name: '저장' }).click()
    const person = somebodyNew()
    provider.person = { sub: 'person-2', email: person.email, email_verified: true }
    const newcomer = await pageAt(portalUrl)
    await newcomer.goto('/login')
    await newcomer.getByRole('button', { name: '회사 계정으로 로그인', exact: true }).click()
    await newcomer.getByRole('button', { name: '계정 신청' }).press('Enter')
    await expect(newcomer.getByText('통합 로그인의 이메일로 신청하면')).toBeVisible()
    await expectAccessible(newcomer)
    await fillSignUp(newcomer, person)
    await checkId(newcomer)
    await certify(newcomer)
    await sendCode(newcomer, (await mailTo(server, person.email)).code)
    await confirmAlert(newcomer, '승인 요청이 완료되었습니다. 관리자의 승인 후 로그인해주세요.')
    const links = server.db.selectFrom('identities').where('subject', '=', 'person-2')
    expect(await links.select('subject').execute()).toHaveLength(1)

    await page.goto('/setting/security')
    const roles = page.getByRole('group', { name: '통합 로그인으로만 로그인하는 권한' })
    await roles.getByRole('checkbox', { name: '일반 사용자' }).press('Space')
    await page.getByRole('button', { name: '저장', exact: true }).press('Enter')
    await answer(page, /비상 계정이 하나 이상 필요합니다/, '확인')
    const accounts = page.getByRole('textbox', { name: /^비상 계정/ })
    await expect(accounts).toBeFocused()
    await expectAccessible(page)
    await server.db.updateTable('users').set({ breakGlass: true }).where('id', '=', admin.id).execute()
    await server.db.updateTable('roles').set({ ssoRequired: true }).where('code', '=', 'AUT003').execute()

    const lee = await server.createUser()
    provider.person = { sub: 'lee', email: lee.email, email_verified: true }
    const theirs = await pageAt(portalUrl)
    await theirs.goto('/login')
    await theirs.getByLabel('아이디', { exact: true }).fill(lee.userId)
    await theirs.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await theirs.getByRole('button', { name: '로그인', exact: true }).click()
    await answer(theirs, /통합 로그인으로만 로그인할 수 있습니다/, '확인')
    await theirs.getByRole('button', { name: '회사 계정으로 로그인', exact: true }).press('Enter')
    await theirs.getByRole('button', { name: '기존 계정과 연결' }).press('Enter')
    await theirs.getByLabel('아이디', { exact: true }).fill(lee.userId)
    await theirs.getByLabel('비밀번호', { exact: true }).fill('Wrong-2026!')
    await theirs.getByRole('button', { name: '연결하고 로그인' }).click()
    await answer(theirs, '아이디 또는 비밀번호가 올바르지 않습니다.', '확인')
    await expectAccessible(theirs)
    await theirs.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await theirs.getByLabel('비밀번호', { exact: true }).press('Enter')
    await expect(theirs).toHaveURL('/main')

    // A link of another site begins no reauthentication.
    await theirs.goto('/sso?confirm=1')
    await expect(theirs.getByRole('alert')).toHaveText(/시작한 로그인이 아닙니다/)
    await theirs.goto('/mypage')
    const opened = theirs.waitForEvent('popup')
    await theirs.getByRole('link', { name: '회사 계정으로 확인 (새 창)' }).press('Enter')
    const tab = await opened
    await expect(tab.getByText('확인했습니다.')).toBeVisible()
    await expectAccessible(tab)
    await tab.close()
    await expect(theirs.getByRole('button', { name: '통합 로그인 관리', exact: true })).toBeVisible()

    await theirs.goto('/logout')
    await theirs.getByRole('button', { name: '로그아웃', exact: true }).click()
    await theirs.waitForURL(`${provider.issuer}/**`)
  } finally {
    await portal.close()
  }
})

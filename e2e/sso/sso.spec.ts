import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { startIdentityProvider } from '../../dev/test-kit/identity-provider.ts'
import { passGate } from '../account/steps.ts'
import { closeToast } from '../fixtures/dialogs.ts'
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
import { expect, test } from '../fixtures/test.ts'
import { choose } from '../users/steps.ts'

/** Returns a port that is free now: the portal's URL is known before it starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('adds, tests and enables a provider, links an account, logs in and requests an account by it (rules/sso#providers, rules/sso#test-login, rules/sso#links, rules/sso#login, rules/sso#first-login)', async ({
  pageAt,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const port = await freePort()
  const portalUrl = `http://127.0.0.1:${port}`
  const server = await startOwnMaru({
    OUTBOUND_ALLOW: '127.0.0.1',
    PORT: String(port),
    PORTAL_URL: portalUrl,
  })
  const client = { clientId: 'maru', clientSecret: 'a secret', redirectUri: `${portalUrl}/sso` }
  const provider = await startIdentityProvider(client)
  provider.person = { sub: 'person-1', email: 'person@example.com', email_verified: true }
  try {
    const admin = await server.createUser({ role: 'admin' })
    const page = await pageAt(portalUrl)
    await page.goto(QUIET)
    await signIn(page, admin)
    await page.goto('/setting/sso')
    await page.getByRole('button', { name: '통합 로그인 추가' }).click()
    const form = page.getByRole('dialog', { name: '통합 로그인 추가', exact: true })
    await form.getByRole('textbox', { name: '이름' }).fill('회사')
    await form.getByRole('textbox', { name: '발급자' }).fill(provider.issuer)
    await form.getByRole('textbox', { name: '클라이언트 ID' }).fill('maru')
    const secret = form.getByLabel('클라이언트 비밀값')
    await secret.fill(client.clientSecret)
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
    await expect(guest.getByRole('link', { name: /내 정보/ })).toHaveCount(1)

    await setLook(page, '한국어')
    await page.getByRole('button', { name: '회사 수정', exact: true }).click()
    const change = page.getByRole('dialog', { name: '회사 수정', exact: true })
    await choose(change, '연결되지 않은 사람의 로그인', '회원가입 신청 허용')
    await change.getByRole('button', { name: '저장' }).click()
    const person = somebodyNew()
    provider.person = { sub: 'person-2', email: person.email, email_verified: true }
    const newcomer = await pageAt(portalUrl)
    await newcomer.goto('/login')
    await newcomer.getByRole('button', { name: '회사 계정으로 로그인', exact: true }).click()
    await newcomer.getByRole('link', { name: '계정 신청' }).press('Enter')
    await expect(newcomer.getByText('통합 로그인의 이메일로 신청하면')).toBeVisible()
    await expectAccessible(newcomer)
    await fillSignUp(newcomer, person)
    await checkId(newcomer)
    await certify(newcomer)
    await sendCode(newcomer, (await mailTo(server, person.email)).code)
    await confirmAlert(newcomer, '승인 요청이 완료되었습니다. 관리자의 승인 후 로그인해주세요.')
    const links = server.db.selectFrom('identities').where('subject', '=', 'person-2')
    expect(await links.select('subject').execute()).toHaveLength(1)
  } finally {
    await provider.stop()
    await server.close()
  }
})

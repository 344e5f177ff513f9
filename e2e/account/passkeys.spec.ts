import type { Page } from '@playwright/test'
import { answer, closeToast, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, waitUntilSettled, test, type SignedIn, type WorkerMaru } from '../fixtures/test.ts'
import { titleField } from '../notices/steps.ts'
import { logIn, passGate, readStoredSession } from './steps.ts'

const card = (page: Page) => page.getByRole('region', { name: '2단계 인증', exact: true })
const part = (page: Page) => card(page).getByRole('region', { name: '패스키', exact: true })
const codesOf = (page: Page) => card(page).getByRole('region', { name: '복구 코드', exact: true })
const addButton = (page: Page) => part(page).getByRole('button', { name: '패스키 등록', exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: '패스키 등록', exact: true })
const nameField = (page: Page) => page.getByRole('textbox', { name: '패스키 이름', exact: true })
const loginButton = (page: Page) => page.getByRole('button', { name: '패스키로 로그인', exact: true })

/** The portal as browsers have passkeys at it: an address of numbers has none. */
const addressOf = ({ url }: WorkerMaru) => url.replace('127.0.0.1', 'localhost')

interface Settings {
  portal_url: string | null
  company_name: string | null
}

/** Sets where people open the portal; the server knows it by then, which it says of the company's name alone. */
async function saveSettings({ pool, url }: WorkerMaru, to: Settings): Promise<void> {
  await pool.query('update settings set portal_url = $1, company_name = $2', [to.portal_url, to.company_name])
  if (to.company_name === null) return
  await expect
    .poll(async () => ((await (await fetch(`${url}/config.json`)).json()) as { company: string }).company)
    .toBe(to.company_name)
}

let times = 0
const setAddress = (server: WorkerMaru, address: string) =>
  saveSettings(server, { portal_url: address, company_name: `패스키 회사 ${(times += 1)}` })

/** Adds a virtual authenticator of Chromium to the browser of a page; it confirms by default. */
async function withDevice(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** From now on its person does not confirm who they are. */
    refuse: (isRefused: boolean) =>
      browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefused }),
    keys: async () => (await browser.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** Its count goes back, as that of a copy would. */
    async countBack() {
      const { credentials } = await browser.send('WebAuthn.getCredentials', { authenticatorId })
      await browser.send('WebAuthn.clearCredentials', { authenticatorId })
      for (const credential of credentials)
        await browser.send('WebAuthn.addCredential', {
          authenticatorId,
          credential: { ...credential, signCount: 0 },
        })
    },
  }
}

async function openFactors(page: Page): Promise<void> {
  await page.goto('/mypage')
  await passGate(page)
  await card(page).getByRole('button', { name: '2단계 인증 관리', exact: true }).click()
  await expect(part(page)).toBeVisible()
}

/** Sets a passkey up as its person does, by the keyboard alone. */
async function setUp(page: Page, name: string): Promise<void> {
  await openFactors(page)
  await addButton(page).press('Enter')
  await expect(nameField(page)).toBeFocused()
  await nameField(page).fill(name)
  await nameField(page).press('Enter')
  const shown = page.getByRole('dialog', { name: '복구 코드', exact: true })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const download = page.waitForEvent('download')
  await shown.getByRole('button', { name: '파일로 저장', exact: true }).press('Enter')
  await download
  await shown.getByRole('button', { name: '닫기', exact: true }).last().press('Enter')
  await expect(part(page).getByRole('listitem')).toContainText(name)
}

async function signOut(page: Page): Promise<void> {
  await logOut(page)
  await expect(page.getByRole('heading', { name: '로그인', exact: true })).toBeVisible()
}

/** Opens a page for a new user on the portal address that passkeys are registered for. */
async function atPortal(
  as: (role: 'user', user: object, at: { url: string }) => Promise<SignedIn>,
  server: WorkerMaru,
) {
  await setAddress(server, addressOf(server))
  return as('user', {}, { url: addressOf(server) })
}

let before: Settings | undefined
test.beforeEach(async ({ server }) => {
  before = (await server.pool.query<Settings>('select portal_url, company_name from settings')).rows[0]
  // Every test comes from one address, whose wrong tries are counted together.
  await server.db.deleteFrom('rateLimits').execute()
})
test.afterEach(async ({ server }) => {
  if (before !== undefined) await saveSettings(server, before)
})

test.describe('a passkey (rules/account#passkeys)', () => {
  test('is set up by the keyboard, renamed, logs in, also over a form, and is removed (rules/frame#signing-in-again)', async ({
    as,
    server,
    expectAccessible,
    expectAccessibleInEveryLook,
  }) => {
    const { page, person } = await atPortal(as, server)
    const device = await withDevice(page)
    await setUp(page, '사무실 노트북')
    await expect(part(page)).toContainText('1개 등록')
    await expect(part(page)).toContainText('사용 기록 없음')
    await expect(codesOf(page)).toContainText('10개 남음')
    expect(await device.keys()).toHaveLength(1)

    await part(page).getByRole('button', { name: '사무실 노트북 이름 변경', exact: true }).click()
    await expect(nameField(page)).toBeFocused()
    await nameField(page).fill('집 노트북')
    await nameField(page).press('Enter')
    await expect(part(page).getByRole('listitem')).toContainText('집 노트북')

    await signOut(page)
    await logIn(page, person.userId, PASSWORD)
    await expect(loginButton(page)).toBeFocused()
    expect((await readStoredSession(page)).uid).toBeNull()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/main')

    await page.goto('/notice/insert')
    await titleField(page).fill('쓰던 제목')
    await waitUntilSettled(page)
    await server.pool.query('delete from sessions where user_id = $1', [person.id])
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const again = page.getByRole('alertdialog', { name: '다시 로그인' })
    await again.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await again.getByRole('button', { name: '로그인', exact: true }).click()
    await again.getByRole('button', { name: '패스키로 로그인', exact: true }).click()
    await expect(again).toHaveCount(0)
    await expect(titleField(page)).toHaveValue('쓰던 제목')
    expect((await readStoredSession(page)).uid).not.toBeNull()
    await titleField(page).fill('')

    await openFactors(page)
    await expect(part(page)).toContainText('마지막 사용')
    await expectAccessibleInEveryLook(page)
    await page.getByRole('button', { name: 'Remove 집 노트북', exact: true }).click()
    await answer(page, 'Remove the passkey', 'Yes')
    await closeToast(page, /The passkey has been removed/)
    await expect(page.getByRole('region', { name: 'Passkeys', exact: true })).toContainText('Not set up')
    await expect(page.getByRole('region', { name: 'Recovery codes', exact: true })).toHaveCount(0)
    const { rows } = await server.pool.query('select from passkeys where user_id = $1', [person.id])
    expect(rows).toEqual([])
  })

  test('neither is set up nor logs in without confirmation, can be tried again, and is refused if it may be a copy', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page, person } = await atPortal(as, server)
    const device = await withDevice(page)
    await setUp(page, '휴대전화')
    await addButton(page).click()
    // The session has not proved the passkey yet: setting one up is no proof (rules/account#confirmation).
    await page.getByRole('button', { name: '패스키로 확인', exact: true }).press('Enter')
    await dialogOf(page).getByRole('button', { name: '계속', exact: true }).click()
    await expect(dialogOf(page).getByRole('alert')).toContainText('이미 등록한 패스키가 있습니다')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toHaveCount(0)

    await signOut(page)
    await device.refuse(true)
    await logIn(page, person.userId, PASSWORD)
    await loginButton(page).click()
    await expect(page.getByRole('alert')).toContainText('취소되었거나 시간이 지났습니다')
    await expect(loginButton(page)).toBeFocused()
    expect((await readStoredSession(page)).uid).toBeNull()
    await page.getByRole('button', { name: '복구 코드 사용', exact: true }).click()
    await expect(page.getByRole('textbox', { name: '복구 코드', exact: true })).toBeFocused()
    await page.getByRole('button', { name: '패스키 사용', exact: true }).click()
    await device.refuse(false)
    await expect(loginButton(page)).toBeFocused()
    await loginButton(page).click()
    await expect(page).toHaveURL('/main')

    await server.pool.query('update passkeys set counter = 5000 where user_id = $1', [person.id])
    await device.countBack()
    await signOut(page)
    await logIn(page, person.userId, PASSWORD)
    await loginButton(page).click()
    await expect(page.getByRole('alert')).toContainText('복제되었을 수 있어')
    expect((await readStoredSession(page)).uid).toBeNull()
  })
})

test.describe('a page that has no passkeys says why (rules/account#passkeys)', () => {
  test('explains a portal without an https address or opened at another one', async ({
    as,
    server,
    expectAccessible,
  }) => {
    await setAddress(server, 'http://portal.example')
    const { page } = await as('user')
    await openFactors(page)
    await expect(part(page)).toContainText('https로 시작하는 도메인이어야 합니다')
    await expect(addButton(page)).toHaveCount(0)
    await expectAccessible(page)

    await setAddress(server, 'https://portal.example')
    await openFactors(page)
    await expect(part(page)).toContainText('https://portal.example 주소로 다시 접속해주세요')
    await expect(addButton(page)).toHaveCount(0)
  })

  test('allows a login to finish another way', async ({ as, server, expectAccessible }) => {
    const { page, person } = await as('user')
    await setAddress(server, 'https://portal.example')
    await server.pool.query(
      `insert into passkeys (user_id, name, rp_id, credential_id, public_key, counter, transports)
       values ($1, '휴대전화', 'portal.example', 'a-' || gen_random_uuid(), '', 0, '{}')`,
      [person.id],
    )
    await signOut(page)
    await logIn(page, person.userId, PASSWORD)
    await expect(page.getByRole('textbox', { name: '복구 코드', exact: true })).toBeFocused()
    await expect(page.getByText('https://portal.example 주소로 다시 접속해주세요')).toBeVisible()
    await expect(loginButton(page)).toHaveCount(0)
    await expectAccessible(page)
  })
})

import type { Page } from '@playwright/test'
import { readLogin } from '../../contract/account/second-factor.ts'
import { codeAt } from '../../dev/test-kit/factors.ts'
import { answer, closeToast, logOut } from '../fixtures/dialogs.ts'
import { readClipboard } from '../fixtures/keyboard.ts'
import { signIn } from '../fixtures/page-pool.ts'
import { expect, PASSWORD, waitUntilSettled, test, type SignedIn, type WorkerMaru } from '../fixtures/test.ts'
import { titleField } from '../notices/steps.ts'
import { logIn, passGate, setUpApp, readStoredSession } from './steps.ts'

const card = (page: Page) => page.getByRole('region', { name: '2단계 인증', exact: true })
const app = (page: Page) => card(page).getByRole('region', { name: '인증 앱', exact: true })
const codesOf = (page: Page) => card(page).getByRole('region', { name: '복구 코드', exact: true })
const confirm = (page: Page) => page.getByRole('button', { name: '확인', exact: true })
const codeField = (page: Page) => page.getByRole('textbox', { name: '인증 코드', exact: true })

async function openFactors({ page }: SignedIn): Promise<void> {
  await page.goto('/mypage')
  await passGate(page)
  await card(page).getByRole('button', { name: '2단계 인증 관리', exact: true }).click()
}

/** Sets the app up as its person does; gives its secret and the recovery codes. */
async function setUp(me: SignedIn): Promise<{ secret: string; codes: string[] }> {
  const { page } = me
  await openFactors(me)
  const { secret, codes: shown } = await setUpApp(page)
  const codes = await shown.getByRole('listitem').allTextContents()
  const download = page.waitForEvent('download')
  await shown.getByRole('button', { name: '파일로 저장', exact: true }).click()
  expect((await download).suggestedFilename()).toBe(`복구 코드 ${me.person.userId}.txt`)
  await shown.getByRole('button', { name: '닫기', exact: true }).last().click()
  await expect(page.getByText(codes[0] ?? '')).toHaveCount(0)
  return { secret, codes }
}

/** The code that confirmed the app is used: the next ones count as if half a minute had passed. */
const forgetSteps = ({ pool }: WorkerMaru, { person }: SignedIn) =>
  pool.query('update totp_secrets set last_step = 0 where user_id = $1', [person.id])

async function signOut(page: Page): Promise<void> {
  await logOut(page)
  await expect(page.getByRole('heading', { name: '로그인', exact: true })).toBeVisible()
}

/** Counts how often the page reads the login that waits for its second factor. */
function countReads(page: Page): () => number {
  let count = 0
  page.on('request', (request) => (count += request.url().endsWith(readLogin.path) ? 1 : 0))
  return () => count
}

/** Waits until home is there and nothing more comes, and no dialog is over it. */
async function expectHome(page: Page): Promise<void> {
  await expect(page).toHaveURL('/main')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
  await waitUntilSettled(page)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
}

test.beforeEach(async ({ server }) => {
  // Every test comes from one address, whose wrong passwords are counted together.
  await server.db.deleteFrom('rateLimits').execute()
})

test.describe('a second factor (rules/account#second-factor)', () => {
  test('is set up with an app, asks before unsaved codes close, is asked for within five minutes, and removed (rules/account#shown-once)', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const me = await as('user')
    const { page } = me
    await openFactors(me)
    const { secret, codes } = await setUpApp(page)
    const close = codes.getByRole('button', { name: '닫기', exact: true }).last()
    for (const press of [() => close.click(), () => close.press('Escape')]) {
      await press()
      await answer(page, '저장하지 않은 내용', '아니오')
      await expect(close).toBeFocused()
      await expect(codes.getByRole('listitem')).toHaveCount(10)
    }
    await page.context().grantPermissions(['clipboard-write'])
    await codes.getByRole('button', { name: '복사', exact: true }).click()
    await closeToast(page, '복사했습니다.')
    const first = await codes.getByRole('listitem').first().innerText()
    expect(await readClipboard(page)).toContain(first)
    await close.click()
    await expect(codes).toHaveCount(0)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(app(page)).toContainText('사용 기록 없음')
    await expect(codesOf(page)).toContainText('10개 남음')
    await forgetSteps(server, me)

    await signOut(page)
    await logIn(page, me.person.userId, PASSWORD)
    await expect(codeField(page)).toBeFocused()
    expect((await readStoredSession(page)).uid).toBeNull()
    await server.pool.query(
      `update login_tickets set created_at = now() - interval '6 minutes' where user_id = $1`,
      [me.person.id],
    )
    await codeField(page).fill(codeAt(secret, new Date()))
    await confirm(page).click()
    await answer(page, /로그인 시간이 지났습니다/, '확인')
    const password = page.getByLabel('비밀번호', { exact: true })
    await expect(password).toBeFocused()
    await page.getByRole('button', { name: '로그인' }).click()
    await expect(codeField(page)).toBeFocused()
    await page.getByRole('button', { name: '처음으로', exact: true }).click()
    await expect(password).toBeFocused()

    await logIn(page, me.person.userId, PASSWORD)
    await confirm(page).click()
    await expect(page.getByText('필수 입력 항목입니다.')).toBeVisible()
    await codeField(page).fill('000000')
    await confirm(page).click()
    await expect(page.getByText('인증 코드가 올바르지 않거나 이미 사용되었습니다.')).toBeVisible()
    await expect(codeField(page)).toBeFocused()
    await codeField(page).fill(codeAt(secret, new Date()))
    await confirm(page).click()
    await expect(page).toHaveURL('/main')

    await openFactors(me)
    await expect(app(page)).toContainText('마지막 사용')
    await app(page).getByRole('button', { name: '삭제', exact: true }).click()
    await answer(page, '인증 앱 삭제', '네')
    await closeToast(page, '인증 앱을 삭제했습니다.')
    await expect(app(page)).toContainText('등록 안 함')
    await expect(codesOf(page)).toHaveCount(0)
    await expectAccessibleInEveryLook(page)
  })

  test('is a recovery code where the phone is not there, each once, with no expired login shown (rules/account#recovery-codes)', async ({
    as,
    expectAccessible,
  }) => {
    const me = await as('user')
    const { page } = me
    const { codes } = await setUp(me)
    const field = page.getByRole('textbox', { name: '복구 코드', exact: true })
    const enter = async () => {
      await signOut(page)
      await logIn(page, me.person.userId, PASSWORD)
      await page.getByRole('button', { name: '복구 코드 사용', exact: true }).click()
      await expect(field).toBeFocused()
    }
    const asked = countReads(page)
    await enter()
    await expectAccessible(page)
    await field.fill(codes[0] ?? '')
    await confirm(page).click()
    await expectHome(page)
    expect(asked()).toBe(1)

    await enter()
    await field.fill(codes[0] ?? '')
    await confirm(page).click()
    await expect(page.getByText('이미 사용되었습니다')).toBeVisible()
    await field.fill(codes[1] ?? '')
    await confirm(page).click()
    await expect(page).toHaveURL('/main')
    await openFactors(me)
    await expect(codesOf(page)).toContainText('8개 남음')
    await codesOf(page).getByRole('button', { name: '다시 발급', exact: true }).click()
    await answer(page, '복구 코드 다시 발급', '네')
    const shown = page.getByRole('dialog', { name: '복구 코드', exact: true })
    await expect(shown.getByRole('listitem')).toHaveCount(10)
    await expect(shown).not.toContainText(codes[2] ?? '')
  })

  test('is asked for over the form of another user, without an expired login, and over an own form, which keeps its input (rules/frame#signing-in-again)', async ({
    as,
    server,
  }) => {
    const me = await as('user')
    const { page } = me
    const { secret, codes } = await setUp(me)
    const expireOverForm = async ({ id }: { id: string }) => {
      await waitUntilSettled(page)
      await server.pool.query('delete from sessions where user_id = $1', [id])
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    }
    const asked = countReads(page)
    // This login clears what the page has cached, as the one of the login page does.
    const before = await server.createUser()
    await signIn(page, before)
    await page.goto('/notice/insert')
    await titleField(page).fill('남이 쓰던 제목')
    await expireOverForm(before)
    const again = page.getByRole('alertdialog', { name: '다시 로그인' })
    await again.getByLabel('아이디').fill(me.person.userId)
    await again.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await again.getByRole('button', { name: '로그인', exact: true }).click()
    await again.getByRole('button', { name: '계속', exact: true }).click()
    await page.getByRole('button', { name: '복구 코드 사용', exact: true }).click()
    await page.getByRole('textbox', { name: '복구 코드', exact: true }).fill(codes[0] ?? '')
    await confirm(page).click()
    await expectHome(page)
    expect(asked()).toBe(1)

    await forgetSteps(server, me)
    await page.goto('/notice/insert')
    await titleField(page).fill('쓰던 제목')
    await expireOverForm(me.person)
    await again.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await again.getByRole('button', { name: '로그인', exact: true }).click()
    await again.getByRole('textbox', { name: '인증 코드', exact: true }).fill(codeAt(secret, new Date()))
    await again.getByRole('button', { name: '확인', exact: true }).click()
    await expect(again).toHaveCount(0)
    await expect(titleField(page)).toHaveValue('쓰던 제목')
    expect((await readStoredSession(page)).uid).not.toBeNull()
  })
})

import type { Page } from '@playwright/test'
import { startSession } from '../../server/callers/sessions.ts'
import { closeToast } from '../fixtures/dialogs.ts'
import { confirmAlert } from '../fixtures/self-service.ts'
import { expect, PASSWORD, waitUntilSettled, test, type SignedIn, type WorkerMaru } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const card = (page: Page) => page.getByRole('region', { name: '내 기기' })
const rows = (page: Page) => card(page).locator('tbody tr:not([aria-hidden])')
const endOthers = (page: Page) => card(page).getByRole('button', { name: '다른 기기 로그아웃' })

async function passGate(page: Page): Promise<void> {
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '확인', exact: true }).click()
}

async function openDevices({ page }: SignedIn): Promise<void> {
  await page.goto('/mypage')
  await passGate(page)
  await expect(rows(page).first()).toContainText('현재 기기')
}

function loginElsewhere(server: WorkerMaru, userId: string): Promise<string> {
  return server.db
    .transaction()
    .execute((tx) => startSession(tx, { userId, address: '203.0.113.7', userAgent: PHONE }))
}

test.describe('my devices', () => {
  test('lists where the person is logged in, this device first, and logs out the others after a question', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const me = await as('user')
    await loginElsewhere(server, me.person.id)
    await openDevices(me)
    await expect(rows(me.page)).toHaveCount(2)
    const other = rows(me.page).nth(1)
    await expect(other).toContainText('Safari · iOS')
    await expect(other).toContainText('203.0.113.7')
    await expect(other).toContainText(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/)
    await expect(other).not.toContainText('현재 기기')
    await expectAccessibleInEveryLook(me.page)
    await setLook(me.page, '한국어')

    await endOthers(me.page).click()
    const question = me.page.getByRole('alertdialog', { name: '다른 기기 로그아웃' })
    await question.getByRole('button', { name: '아니오' }).click()
    await expect(rows(me.page)).toHaveCount(2)
    await endOthers(me.page).click()
    await question.getByRole('button', { name: '네' }).click()
    await closeToast(me.page, '다른 기기 1대에서 로그아웃했습니다.')
    await expect(rows(me.page)).toHaveCount(1)
    await expect(endOthers(me.page)).toBeDisabled()
    await expect(card(me.page).getByText('현재 로그인되어 있는 기기입니다.')).toBeFocused()
    await me.page.goto('/main')
    await expect(me.page.getByRole('heading', { level: 1 })).toContainText('님')
  })

  test('says that the list cannot be loaded and offers a retry', async ({ as, server, fragile }) => {
    const me = await as('user', {}, fragile)
    await loginElsewhere(server, me.person.id)
    await openDevices(me)
    await waitUntilSettled(me.page)
    fragile.cutDatabase()
    // Requests the data of the screen again.
    await setLook(me.page, 'English')
    await expect(me.page.locator('html')).toHaveAttribute('lang', 'en')
    await setLook(me.page, '한국어')
    await expect(card(me.page)).toContainText('로그인한 기기를 불러오지 못했습니다.')
    await fragile.mendDatabase()
    await card(me.page).getByRole('button', { name: '다시 시도' }).click()
    await expect(rows(me.page)).toHaveCount(2)
    fragile.cutDatabase()
    await endOthers(me.page).click()
    await me.page.getByRole('button', { name: '네' }).click()
    await confirmAlert(me.page, '관리자에게 문의해주세요.')
    await expect(me.page).toHaveURL(/\/main$/)
  })
})

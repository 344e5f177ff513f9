import type { Page } from '@playwright/test'
import { getUser } from '../../contract/users.ts'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, waitUntilSettled, test, type WorkerMaru } from '../fixtures/test.ts'
import { documentWidth } from '../fixtures/width.ts'
import { gate, passGate } from './steps.ts'

const NEW_PASSWORD = 'Brand-new-2026'

const modal = (page: Page) => page.getByRole('dialog', { name: '비밀번호 변경' })

async function openOwnRecord(page: Page): Promise<void> {
  await page.goto('/mypage')
  await passGate(page)
  await expect(page.getByRole('region', { name: '기본 정보' }).getByLabel('직급')).toBeVisible()
}

function userRow(server: WorkerMaru, id: string) {
  return server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Makes the password check of every session of the person older than its 10 minutes. */
async function ageTheCheck(server: WorkerMaru, userId: string): Promise<void> {
  await server.db
    .updateTable('sessions')
    .set({ passwordCheckedAt: new Date(Date.now() - 11 * 60_000) })
    .where('userId', '=', userId)
    .execute()
}

test.describe('the password gate (rules/account#password-gate)', () => {
  test('hides the form, points out a wrong password, opens by keyboard and is back after a reload', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('user')
    const password = gate(page).getByLabel('비밀번호', { exact: true })
    const form = page.getByRole('region', { name: '기본 정보' })
    await page.goto('/mypage')
    await expect(password).toBeFocused()
    await expect(form).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(gate(page).getByText('필수 입력 항목입니다.')).toBeVisible()
    await passGate(page, 'not-the-password')
    await answer(page, '비밀번호가 올바르지 않습니다. 다시 입력해주세요.', '확인')
    await expect(password).toHaveAccessibleDescription('비밀번호가 올바르지 않습니다. 다시 입력해주세요.')
    await expect(password).toBeFocused()
    await expect(form).toHaveCount(0)
    await password.fill('')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(form).toBeVisible()
    await expect(gate(page)).toHaveCount(0)
    await page.reload()
    await expect(gate(page)).toBeVisible()
    await expectAccessibleInEveryLook(page)
  })

  test('asks again for the password on a save after 10 minutes and keeps the input (rules/account#password-gate)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    await openOwnRecord(page)
    await ageTheCheck(server, person.id)
    await page.getByLabel('직급').fill('수석연구원')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await answer(page, '사용자 수정', '네')
    await expect(gate(page)).toContainText('비밀번호를 다시 입력해야 합니다.')
    await passGate(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page.getByLabel('직급')).toHaveValue('수석연구원')
    expect((await userRow(server, person.id)).position).toBe('수석연구원')
  })
})

test.describe('one’s own page (rules/users#own-page)', () => {
  test('shows even administrators only the basic card', async ({ as }) => {
    const { page, person } = await as('admin', { name: '내정보' })
    await openOwnRecord(page)
    await expect(page.getByLabel('아이디', { exact: true })).toHaveValue(person.userId)
    await expect(page.getByLabel('이름', { exact: true })).toHaveValue('내정보')
    await expect(page.getByLabel('이메일', { exact: true })).toHaveValue(person.email)
    await expect(page.getByLabel('이메일', { exact: true })).not.toBeEditable()
    await expect(page.getByRole('region', { name: '관리자 입력' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: '뒤로', exact: true })).toHaveCount(0)
    await expect(page.getByRole('button', { name: '비밀번호 변경' })).toBeVisible()
    await expect(page.getByRole('button', { name: '탈퇴' })).toBeVisible()
  })

  test('has sections with their state in the navigation, and the withdrawal last', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page, person } = await as('user')
    await server.db.updateTable('users').set({ emailHidden: true }).where('id', '=', person.id).execute()
    await openOwnRecord(page)
    const nav = page.getByRole('navigation', { name: '내 정보 항목' })
    await expect(nav.getByRole('link')).toHaveText([
      `프로필${person.userId}`,
      '보안2단계 인증 없음',
      '공개 범위전화번호 같은 소속만 · 이메일 비공개',
      '프로그램사용 중인 토큰 없음',
      '데이터',
    ])
    const cards = page.locator('main').getByRole('heading', { level: 2 })
    await expect(cards.last()).toHaveText('탈퇴')
    await expect(page.getByRole('region', { name: '관리자 입력' })).toHaveCount(0)

    // The state follows a change, and the navigation keeps unsaved input.
    await page.getByLabel('직급').fill('아직 저장 안 함')
    await nav.getByRole('link', { name: '공개 범위' }).press('Enter')
    await expect(page.getByRole('region', { name: '공개 범위' })).toBeFocused()
    await page
      .getByRole('radiogroup', { name: '전화번호 공개' })
      .getByRole('radio', { name: '비공개' })
      .check()
    await expect(nav).toContainText('전화번호 같은 소속만')
    await page.getByRole('button', { name: '공개 범위 저장' }).click()
    await closeToast(page, '저장되었습니다.')
    await expect(nav).toContainText('전화번호 비공개')
    await nav.getByRole('link', { name: '데이터' }).click()
    await expect(page.getByRole('button', { name: '탈퇴' })).toBeInViewport()
    await expect(page.getByLabel('직급')).toHaveValue('아직 저장 안 함')
    await page.getByLabel('직급').fill('대리')
    await expectAccessibleInEveryLook(page)
    for (const width of [390, 1200, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await documentWidth(page)).toBe(width)
    }
  })

  test('asks 네/아니오 before saving, then the header follows the name and the session a new ID (rules/frame#questions)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user', { name: '옛이름' })
    await openOwnRecord(page)
    await page.getByLabel('이름', { exact: true }).fill('새이름')
    await page.getByLabel('전화번호', { exact: true }).fill('01099998888')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await expect(page.getByRole('alertdialog')).toContainText('수정한 내용을 저장하시겠습니까?')
    await answer(page, '사용자 수정', '아니오')
    expect((await userRow(server, person.id)).name).toBe('옛이름')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await answer(page, '사용자 수정', '네')
    const id = page.getByLabel('아이디', { exact: true })
    // Input while the saved record is read again.
    await page.route(`**${getUser.path}`, async (route) => {
      await id.fill(`${person.userId}.new`)
      await route.continue()
    })
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page).toHaveURL('/mypage')
    expect(await userRow(server, person.id)).toMatchObject({ name: '새이름', phoneNumber: '01099998888' })
    await expect(page.getByRole('link', { name: '새이름 내 정보' })).toBeVisible()

    // Under a new ID, the person stays signed in.
    await waitUntilSettled(page)
    await expect(id).toHaveValue(`${person.userId}.new`)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: '중복확인' }).click()
    await expect(id).toHaveAccessibleDescription('사용할 수 있는 아이디입니다.')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await answer(page, '사용자 수정', '네')
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('session_user_id')))
      .toBe(`${person.userId}.new`)
    expect((await userRow(server, person.id)).loginId).toBe(`${person.userId}.new`)
    await page.goto('/main')
    await expect(page.getByRole('heading', { name: '공지사항 조회' })).toBeVisible()
  })

  test('withdraws the account and leads to /login', async ({ as, server }) => {
    const { page, person } = await as('user')
    await openOwnRecord(page)
    await page.getByRole('button', { name: '탈퇴' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('정말 탈퇴하시겠습니까?')
    await answer(page, '탈퇴', '아니오')
    await page.getByRole('button', { name: '탈퇴' }).click()
    await answer(page, '탈퇴', '네')
    await answer(page, '해당 사용자가 탈퇴되었습니다.', '확인')
    await expect(page).toHaveURL('/login')
    expect((await userRow(server, person.id)).withdrawnAt).not.toBeNull()
    expect(await page.evaluate(() => localStorage.getItem('session_uid'))).toBeNull()
  })
})

test.describe('the password change (rules/account#password-change)', () => {
  test('opens in a modal of 800 px, which Esc closes, points out a mismatch, and keeps this page in a session', async ({
    as,
    expectAccessible,
  }) => {
    const { page } = await as('user')
    await openOwnRecord(page)
    const open = page.getByRole('button', { name: '비밀번호 변경' })
    await open.click()
    await expect(modal(page).getByLabel('기존 비밀번호')).toBeFocused()
    expect((await modal(page).boundingBox())?.width).toBe(800)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(modal(page)).toHaveCount(0)
    await expect(open).toBeFocused()

    await page.keyboard.press('Enter')
    await modal(page).getByLabel('기존 비밀번호').fill(PASSWORD)
    await modal(page).getByLabel('새 비밀번호', { exact: true }).fill(NEW_PASSWORD)
    await modal(page).getByLabel('새 비밀번호 확인', { exact: true }).fill('other')
    await modal(page).getByRole('button', { name: '비밀번호 변경' }).click()
    await expect(modal(page).getByLabel('새 비밀번호 확인', { exact: true })).toHaveAccessibleDescription(
      '새 비밀번호를 다시 확인해주세요.',
    )
    await modal(page).getByLabel('새 비밀번호 확인', { exact: true }).fill(NEW_PASSWORD)
    await modal(page).getByRole('button', { name: '비밀번호 변경' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('비밀번호를 변경하시겠습니까?')
    await answer(page, '비밀번호 변경', '네')
    await answer(page, '비밀번호가 변경되었습니다.', '확인')
    await expect(modal(page)).toHaveCount(0)

    await page.goto('/main')
    await expect(page.getByRole('heading', { name: '공지사항 조회' })).toBeVisible()
  })
})

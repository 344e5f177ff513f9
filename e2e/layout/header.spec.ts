import { startSession } from '../../server/callers/sessions.ts'
import type { Page } from '@playwright/test'
import { ko } from '../../contract/messages/ko.ts'
import { menuFor } from '../../contract/pages.ts'
import { ROLE } from '../../contract/permissions.ts'
import { roles } from '../../server/db/seed/roles.ts'
import { expect, test } from '../fixtures/test.ts'
import { group, menu } from './steps.ts'

/** Every item of the open menu panel, by group. */
async function openMenuItems(page: Page): Promise<Record<string, string[]>> {
  const items: Record<string, string[]> = {}
  await expect(page.getByRole('region', { name: '내 계정' })).toBeVisible()
  for (const name of await menu(page).getByRole('button').allTextContents()) {
    items[name] = await page.getByRole('list', { name, exact: true }).getByRole('link').allTextContents()
  }
  return items
}

/** Checks that the next navigation loads a document instead of routing inside the page. */
async function expectFullNavigation(page: Page, act: () => Promise<void>, path: string): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isTheOldDocument: true }))
  await act()
  await page.waitForFunction(() => !('isTheOldDocument' in window))
  await expect(page).toHaveURL(path)
}

test.describe('the header (rules/frame#header)', () => {
  const { menu: names } = ko
  /** The menu of a role in Korean, as the pages of the contract make it. */
  const menuOf = (role: keyof typeof ROLE) => {
    const functions = roles.find(({ code }) => code === ROLE[role])?.functions ?? []
    const titles = { ...ko.titles, ...names.items }
    return Object.fromEntries(
      menuFor(functions).map(({ group: key, items }) => [
        names.groups[key],
        items.map(({ title }) => titles[title]),
      ]),
    )
  }
  test('opens a panel with exactly the menu of the role and a fixed right column on hover until leaving', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const { page, person } = await as('hr', { name: '한가람' })
    await page.goto('/notice/search')
    await expect(page.getByRole('link', { name: '사용자 조회' })).toBeHidden()
    await group(page, '사용자').hover()
    await expect(page.getByRole('link', { name: '사용자 조회' })).toBeVisible()
    const account = page.getByRole('region', { name: '내 계정' })
    await expect(account).toContainText('한가람 님')
    await expect(account).toContainText('인사 관리자')
    await expect(account).toContainText(person.userId)
    await expect(account.getByRole('link', { name: '내 정보' })).toHaveAttribute('href', '/mypage')
    await expect(account.getByRole('link', { name: '로그아웃', exact: true })).toHaveAttribute(
      'href',
      '/logout',
    )
    expect(await openMenuItems(page)).toEqual(menuOf('hr'))
    await page.mouse.move(700, 800)
    await expect(account).toBeHidden()
    await group(page, '사용자').hover()
    await expectAccessibleInEveryLook(page)
  })

  test('has the account menu at the avatar: own page, language, theme and logout (rules/frame#own-menu)', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('user', { name: '남궁선우' })
    await page.goto('/notice/search')
    const open = page.getByRole('button', { name: '계정 메뉴' })
    const own = page.getByRole('region', { name: '계정 메뉴' })
    await open.focus()
    await page.keyboard.press('Enter')
    await expect(own).toContainText('남궁선우 님')
    await page.keyboard.press('Tab')
    await expect(own.getByRole('link', { name: '내 정보' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await expect(own.getByRole('radio', { name: '밝게' })).toBeChecked()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    await own.getByTitle('시스템 설정').click()
    await page.keyboard.press('Escape')
    await expect(own).toBeHidden()
    await expect(open).toBeFocused()
    // It and the menu's panel are never open at once.
    await open.click()
    await expect(own).toBeVisible()
    await group(page, '공지사항').hover()
    await expect(page.getByRole('region', { name: '내 계정' })).toBeVisible()
    await expect(own).toBeHidden()
    await open.click()
    await expect(page.getByRole('region', { name: '내 계정' })).toBeHidden()
    await page.mouse.click(5, 800)
    await expect(own).toBeHidden()
    await open.click()
    await expectAccessibleInEveryLook(page)
    await page.getByRole('link', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/login')
  })

  test('opens on hover intent, not in passing; a click opens the group’s first page', async ({ as }) => {
    const { page } = await as('hr')
    await page.clock.install()
    await page.goto('/notice/search')
    const account = page.getByRole('region', { name: '내 계정' })
    const item = page.getByRole('link', { name: '사용자 조회' })
    await expect(menu(page)).toBeVisible()
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
    const { x = 0, y = 0 } = (await group(page, '사용자').boundingBox()) ?? {}
    await page.mouse.move(x + 20, y + 20)
    await page.clock.runFor(149)
    await page.mouse.move(x + 40, y + 20)
    await page.clock.runFor(149)
    await expect(account).toBeHidden()
    await page.clock.runFor(1)
    await expect(item).toBeVisible()
    // Aslant over other items into the panel, and past its edge and back: it stays, and is the same.
    await page.mouse.move(x + 400, y + 150, { steps: 8 })
    await page.clock.runFor(1_000)
    await page.mouse.move(x, 850)
    await page.clock.runFor(159)
    await page.mouse.move(x + 400, y + 150)
    await page.clock.runFor(1_000)
    await expect(item).toBeVisible()
    await page.clock.resume()
    await expectFullNavigation(page, () => group(page, '사용자').click(), '/user/search')
  })

  test('can be opened, walked and closed by keyboard', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/notice/search')
    const account = page.getByRole('region', { name: '내 계정' })
    await group(page, '공지사항').focus()
    await page.keyboard.press('ArrowRight')
    await expect(group(page, '사용자')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(group(page, '사용자')).toHaveAttribute('aria-expanded', 'true')
    await expect(account).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('link', { name: '사용자 조회' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('link', { name: '승인 대기' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(account).toBeHidden()
    await expect(group(page, '사용자')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(account).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(account).toBeHidden()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(group(page, '설정')).toBeFocused()
    // Tab alone reaches everything in the panel, and goes on out of the header, which closes it.
    await page.keyboard.press('Space')
    await expect(account).toBeVisible()
    const stops: string[] = []
    while (await account.isVisible()) {
      await page.keyboard.press('Tab')
      stops.push(await page.evaluate(() => document.activeElement?.textContent ?? ''))
    }
    for (const item of ['공지사항 조회', '파트너 코드 등록', '포털 설정', '내 정보', '로그아웃'])
      expect(stops).toContain(item)
  })

  test('has menu links that load the page again, and links to /main, /mypage and the logout (rules/frame#full-navigation)', async ({
    as,
  }) => {
    const { page } = await as('admin', { name: '나들이' })
    await page.goto('/notice/search')
    await group(page, '사용자').hover()
    await expectFullNavigation(
      page,
      () => page.getByRole('link', { name: '사용자 조회' }).click(),
      '/user/search',
    )
    await expect(page.getByRole('heading', { name: '사용자 조회' })).toBeVisible()
    await group(page, '사용자').hover()
    await expect(page.getByRole('link', { name: '사용자 조회' })).toHaveAttribute('aria-current', 'page')
    await expect(group(page, '사용자')).toHaveAttribute('data-current', 'true')
    // It follows a person who goes on inside the page.
    await page.mouse.move(700, 800)
    await page.getByRole('link', { name: '마루 홈으로 이동' }).click()
    await expect(page).toHaveURL('/main')
    await expect(group(page, '사용자')).not.toHaveAttribute('data-current')
    await group(page, '사용자').hover()
    await expect(page.getByRole('link', { name: '사용자 조회' })).not.toHaveAttribute('aria-current')
    await page.mouse.move(700, 800)
    await page.getByRole('link', { name: '나들이 내 정보' }).click()
    await expect(page).toHaveURL('/mypage')
    await group(page, '공지사항').hover()
    await page.getByRole('link', { name: '로그아웃', exact: true }).click()
    await expect(page).toHaveURL('/login')
  })

  test('logs out on every device by its own menu item, by keyboard (rules/account#logout)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    const sessions = () =>
      server.db.selectFrom('sessions').select('id').where('userId', '=', person.id).execute()
    await server.db
      .transaction()
      .execute((tx) => startSession(tx, { userId: person.id, address: '127.0.0.1', userAgent: 'Firefox' }))
    expect(await sessions()).toHaveLength(2)
    await page.goto('/notice/search')
    await page.getByRole('button', { name: '계정 메뉴' }).press('Enter')
    await page.getByRole('link', { name: '모든 기기에서 로그아웃' }).press('Enter')
    await expect(page).toHaveURL('/login')
    expect(await sessions()).toEqual([])
  })

  test('shows no alert about the session after a logout from a list (rules/account#logout)', async ({
    as,
  }) => {
    const { page } = await as('user')
    await page.goto('/notice/search')
    await expect(page.getByRole('table')).toBeVisible()
    // The list loads again without a session before the slow logout is answered.
    const refused = page.waitForResponse((response) => response.status() === 401)
    await page.route('**/logout', async (route) => {
      await refused
      await route.abort()
    })
    await page.getByRole('button', { name: '계정 메뉴' }).press('Enter')
    await page.getByRole('link', { name: '로그아웃', exact: true }).press('Enter')
    await expect(page).toHaveURL('/login')
    await expect(page.getByLabel('아이디', { exact: true })).toBeFocused()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('has a skip link to the content as the first stop of Tab', async ({ as }) => {
    const { page } = await as('user')
    await page.goto('/notice/search')
    await expect(menu(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: '본문으로 건너뛰기' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('main').getByRole('link', { name: '공지사항 등록' }).first()).toBeFocused()
  })
})

test.describe('the header under a finger (rules/frame#header)', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce', hasTouch: true } })

  test('opens by a tap on an item and closes by a tap elsewhere', async ({ as }) => {
    const { page } = await as('user')
    await page.goto('/notice/search')
    const account = page.getByRole('region', { name: '내 계정' })
    await group(page, '공지사항').tap()
    await expect(account).toBeVisible()
    await expect(page).toHaveURL('/notice/search')
    await page.touchscreen.tap(700, 800)
    await expect(account).toBeHidden()
    await group(page, '공지사항').tap()
    await page.getByRole('link', { name: '공지사항 등록' }).first().tap()
    await expect(page).toHaveURL('/notice/insert')
  })
})

import type { Locator, Page } from '@playwright/test'
import { ROLE } from '../contract/permissions.ts'
import { expect, test, type WorkerMaru } from './fixtures/test.ts'
import { koreanWords } from './fixtures/words.ts'

const menu = (page: Page): Locator => page.getByRole('navigation', { name: '주 메뉴' })
const group = (page: Page, name: string): Locator => menu(page).getByRole('button', { name, exact: true })

/** Every item of the open menu panel, by group. */
async function openMenuItems(page: Page): Promise<Record<string, string[]>> {
  const items: Record<string, string[]> = {}
  for (const name of await menu(page).getByRole('button').allTextContents()) {
    items[name] = await page.getByRole('list', { name, exact: true }).getByRole('link').allTextContents()
  }
  return items
}

/** What happens next is a document's navigation, not one inside the page. */
async function expectFullNavigation(page: Page, act: () => Promise<void>, path: string): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isTheOldDocument: true }))
  await act()
  await page.waitForFunction(() => !('isTheOldDocument' in window))
  await expect(page).toHaveURL(path)
}

async function endSessionOf(server: WorkerMaru, userId: string): Promise<void> {
  await server.db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

test.describe('header (spec §2)', () => {
  const notices = { 공지사항: ['공지사항 조회', '공지사항 등록'] }
  const users = { 사용자: ['사용자 조회', '사용자 등록'] }
  const keys = { '키 발급': ['키 발급 이력 조회'] }
  const partners = { 파트너: ['파트너 코드 정보 조회', '파트너 코드 등록'] }
  const menus = {
    admin: { ...notices, ...users, ...keys, ...partners },
    hr: { ...notices, ...users, ...keys },
    user: { ...notices, ...keys },
  }
  for (const role of ['admin', 'hr', 'user'] as const) {
    test(`the menu of ${role} holds what the role may open, and no more (decisions §5)`, async ({ as }) => {
      const { page } = await as(role)
      await page.goto('/notice/search')
      await group(page, '공지사항').hover()
      expect(await openMenuItems(page)).toEqual(menus[role])
    })
  }

  test('hovering opens the panel with sub-menus and the fixed right column; leaving closes it', async ({
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
    await expect(account.getByRole('link', { name: '로그아웃' })).toHaveAttribute('href', '/logout')
    // The click that follows the hover does not close again.
    await group(page, '사용자').click()
    await expect(account).toBeVisible()
    await page.mouse.move(700, 800)
    await expect(account).toBeHidden()
    await group(page, '사용자').hover()
    await expectAccessibleInEveryLook(page)
  })

  test('the keyboard opens the panel, walks along, and closes it', async ({ as }) => {
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
    await expect(page.getByRole('link', { name: '사용자 등록' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(account).toBeHidden()
    await expect(group(page, '사용자')).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(group(page, '파트너')).toBeFocused()
    // Tab alone reaches everything in the panel, and goes on out of the header.
    await page.keyboard.press('Space')
    const stops: string[] = []
    while (stops.at(-1) !== '이전 화면으로' && stops.length < 20) {
      await page.keyboard.press('Tab')
      stops.push(await page.evaluate(() => document.activeElement?.textContent ?? ''))
    }
    for (const item of ['공지사항 조회', '파트너 코드 등록', '내 정보', '로그아웃'])
      expect(stops).toContain(item)
    await expect(account).toBeHidden()
  })

  test('links of the menu are full page navigations', async ({ as }) => {
    const { page } = await as('admin')
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
  })

  test('the logo leads to /main, the avatar to /mypage, logout to /login', async ({ as, server }) => {
    const { page, person } = await as('user', { name: '나들이' })
    await page.goto('/notice/search')
    await page.getByRole('link', { name: '나들이 내 정보' }).click()
    await expect(page).toHaveURL('/mypage')
    await page.getByRole('link', { name: '마루 홈으로 이동' }).click()
    await expect(page).toHaveURL('/main')
    await group(page, '공지사항').hover()
    await page.getByRole('link', { name: '로그아웃' }).click()
    await expect(page).toHaveURL('/login')
    const left = await server.db.selectFrom('sessions').selectAll().where('user_id', '=', person.id).execute()
    expect(left).toEqual([])
  })

  test('the skip link is the first stop of Tab and leads to the content', async ({ as }) => {
    const { page } = await as('user')
    await page.goto('/notice/search')
    await expect(menu(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: '본문으로 건너뛰기' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: '이전 화면으로' })).toBeFocused()
  })
})

test.describe('language (decisions §1)', () => {
  test('the switch changes every word at once, and the choice lasts', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('textbox', { name: '아이디' }).fill('typed')
    await page.getByText('English', { exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'ID' })).toHaveValue('typed')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    expect(await koreanWords(page)).toEqual([])
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect(page.getByRole('radio', { name: 'English' })).toBeChecked()
    await page.getByText('한국어', { exact: true }).click()
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  })

  test('the server answers its msg in the language of the screen', async ({ page, server }) => {
    await server.db.deleteFrom('rate_limits').execute()
    await page.goto('/login')
    await page.getByText('English', { exact: true }).click()
    await page.getByRole('textbox', { name: 'ID' }).fill('nobody.here')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toHaveText(/^[\x20-\x7e]+$/)
  })

  test('menu, home, search and edit hold no Korean in English, data apart', async ({ as, server }) => {
    const { page } = await as('admin', { name: 'Alex Kim' })
    await server.createUser({ name: 'Zoe Park' })
    await page.addInitScript(() => localStorage.setItem('language', 'en'))
    await server.db.deleteFrom('notices').execute()

    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Alex Kim')
    await expect(page.getByText('There are no notices yet.')).toBeVisible()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('button', { name: 'Users' }).hover()
    await expect(page.getByRole('region', { name: 'My account' })).toBeVisible()
    expect(await koreanWords(page)).toEqual([])
    await page.mouse.move(700, 800)

    await page.goto('/user/search')
    await page.getByLabel('Name').fill('Zoe Park')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByText('1 user', { exact: true })).toBeVisible()
    expect(await koreanWords(page)).toEqual([])
    await page.getByRole('button', { name: 'Edit Zoe Park' }).click()
    // The role's name comes from the server.
    await expect(page.getByRole('button', { name: /Ordinary user/ })).toBeVisible()
    await page.getByLabel('Phone number').fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByLabel('Phone number')).toHaveAttribute('aria-invalid', 'true')
    expect(
      (await koreanWords(page)).filter((text) => text !== '대리'),
      'the position is data',
    ).toEqual([])
  })
})

test.describe('theme (decisions §1)', () => {
  test('the switch survives a reload and is there before the page is drawn', async ({ page }) => {
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.goto('/login')
    const light = await background()
    await page.getByTitle('어둡게').click()
    await expect.poll(background).not.toBe(light)
    const dark = await background()
    await page.addInitScript(() => {
      // What holds when the body begins is what is painted first.
      const observer = new MutationObserver(() => {
        if (document.body === null) return
        Object.assign(window, { themeAtFirst: document.documentElement.dataset['theme'] })
        observer.disconnect()
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    expect(await page.evaluate(() => 'themeAtFirst' in window && window.themeAtFirst)).toBe('dark')
    expect(await background()).toBe(dark)
    await expect(page.getByRole('radio', { name: '어둡게' })).toBeChecked()
  })

  test('시스템 설정 follows the operating system', async ({ page }) => {
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/login')
    await expect(page.getByRole('radio', { name: '시스템 설정' })).toBeChecked()
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(background).not.toBe(light)
    await page.getByTitle('밝게').click()
    await expect.poll(background).toBe(light)
  })
})

test.describe('footer, back to top, width (spec §1)', () => {
  test('the footer lists the head office and three branches with address, phone and fax', async ({
    page,
  }) => {
    await page.goto('/login')
    const offices = page.getByRole('contentinfo').getByRole('list', { name: '사업장 안내' })
    await expect(offices.getByRole('listitem')).toHaveCount(4)
    for (const [name, address, phone, fax] of [
      ['본사', '서울특별시 중구 세종대로 110', '02-0000-1000', '02-0000-1001'],
      ['부산지사', '부산광역시 연제구 중앙대로 1001', '051-000-2000', '051-000-2001'],
      ['대전지사', '대전광역시 서구 둔산로 100', '042-000-3000', '042-000-3001'],
      ['광주지사', '전남광주통합특별시 서구 내방로 111', '062-000-4000', '062-000-4001'],
    ] as const) {
      const office = offices.getByRole('listitem').filter({ hasText: name })
      await expect(office).toContainText(address)
      await expect(office).toContainText(`전화 ${phone}`)
      await expect(office).toContainText(`팩스 ${fax}`)
    }
  })

  test('back-to-top appears after 100 px of scroll', async ({ as }) => {
    const { page } = await as('user')
    await page.setViewportSize({ width: 1300, height: 400 })
    await page.goto('/main')
    await expect(page.getByRole('heading', { name: '공지사항 조회' })).toBeVisible()
    const button = page.getByRole('button', { name: '맨 위로' })
    // The next frame is drawn with what the scroll brought.
    const scrollTo = (top: number) =>
      page.evaluate(async (to) => {
        window.scrollTo({ top: to, behavior: 'instant' })
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
      }, top)
    await scrollTo(100)
    await expect(button).toBeHidden()
    await scrollTo(101)
    await expect(button).toBeVisible()
    await button.click()
    await expect(button).toBeHidden()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('the layout is at least 1200 px wide: no sideways scroll at 1200, one below', async ({ as }) => {
    const { page } = await as('hr')
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    for (const path of ['/main', '/user/search', '/mypage', '/partner/search', '/no/such/page']) {
      // So high that no scrollbar takes from the width.
      await page.setViewportSize({ width: 1200, height: 1600 })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(menu(page)).toBeVisible()
      expect(await width(), `${path} at 1200`).toBe(1200)
      await page.setViewportSize({ width: 1000, height: 1600 })
      expect(await width(), `${path} at 1000`).toBe(1200)
    }
    await page.goto('/logout')
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    expect(await width(), '/login at 1000').toBe(1200)
  })
})

test.describe('404 and planned screens (spec §2)', () => {
  test('a path outside the route table is a page that says so', async ({ page, as, expectAccessible }) => {
    await page.goto('/no/such/page')
    await expect(page.getByRole('heading', { name: '존재하지 않는 페이지입니다' })).toBeVisible()
    await expect(page).toHaveTitle('존재하지 않는 페이지 | 마루')
    await expect(page.getByRole('link', { name: '로그인 화면으로' })).toHaveAttribute('href', '/login')
    await expectAccessible(page)
    const { page: signedIn } = await as('user')
    await signedIn.goto('/user/nothing')
    await expect(signedIn.getByRole('heading', { name: '존재하지 않는 페이지입니다' })).toBeVisible()
    await signedIn.getByRole('link', { name: '홈으로', exact: true }).click()
    await expect(signedIn).toHaveURL('/main')
  })

  test('404 and not-built are accessible in Korean light, dark and English', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('admin')
    await page.goto('/no/such/page')
    await expect(menu(page)).toBeVisible()
    await expectAccessibleInEveryLook(page)
    await page.goto('/key/search')
    await page.getByText('한국어', { exact: true }).click()
    await expectAccessibleInEveryLook(page)
  })

  test('planned screens say that they are not built, under their own title', async ({ as, page }) => {
    const { page: signedIn } = await as('admin')
    const planned = [
      [signedIn, '/notice/search', '공지사항 조회'],
      [signedIn, '/notice/detail?noticeId=1', '공지사항 상세'],
      [signedIn, '/notice/insert', '공지사항 등록'],
      [signedIn, '/user/insert', '사용자 등록'],
      [signedIn, '/key/search', '키 발급 이력 조회'],
      [signedIn, '/partner/insert', '파트너 코드 등록'],
      [signedIn, '/partner/detail?partnerCode=A1', '파트너 코드 상세'],
      [signedIn, '/partner/search', '파트너 코드 정보 조회'],
      [page, '/find/id', '아이디 찾기'],
      [page, '/reset/pw', '비밀번호 재설정'],
      [page, '/signup', '회원가입'],
    ] as const
    for (const [on, path, title] of planned) {
      await on.goto(path)
      await expect(on.getByRole('heading', { name: '아직 준비 중인 화면입니다' })).toBeVisible()
      await expect(on).toHaveTitle(`${title} | 마루`)
    }
  })
})

test.describe('shared response handling (spec §8)', () => {
  const alert = (page: Page, text: string) => page.getByRole('alertdialog', { name: text, exact: true })
  const search = (page: Page) => page.getByRole('button', { name: '조회', exact: true }).click()

  test('401: session_uid is removed, an alert with a warning icon and a green 확인 leads to /login', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page, person } = await as('admin')
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await endSessionOf(server, person.id)
    await search(page)
    const dialog = alert(page, '로그인을 다시 해주세요.')
    await expect(dialog).toBeVisible()
    await expect(dialog.locator('svg')).toBeVisible()
    await expectAccessible(page)
    const confirm = dialog.getByRole('button', { name: '확인' })
    await expect(confirm).toBeFocused()
    await expect(confirm).toHaveCSS('background-color', 'rgb(57, 157, 54)')
    expect(await page.evaluate(() => localStorage.getItem('session_uid'))).toBeNull()
    await confirm.click()
    await expect(page).toHaveURL('/login')
  })

  test('401 on several calls at once is told once', async ({ as, server }) => {
    const { page, person } = await as('hr')
    await endSessionOf(server, person.id)
    await page.goto('/main')
    await page.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('401 for a visitor of a page without a guard (decisions §5)', async ({ as }) => {
    // The notice screens call nothing until they are built; the frame's own calls are what is refused.
    const { page } = await as('user')
    await page.goto('/login')
    await expect(page).toHaveURL('/main')
    await page.evaluate(() => localStorage.setItem('session_uid', 'expired'))
    await page.goto('/notice/search')
    await alert(page, '로그인을 다시 해주세요.').getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/login')
  })

  test('403: an alert leads to /main', async ({ as, server }) => {
    const { page, person } = await as('admin')
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await server.db.updateTable('users').set({ role_code: ROLE.user }).where('id', '=', person.id).execute()
    await search(page)
    await alert(page, '권한이 없습니다.').getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/main')
    await expect(page.getByRole('img', { name: '사옥 그림' })).toBeVisible()
  })

  test('500: an alert leads to /main', async ({ as, fragile, server }) => {
    const { page } = await as('admin', {}, fragile)
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await server.pool.query('alter table codes rename to codes_away')
    try {
      await search(page)
      await expect(alert(page, '관리자에게 문의해주세요.')).toBeVisible()
    } finally {
      await server.pool.query('alter table codes_away rename to codes')
    }
    await page.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/main')
    await expect(page.getByRole('heading', { name: '공지사항 조회' })).toBeVisible()
  })

  test('the database away: the list says so with a retry, the screen stays', async ({ as, fragile }) => {
    const { page } = await as('admin', {}, fragile)
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    fragile.cutDatabase()
    await page.getByLabel('이름').fill('김')
    await search(page)
    const failed = page.getByRole('alert').filter({ hasText: '사용자 목록을 불러오지 못했습니다.' })
    await expect(failed).toBeVisible()
    await fragile.mendDatabase()
    await failed.getByRole('button', { name: '다시 시도' }).click()
    await expect(failed).toBeHidden()
    await expect(page.getByRole('table').getByRole('button', { name: /김/ }).first()).toBeVisible()
    await expect(page.getByLabel('이름')).toHaveValue('김')
  })

  test('the server away: the list says so with a retry, the screen stays', async ({ as, fragile }) => {
    const { page } = await as('admin', {}, fragile)
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await fragile.stopServer()
    await page.getByRole('button', { name: '다음 페이지' }).click()
    const failed = page.getByRole('alert').filter({ hasText: '사용자 목록을 불러오지 못했습니다.' })
    await expect(failed).toBeVisible()
    await fragile.startServer()
    await failed.getByRole('button', { name: '다시 시도' }).click()
    await expect(page.getByRole('button', { name: '2페이지', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expect(failed).toBeHidden()
  })

  test('login while the database or the server is away tells it beside the form', async ({
    page,
    fragile,
    server,
  }) => {
    const { userId } = await server.createUser()
    await page.goto(`${fragile.url}/login`)
    await page.getByRole('textbox', { name: '아이디' }).fill(userId)
    await page.getByLabel('비밀번호', { exact: true }).fill('maru-Test-2026!')
    fragile.cutDatabase()
    await page.getByRole('button', { name: '로그인' }).click()
    await expect(page.getByRole('alert')).toContainText('지금은 서비스를 이용할 수 없습니다.')
    await fragile.stopServer()
    await page.getByRole('button', { name: '로그인' }).click()
    await expect(page.getByRole('alert')).toContainText('서버에 연결할 수 없습니다.')
    await fragile.mendDatabase()
    await fragile.startServer()
    await page.getByRole('button', { name: '로그인' }).click()
    await expect(page).toHaveURL(`${fragile.url}/main`)
  })

  test('a name is text everywhere, never HTML', async ({ as }) => {
    const name = '<img src=x onerror=alert(1)>'
    const { page } = await as('admin', { name })
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs += 1
      void dialog.dismiss()
    })
    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await group(page, '사용자').hover()
    await expect(page.getByRole('region', { name: '내 계정' })).toContainText(name)
    await page.mouse.move(700, 800)
    await page.goto('/user/search')
    await page.getByLabel('이름').fill('<img')
    await search(page)
    await expect(page.getByText('총 1명')).toBeVisible()
    await expect(page.getByRole('rowheader', { name })).toBeVisible()
    await expect(page.locator('img[src=x]')).toHaveCount(0)
    expect(dialogs).toBe(0)
  })
})

import { documentWidth } from '../fixtures/width.ts'
import { expect, test } from '../fixtures/test.ts'
import { koreanWords } from '../fixtures/korean-text.ts'
import { menu } from './steps.ts'

test.describe('the language (rules/frame#languages)', () => {
  test('changes every word at once by the switch and lasts', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('textbox', { name: '아이디' }).fill('typed')
    await page.getByText('English', { exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'ID' })).toHaveValue('typed')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect.poll(() => koreanWords(page)).toEqual([])
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect(page.getByRole('radio', { name: 'English' })).toBeChecked()
    await page.getByText('한국어', { exact: true }).click()
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  })

  test('is also that of the server’s messages', async ({ page, server }) => {
    await server.db.deleteFrom('rateLimits').execute()
    await page.goto('/login')
    await page.getByText('English', { exact: true }).click()
    await page.getByRole('textbox', { name: 'ID' }).fill('nobody.here')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alertdialog')).toHaveText(/^[\x20-\x7e]+$/)
  })

  test('leaves no Korean in English on menu, home, search and edit but data', async ({ as, server }) => {
    const { page } = await as('admin', { name: 'Alex Kim' })
    await server.createUser({ name: 'Zoe Park' })
    await page.addInitScript(() => localStorage.setItem('language', 'en'))
    await server.db.deleteFrom('notices').execute()

    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Alex Kim')
    await expect(page.getByText('no notices', { exact: true })).toBeVisible()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('button', { name: 'Users' }).hover()
    await expect(page.getByRole('region', { name: 'My account' })).toBeVisible()
    await expect.poll(() => koreanWords(page)).toEqual([])
    await page.mouse.move(700, 800)

    await page.goto('/user/search')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Zoe Park')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText('1 user', { exact: true })).toBeVisible()
    await expect.poll(() => koreanWords(page)).toEqual([])
    await page.getByRole('link', { name: 'Edit Zoe Park' }).click()
    // The role's name comes from the server.
    await expect(page.getByRole('button', { name: /Ordinary user/ })).toBeVisible()
    await page.getByLabel('Phone number').fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    const phone = page.getByLabel('Phone number')
    await expect(phone).toHaveAttribute('aria-invalid', 'true')
    // The error and the focus are distinguishable (rules/frame#look).
    await expect(phone).toBeFocused()
    const box = phone.locator('..')
    await expect(box).toHaveCSS('box-shadow', /^rgb\(179, 38, 30\).* inset$/)
    await expect(box).toHaveCSS('outline', 'rgb(57, 157, 54) solid 2px')
    await phone.blur()
    await expect(box).toHaveCSS('outline-style', 'none')
    await expect(box).toHaveCSS('border-color', 'rgb(179, 38, 30)')
    await expect
      .poll(async () => (await koreanWords(page)).filter((text) => text !== '대리'), 'the position is data')
      .toEqual([])
  })
})

test.describe('the theme (rules/frame#theme)', () => {
  test('survives a reload and is set before the page is drawn', async ({ page }) => {
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.goto('/login')
    const light = await background()
    await page.getByTitle('어둡게').click()
    await expect.poll(background).not.toBe(light)
    const dark = await background()
    await page.addInitScript(() => {
      // The theme at the beginning of the body is the one that is painted first.
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

  test('follows the operating system with 시스템 설정', async ({ page }) => {
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

test.describe('footer, back to top, width (rules/frame#footer, rules/frame#back-to-top, rules/frame#width)', () => {
  test('lists the head office and three branches with address, phone and fax', async ({ page }) => {
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

  test('unfolds the offices from one line after login, and keeps them unfolded', async ({
    as,
    expectAccessible,
  }) => {
    const { page } = await as('user')
    await page.setViewportSize({ width: 1200, height: 500 })
    await page.goto('/notice/search')
    const footer = page.getByRole('contentinfo')
    const unfold = footer.getByRole('button', { name: '사업장 안내' })
    const offices = footer.getByRole('list', { name: '사업장 안내' })
    await expect(unfold).toHaveAttribute('aria-expanded', 'false')
    await expect(offices).toBeHidden()
    expect((await footer.boundingBox())?.height).toBeLessThan(50)
    await unfold.focus()
    await page.keyboard.press('Enter')
    await expect(offices.getByText('팩스 062-000-4001')).toBeInViewport()
    await expectAccessible(page)
    await page.reload()
    await expect(offices).toBeVisible()
    await unfold.click()
    await page.reload()
    await expect(unfold).toBeVisible()
    await expect(offices).toBeHidden()
  })

  test('shows a button to the top after 100 px of scroll', async ({ as }) => {
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

  test('keeps the button to the top clear of the controls below a form on a phone', async ({ as }) => {
    const { page } = await as('hr')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/user/insert')
    const submit = page.getByRole('button', { name: '등록', exact: true })
    await expect(submit).toBeVisible()
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    const top = await page.getByRole('button', { name: '맨 위로' }).boundingBox()
    const offices = await page.getByRole('button', { name: '사업장 안내' }).boundingBox()
    for (const above of [await submit.boundingBox(), offices])
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(top?.y ?? 0)
  })

  test('keeps the button to the top clear of the buttons below a list with selected rows', async ({
    as,
    server,
  }) => {
    for (let count = 0; count < 12; count += 1) await server.createUser()
    const { page } = await as('hr')
    for (const width of [390, 1200, 1920]) {
      await page.setViewportSize({ width, height: 700 })
      await page.goto('/user/search')
      await page.getByRole('row').nth(1).getByRole('checkbox').check()
      await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
      const top = await page.getByRole('button', { name: '맨 위로' }).boundingBox()
      for (const button of await page.getByRole('main').getByRole('button').all()) {
        const box = await button.boundingBox()
        if (box === null || top === null) continue
        const isApart =
          box.x + box.width <= top.x ||
          box.x >= top.x + top.width ||
          box.y + box.height <= top.y ||
          box.y >= top.y + top.height
        expect(isApart, `${await button.innerText()} at ${width}`).toBe(true)
      }
    }
  })

  test('keeps a button that scrolls into view clear of the button to the top', async ({ as }) => {
    const { page } = await as('user')
    for (const width of [1200, 1440, 390]) {
      await page.setViewportSize({ width, height: 700 })
      await page.goto('/notice/insert')
      const save = page.getByRole('button', { name: '저장', exact: true })
      await save.evaluate((button) => button.scrollIntoView({ block: 'nearest', behavior: 'instant' }))
      const top = await page.getByRole('button', { name: '맨 위로' }).boundingBox()
      const shown = await save.boundingBox()
      expect((shown?.y ?? 0) + (shown?.height ?? 0), `at ${width}`).toBeLessThanOrEqual(top?.y ?? 0)
    }
  })

  test('keeps the message of an empty table in sight on a phone, whatever its width', async ({ as }) => {
    const { page } = await as('hr')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/user/search?keyword=nobody.is.called.so')
    const next = page.getByRole('button', { name: '전체 목록 보기', exact: true })
    await expect(next).toBeVisible()
    const box = await next.boundingBox()
    expect(box?.x).toBeGreaterThan(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(390)
    expect(await documentWidth(page)).toBe(390)
  })

  test('fits a window of 1200 px and a phone without horizontal scrolling', async ({
    as,
    expectAccessible,
  }) => {
    const { page } = await as('hr')
    for (const path of ['/main', '/user/search', '/mypage', '/partner/search', '/no/such/page', '/logout']) {
      await page.setViewportSize({ width: 1200, height: 800 })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (path !== '/logout') await expect(menu(page)).toBeVisible()
      expect(await documentWidth(page), `${path} at 1200`).toBe(1200)
      for (const width of [960, 390]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await documentWidth(page), `${path} at ${width}`).toBe(width)
      }
      if (path !== '/user/search') continue
      await expectAccessible(page)
      // The menu is behind one button there.
      await page.getByRole('button', { name: '주 메뉴' }).click()
      await menu(page).getByRole('link', { name: '사용자 등록', exact: true }).click()
      await expect(page).toHaveURL(/\/user\/insert$/)
    }
  })
})

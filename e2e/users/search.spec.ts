import { answer } from '../fixtures/dialogs.ts'
import { documentWidth } from '../fixtures/width.ts'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'
import { choose, filters, pageButton, rows, search, select, submit } from './steps.ts'

test.describe('the user search (rules/users#user-search)', () => {
  test('shows 5 rows with No., ID, name, affiliation, phone, date and approval', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('admin')
    await server.createUser({
      loginId: 'newest.of.all',
      name: '가장새로운이',
      affiliation: 'BEL003',
      phoneNumber: '01012345678',
      approved: false,
      createdAt: '2099-05-06T10:00:00+09:00',
    })
    await page.goto('/user/search')
    await expect(page).toHaveTitle('사용자 조회 | 마루')
    await expect(rows(page)).toHaveCount(5)
    // Wide enough for the checkbox and a number of three digits.
    const number = await page.getByRole('columnheader', { name: /No\./ }).boundingBox()
    expect(number?.width).toBeGreaterThan(90)
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'No.',
      '아이디',
      '사용자명',
      '소속',
      '전화번호',
      '등록일',
      '승인 상태',
    ])
    const total = (await page.getByText(/^총 \d+명$/).textContent())?.match(/\d+/)?.[0] ?? ''
    const cells = page.getByRole('row', { name: '가장새로운이' }).getByRole('cell')
    await expect(cells).toHaveText([
      total,
      'newest.of.all',
      '대전지사',
      '010-1234-5678',
      '2099-05-06',
      '미승인',
    ])
    await expect(rows(page).first()).toHaveText('가장새로운이')
    await expectAccessibleInEveryLook(page)
    await server.db.deleteFrom('users').where('loginId', '=', 'newest.of.all').execute()
  })

  test('has a pager with first and last buttons, and loads the chosen page (rules/lists#pager)', async ({
    as,
  }) => {
    const { page } = await as('admin')
    const pages = () => page.getByRole('navigation', { name: '페이지 이동' }).getByRole('listitem')
    await page.goto('/user/search')
    const total = Number((await page.getByText(/^총 \d+명$/).textContent())?.match(/\d+/)?.[0])
    const last = Math.ceil(total / 5)
    await expect(page.getByRole('button', { name: '첫 페이지' })).toHaveAttribute('aria-disabled', 'true')
    for (let at = 2; at <= 4; at += 1) {
      await page.getByRole('button', { name: '다음 페이지' }).click()
      await expect(pageButton(page, at)).toHaveAttribute('aria-current', 'page')
    }
    // First, the current one, last; gaps are not read out.
    await expect(pages().getByRole('button')).toHaveText([/^1/, /^4/, new RegExp(`^${last}`)])
    await expect(page.getByRole('cell').first()).toHaveText(String(total - 15))
    await page.getByRole('button', { name: '마지막 페이지' }).click()
    await expect(pageButton(page, last)).toHaveAttribute('aria-current', 'page')
    await expect(rows(page)).toHaveCount(total % 5 || 5)
    await expect(page.getByRole('button', { name: '다음 페이지' })).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('button', { name: '첫 페이지' }).click()
    await expect(pageButton(page, 1)).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('cell').first()).toHaveText(String(total))
    // A submitted search starts at page 1.
    await page.getByRole('button', { name: '마지막 페이지' }).click()
    await expect(pageButton(page, last)).toHaveAttribute('aria-current', 'page')
    await submit(page).click()
    await expect(pageButton(page, 1)).toHaveAttribute('aria-current', 'page')
  })

  test('restores filters and page after a row was opened, then forgets them', async ({ as, server }) => {
    const { page } = await as('admin')
    for (let count = 1; count <= 6; count += 1)
      await server.createUser({ name: `돌아오기${count}`, affiliation: 'BEL005' })
    const kept = () =>
      page.evaluate(() => Object.keys(sessionStorage).filter((key) => !key.startsWith('tsr')))
    await page.goto('/user/search')
    await choose(filters(page), '소속', '기술연구소')
    await search(page, '돌아오기', 6)
    await page.getByRole('button', { name: '다음 페이지' }).click()
    await expect(rows(page)).toHaveText(['돌아오기1'])
    // Anywhere on the row.
    await page.getByRole('cell', { name: '기술연구소' }).click()
    await expect(page).toHaveURL('/user/detail')
    expect(await kept()).not.toEqual([])
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    await answer(page, '뒤로', '네')
    await expect(page).toHaveURL(/\/user\/search\?/)
    await expect(rows(page)).toHaveText(['돌아오기1'])
    await expect(pageButton(page, 2)).toHaveAttribute('aria-current', 'page')
    await expect(filters(page).getByLabel('이름')).toHaveValue('돌아오기')
    await expect(select(filters(page), '소속')).toContainText('기술연구소')
    // Session storage is cleared after each list load.
    await expect.poll(kept).toEqual([])
    // The browser's own back restores the search too.
    await page.getByRole('link', { name: '돌아오기1 수정' }).click()
    await expect(page).toHaveURL('/user/detail')
    await expect(page.getByLabel('이름', { exact: true })).toHaveValue('돌아오기1')
    await page.goBack()
    await expect(rows(page)).toHaveText(['돌아오기1'])
    await expect(filters(page).getByLabel('이름')).toHaveValue('돌아오기')
    // The rows show before the list has loaded again, which clears the stored search.
    await expect.poll(kept).toEqual([])
    // The restored search is in the URL now: opening the search without one starts a new search.
    await page.goto('/user/search')
    await expect(filters(page).getByLabel('이름')).toHaveValue('')
    await expect(pageButton(page, 1)).toHaveAttribute('aria-current', 'page')
  })

  test('lets rows be walked by arrows and opened by Enter', async ({ as, server }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '화살표로하나' })
    await server.createUser({ name: '화살표로둘' })
    await page.goto('/user/search')
    await search(page, '화살표로', 2)
    await page.getByRole('link', { name: '화살표로둘 수정' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('link', { name: '화살표로하나 수정' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('이름', { exact: true })).toHaveValue('화살표로하나')
  })

  test('keeps its height when nothing is found or the list cannot be loaded (rules/lists#list-states)', async ({
    as,
    fragile,
    expectAccessible,
  }) => {
    const { page } = await as('admin', {}, fragile)
    const height = async () => (await page.getByRole('table').boundingBox())?.height
    await page.goto('/user/search')
    await expect(rows(page)).toHaveCount(5)
    const full = await height()
    await search(page, '이런이름은없습니다', 0)
    await expect(page.getByText('검색된 사용자가 없습니다.')).toBeVisible()
    expect(await height()).toBe(full)
    await waitUntilSettled(page)
    fragile.cutDatabase()
    await page.goto('/user/search')
    const failed = page.getByRole('alert').filter({ hasText: '사용자 목록을 불러오지 못했습니다.' })
    const noMenu = page.getByRole('alert').filter({ hasText: '메뉴를 불러오지 못했습니다.' })
    await expect(failed).toBeVisible()
    await expect(noMenu).toBeVisible()
    expect(await height()).toBe(full)
    await expectAccessible(page)
    await fragile.mendDatabase()
    await failed.getByRole('button', { name: '다시 시도' }).click()
    await expect(rows(page)).toHaveCount(5)
    await noMenu.getByRole('button', { name: '다시 시도' }).click()
    await expect(page.getByRole('navigation', { name: '주 메뉴' })).toBeVisible()
  })

  test('is neither widened nor moved by long names and values', async ({ as, server }) => {
    const { page } = await as('admin')
    const name = '가나다라마바사아자차'.repeat(5)
    await server.createUser({ name, loginId: 'w'.repeat(20) })
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.goto('/user/search')
    await expect(rows(page)).toHaveCount(5)
    const height = async () => (await page.getByRole('row').nth(1).boundingBox())?.height
    const usual = await height()
    await search(page, name, 1)
    await expect(rows(page)).toHaveText([name])
    expect(await height()).toBe(usual)
    expect(await documentWidth(page)).toBe(1200)
    await expect(page.getByTitle(name)).toBeVisible()
  })
})

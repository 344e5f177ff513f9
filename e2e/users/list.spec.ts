import readXlsxFile from 'read-excel-file/node'
import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose, filters, pageButton, rows, search, submit } from './steps.ts'

/* The user search beyond its four filters: order, URL, more filters, columns. */

test.describe('the list of users (rules/lists#list-address)', () => {
  test('sorts by its headers by pointer and keyboard: ascending, descending, default', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    for (const name of ['정렬나', '정렬가', '정렬다']) await server.createUser({ name })
    await page.goto('/user/search')
    await search(page, '정렬', 3)
    const header = page.getByRole('columnheader', { name: '사용자명' })
    await expect(header).toHaveAttribute('aria-sort', 'none')
    await header.getByRole('button').click()
    await expect(rows(page)).toHaveText(['정렬가', '정렬나', '정렬다'])
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await header.getByRole('button').press('Enter')
    await expect(rows(page)).toHaveText(['정렬다', '정렬나', '정렬가'])
    await expect(header).toHaveAttribute('aria-sort', 'descending')
    await expect(page.getByRole('cell').first()).toHaveText('3')
    await header.getByRole('button').press('Space')
    await expect(rows(page)).toHaveText(['정렬다', '정렬가', '정렬나'])
    await expect(header).toHaveAttribute('aria-sort', 'none')
    // The number is the place in the order that is shown: nothing to sort by.
    await expect(page.getByRole('columnheader', { name: 'No.' })).not.toHaveAttribute('aria-sort')
  })

  test('keeps filters, page and order in the address for back, reload and sent links', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    for (let count = 1; count <= 6; count += 1)
      await server.createUser({
        name: `주소줄${count}`,
        affiliation: 'BEL002',
        role: 'hr',
        phoneNumber: '01077770001',
      })
    await server.createUser({ name: '주소줄7', affiliation: 'BEL002', phoneNumber: '01077770002' })
    await server.createUser({ name: '주소줄8', affiliation: 'BEL002', approved: false })
    await page.goto('/user/search')
    await choose(filters(page), '소속', '부산지사')
    await search(page, '주소줄', 8)
    await choose(filters(page), '승인 상태', '미승인')
    await search(page, '주소줄', 1)
    await expect(rows(page)).toHaveText(['주소줄8'])
    await choose(filters(page), '승인 상태', '전체')
    await filters(page).getByLabel('전화번호').fill('7777-0001')
    await search(page, '주소줄', 6)
    await page.getByRole('button', { name: '상세 조건' }).click()
    await choose(filters(page), '권한', '인사 관리자')
    await choose(filters(page), '마지막 로그인', '로그인 이력 없음')
    await submit(page).click()
    await page.getByRole('columnheader', { name: '아이디' }).getByRole('button').click()
    await page.getByRole('button', { name: '다음 페이지' }).click()
    await expect(pageButton(page, 2)).toHaveAttribute('aria-current', 'page')
    await expect(rows(page)).toHaveText(['주소줄6'])
    const words = new URLSearchParams(new URL(page.url()).search)
    expect(Object.fromEntries(words)).toEqual({
      affiliationCode: 'BEL002',
      name: '주소줄',
      phoneNumber: '7777-0001',
      roleCode: 'AUT002',
      lastLogin: 'NEVER',
      page: '2',
      sort: 'userId',
      order: 'asc',
    })

    const link = page.url()
    const isWhole = async () => {
      await expect(rows(page)).toHaveText(['주소줄6'])
      await expect(pageButton(page, 2)).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('columnheader', { name: '아이디' })).toHaveAttribute(
        'aria-sort',
        'ascending',
      )
      await expect(filters(page).getByLabel('이름')).toHaveValue('주소줄')
      await expect(page.getByRole('button', { name: '상세 조건 (2개 적용)' })).toBeVisible()
    }
    await page.reload()
    await isWhole()
    // 'Back' goes from step to step, and the fields follow.
    await page.goBack()
    await expect(pageButton(page, 1)).toHaveAttribute('aria-current', 'page')
    await expect(rows(page)).toHaveCount(5)
    await page.goBack()
    await expect(page.getByRole('columnheader', { name: '아이디' })).toHaveAttribute('aria-sort', 'none')
    for (let step = 1; step <= 4; step += 1) await page.goBack()
    await expect(filters(page).getByLabel('이름')).toHaveValue('')

    const other = await as('admin')
    await other.page.goto(link)
    await expect(rows(other.page)).toHaveText(['주소줄6'])
  })

  test('requires the day of a last login since a day (rules/users#more-user-filters)', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/user/search?lastLogin=SINCE')
    await page.getByRole('button', { name: '상세 조건' }).click()
    await choose(filters(page), '마지막 로그인', '기준일 이후')
    await page.getByRole('button', { name: /상세 조건/ }).click()
    await submit(page).click()
    const day = filters(page).getByRole('textbox', { name: '마지막 로그인 기준일' })
    await expect(day).toBeFocused()
    await expect(day).toHaveAccessibleDescription('필수 입력 항목입니다.')
    const chips = page.getByRole('list', { name: '적용된 조건' })
    await expect(chips).toHaveCount(0)
    await day.fill('2026-01-02')
    await day.press('Enter')
    await expect(chips).toContainText('2026-01-02')
    await page.getByRole('button', { name: '2026-01-02 조건 지우기' }).click()
    await expect(chips).toHaveCount(0)
  })

  test('remembers the chosen columns in this browser and always shows number and name (rules/lists#columns, rules/lists#export-columns)', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '열고르기', email: 'columns@example.com' })
    await page.goto('/user/search')
    await search(page, '열고르기', 1)
    await page.getByRole('button', { name: '열 선택' }).press('Enter')
    const chooser = page.getByRole('dialog', { name: '열 선택' })
    await expect(chooser.getByLabel('사용자명')).toBeDisabled()
    await expect(chooser.getByLabel('No.')).toBeDisabled()
    await chooser.getByLabel('전화번호').press('Space')
    await chooser.getByLabel('이메일').press('Space')
    await chooser.getByLabel('마지막 로그인').press('Space')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const headers = () => page.getByRole('columnheader').allTextContents()
    const chosen = ['No.', '아이디', '사용자명', '소속', '등록일', '승인 상태', '이메일', '마지막 로그인']
    expect(await headers()).toEqual(chosen)
    await expect(page.getByRole('cell', { name: 'columns@example.com' })).toBeVisible()
    await page.reload()
    await expect(rows(page)).toHaveText(['열고르기'])
    expect(await headers()).toEqual(chosen)
    await page.getByRole('button', { name: '내보내기' }).click()
    await page.getByRole('dialog', { name: '사용자 목록 내보내기' }).getByLabel('사유').fill('열 확인')
    const [xlsx] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    const [sheet] = await readXlsxFile(await xlsx.path())
    expect(sheet?.data[0]).toEqual(chosen.slice(1))
    await page.getByRole('button', { name: '열 선택' }).click()
    await chooser.getByRole('button', { name: '기본값으로' }).click()
    await expect(page.getByRole('columnheader')).toHaveCount(7)
    expect(await page.evaluate(() => localStorage.getItem('columns_users'))).toBeNull()
  })

  test('leaves the address of /main alone when searched on the home panel', async ({ as, server }) => {
    const { page } = await as('hr')
    await server.createUser({ name: '패널에서찾기' })
    await page.goto('/main')
    await search(page, '패널에서찾기', 1)
    await page.getByRole('columnheader', { name: '소속' }).getByRole('button').click()
    await expect(page).toHaveURL('/main')
    await expect(page.getByRole('button', { name: '열 선택' })).toHaveCount(0)
    await page.getByRole('link', { name: '패널에서찾기 수정' }).click()
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    await answer(page, '뒤로', '네')
    await expect(page).toHaveURL('/main')
    await expect(filters(page).getByLabel('이름')).toHaveValue('패널에서찾기')
    await expect(page.getByRole('columnheader', { name: '소속' })).toHaveAttribute('aria-sort', 'ascending')
  })
})

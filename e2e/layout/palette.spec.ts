import type { Page } from '@playwright/test'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'
import { koreanWords } from '../fixtures/korean-text.ts'
import { completeUser } from '../users/steps.ts'

const box = (page: Page) => page.getByRole('combobox', { name: /찾기|Find/ })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

test.describe('the command palette (rules/frame#palette)', () => {
  test('finds pages, people and notices by keyboard, and goes there', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page, person } = await as('admin', { name: '찾는이' })
    const { userId } = await completeUser(server, { name: '탐색대상' })
    await server.db
      .insertInto('notices')
      .values({ bulletCode: 'BE0001', title: '탐색대상 점검 안내', memo: null, authorId: person.id })
      .execute()
    await page.goto('/main')
    const button = page.getByRole('button', { name: '찾기', exact: true })
    await expect(button).toBeVisible()

    await page.keyboard.press('Control+k')
    await expect(box(page)).toBeFocused()
    await expect(option(page, '홈')).toBeVisible()
    // By first consonants, and by a syllable that is not whole yet.
    await box(page).fill('ㅅㅇㄷㄱ')
    await expect(option(page, /승인 대기/)).toHaveAttribute('aria-selected', 'true')
    await box(page).fill('승인 댁')
    await expect(option(page, /승인 대기/)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/user/approval')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await page.keyboard.press('Control+k')
    await box(page).fill('ㅌㅅㄷㅅ')
    await expect(option(page, new RegExp(userId))).toBeVisible()
    await box(page).fill('탐색대상')
    await expect(page.getByRole('group', { name: '사람' }).getByRole('option')).toHaveCount(1)
    await expect(page.getByRole('group', { name: '공지사항' }).getByRole('option')).toHaveCount(1)
    await expect(page.getByText('결과 2건')).toBeVisible()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, 'colours')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(option(page, new RegExp(userId))).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(option(page, /점검 안내/)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveTitle(/^탐색대상 · /)

    // A dialog opens above it, never under it; leaving a form with unsaved input asks first.
    await page.getByLabel('직급').fill('과장')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('alertdialog').getByRole('button', { name: '아니오' }).click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(box(page)).toHaveCount(0)
    await button.click()
    await box(page).fill('점검 안내')
    await option(page, /탐색대상 점검 안내/).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: '아니오' }).click()
    await expect(button).toBeFocused()
    await expect(page.getByLabel('직급')).toHaveValue('과장')
  })

  test('finds settings pages by what they have, in both languages', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/main')
    await expect(page.getByRole('button', { name: '찾기', exact: true })).toBeVisible()
    await page.keyboard.press('Control+k')
    for (const [words, title] of [
      ['자동 로그아웃', /보안 설정/],
      ['메일 서버', /포털 설정/],
      ['직급 목록', /포털 설정/],
      ['추가 항목', /포털 설정/],
      ['로그 보관', /보관과 파기/],
      ['백업', /시스템/],
    ] as const) {
      await box(page).fill(words)
      await expect(page.getByRole('group', { name: '화면' }).getByRole('option')).toHaveText([title])
    }
    await page.addInitScript(() => localStorage.setItem('language', 'en'))
    await page.reload()
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await box(page).fill('mail server')
    await expect(page.getByRole('group', { name: 'Pages' }).getByRole('option')).toHaveText([
      /Portal settings/,
    ])
  })

  test('offers no users without permission, reports no match and works in English', async ({
    as,
    expectAccessible,
  }) => {
    const { page } = await as('user', { name: 'Pat Kim' })
    await page.addInitScript(() => localStorage.setItem('language', 'en'))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/mypage')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await expect(option(page, /Notice search/)).toBeVisible()
    await expect(option(page, /User search/)).toHaveCount(0)
    await expectAccessible(page, 'words')
    expect(await koreanWords(page)).toEqual([])
    // One letter is too little to ask the directory for; it says so instead of finding nobody.
    await box(page).fill('김')
    await expect(page.getByText('Type at least two letters to find people.')).toBeVisible()
    await box(page).fill('김철')
    await expect(page.getByText('Nothing was found for “김철”.')).toBeVisible()
    await expect(page.getByText('Type at least two letters')).toHaveCount(0)
    expect(asked.filter((path) => path.endsWith('/colleagues'))).toHaveLength(1)
    await box(page).fill('mail server')
    await expect(page.getByText('Nothing was found for “mail server”.')).toBeVisible()
    await box(page).fill('nothing is called so')
    await expect(page.getByText('Nothing was found for “nothing is called so”.')).toBeVisible()
    await expect(box(page)).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('Enter')
    expect(asked.filter((path) => path.endsWith('/users'))).toEqual([])
    await page.keyboard.press('Escape')
    await expect(box(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Find', exact: true })).toBeFocused()
    await expect(page).toHaveURL('/mypage')
  })

  test('runs commands and understands the wrong keyboard layout', async ({ as, expectAccessible }) => {
    const { page } = await as('user')
    await page.goto('/main')
    await expect(page.getByRole('button', { name: '찾기', exact: true })).toBeVisible()
    const run = async (text: string, title: string | RegExp) => {
      await page.keyboard.press('Control+k')
      await box(page).fill(text)
      await expect(option(page, title)).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await expect(box(page)).toHaveCount(0)
    }
    await run('어둡게', /어둡게/)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await run('qkfrrp', /밝게/)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')

    await page.keyboard.press('Control+k')
    await box(page).fill('rlacjf')
    await expect(option(page, '‘김철’ 찾기')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(box(page)).toHaveValue('김철')
    await expect(box(page)).toBeFocused()
    await page.keyboard.press('Escape')

    await run('비밀번호', /비밀번호 변경/)
    await expect(page).toHaveURL('/mypage#password')
    await run('로그아웃', /^로그아웃$/)
    await expect(page).toHaveURL('/login')
  })

  test('says that the server is away and tries again', async ({ as, fragile }) => {
    const { page } = await as('hr', {}, fragile)
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await page.getByRole('button', { name: '찾기', exact: true }).click()
    await expect(box(page)).toBeFocused()
    await waitUntilSettled(page)
    fragile.cutDatabase()
    await box(page).fill('조회')
    const failed = page.getByRole('alert').filter({ hasText: '결과를 모두 불러오지 못했습니다.' })
    await expect(failed).toBeVisible()
    await expect(option(page, /공지사항 조회/)).toBeVisible()
    await fragile.mendDatabase()
    await failed.getByRole('button', { name: '다시 시도' }).click()
    await expect(failed).toHaveCount(0)
    await expect(page.getByText(/^결과 \d+건$/)).toBeVisible()
  })
})

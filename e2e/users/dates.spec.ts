import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { completeUser, openUser, userRow } from './steps.ts'

const start = (page: Page) => page.getByLabel('유효기간 시작일', { exact: true })
const end = (page: Page) => page.getByLabel('유효기간 종료일', { exact: true })

test.describe('a date field (rules/frame#dates)', () => {
  test('keeps what is no date as typed, with a message, and refuses an end before the start', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '날짜를틀릴이' })
    await openUser(page, '날짜를틀릴이')
    const notADate = '존재하는 날짜를 YYYY-MM-DD 형식으로 입력해주세요.'
    const outside = '1900-01-01부터 2099-12-31까지의 날짜를 입력해주세요.'
    for (const [typed, message] of [
      ['2026-02-30', notADate],
      ['어제', notADate],
      ['2100-01-01', outside],
    ] as const) {
      await start(page).fill(typed)
      await start(page).press('Tab')
      await expect(start(page)).toHaveAccessibleDescription(message)
      await expect(start(page)).toHaveValue(typed)
      await page.getByRole('button', { name: '저장' }).click()
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      await expect(start(page)).toHaveValue(typed)
    }
    expect((await userRow(server, person.id)).validFrom).toBe('2026-01-01')
    await start(page).fill('1900-01-01')
    await end(page).fill('2099-12-31')
    await end(page).press('Tab')
    await expect(start(page)).not.toHaveAttribute('aria-invalid')
    await expect(end(page)).not.toHaveAttribute('aria-invalid')

    await start(page).fill('2026-01-01')
    await end(page).fill('2025-12-31')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(end(page)).toHaveAccessibleDescription('종료일은 시작일보다 빠를 수 없습니다.')
    await start(page).fill('2025-12-31')
    await start(page).press('Tab')
    await expect(end(page)).not.toHaveAttribute('aria-invalid')
  })

  test('has a Korean calendar that works by keyboard', async ({ as, server, expectAccessible }) => {
    const { page } = await as('admin')
    await completeUser(server, { name: '달력을쓸이' })
    await openUser(page, '달력을쓸이')
    const calendar = page.getByRole('dialog', { name: '유효기간 시작일 달력' })
    await start(page).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect(calendar.getByRole('button', { name: /2026년 1월 1일/ })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await expect(calendar.getByRole('button', { name: /2026년 1월 9일/ })).toBeFocused()
    await page.keyboard.press('PageDown')
    await expect(calendar.getByRole('button', { name: /2026년 2월 9일/ })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(calendar).toHaveCount(0)
    await expect(start(page)).toHaveValue('2026-02-09')
    await page.getByRole('button', { name: '유효기간 시작일 달력' }).click()
    await expect(calendar).toBeVisible()
    await calendar.getByRole('combobox', { name: '년' }).selectOption('2030년')
    await page.keyboard.press('Escape')
    await expect(calendar).toHaveCount(0)
    await expect(start(page)).toHaveValue('2026-02-09')
  })
})

import type { Page } from '@playwright/test'
import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { code } from './steps.ts'

/** An input method in the middle of its work, as a Korean keyboard is. */
async function compose(page: Page, ...steps: string[]) {
  const browser = await page.context().newCDPSession(page)
  for (const text of steps) {
    await browser.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
  }
  return { commit: (text: string) => browser.send('Input.insertText', { text }) }
}

test.describe('the code field (rules/partners#code-input)', () => {
  test('converts to capitals, ignores symbols, keeps the caret and refuses Korean', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/partner/insert')
    await code(page).pressSequentially('a b{}[]/?.,;:|()*~`!^+<>@#$%&\'"\\=1-_')
    await expect(code(page)).toHaveValue('AB1-_')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('x%y')
    await expect(code(page)).toHaveValue('AXYB1-_')

    // Pasted.
    await page.evaluate(() => document.execCommand('insertText', false, 'Q한글Q'))
    await expect(page.getByRole('alertdialog', { name: '파트너 코드' })).toContainText('한글을 지워주세요.')
    await answer(page, '파트너 코드', '확인')
    await expect(code(page)).toHaveValue('AXYB1-_')
    await expect(code(page)).toBeFocused()
  })

  test('takes nothing in twice from an input method', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/partner/insert')
    await code(page).fill('AB')

    // Letters that a method composes come in once, in upper case, when it is done.
    const latin = await compose(page, 'c', 'cd', 'cde')
    await latin.commit('cde')
    await expect(code(page)).toHaveValue('ABCDE')
    await page.keyboard.type('f')
    await expect(code(page)).toHaveValue('ABCDEF')

    // 한, jamo by jamo: while it is composed the field is the method's own, then all of it is refused, once.
    const korean = await compose(page, 'ㅎ', '하', '한')
    await expect(code(page)).toHaveValue('ABCDEF한')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await korean.commit('한')
    await answer(page, '파트너 코드', '확인')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(code(page)).toHaveValue('ABCDEF')
    await expect(code(page)).toBeFocused()
    await page.keyboard.type('g')
    await expect(code(page)).toHaveValue('ABCDEFG')
  })
})

import { API_BASE } from '../../contract/envelope.ts'
import { listUsers } from '../../contract/users.ts'
import { expect, test } from '../fixtures/test.ts'
import { documentWidth } from '../fixtures/width.ts'

test('shows keys and IDs whole, resizes columns by pointer and keys, and stores widths (rules/lists#widths, rules/lists#density)', async ({
  as,
  expectAccessible,
}) => {
  const { page } = await as('admin')
  const cut = () =>
    page
      .locator('tbody :is(td, th)')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      )
  const widthOf = async (name: string) => {
    const box = await page.getByRole('columnheader', { name, exact: true }).boundingBox()
    return Math.round(box?.width ?? 0)
  }
  for (const width of [1920, 1200, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/key/search')
    await expect(page.getByRole('separator').first()).toBeAttached()
    expect(await cut(), `${width}`).toEqual([])
    expect(await documentWidth(page)).toBe(width)
  }

  const before = await widthOf('요청 키')
  await page.getByRole('separator', { name: '지역 열 너비' }).focus()
  await page.keyboard.press('ArrowDown')
  const affiliation = page.getByRole('separator', { name: '소속 열 너비' })
  await expect(affiliation).toBeFocused()
  const narrow = await widthOf('소속')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => widthOf('소속')).toBe(narrow + 32)
  expect(await widthOf('요청 키')).toBeLessThan(before)

  const edge = (await affiliation.boundingBox())!
  await page.mouse.move(edge.x + edge.width / 2, edge.y + 8)
  await page.mouse.down()
  await page.mouse.move(edge.x + edge.width / 2 - 20, edge.y + 8, { steps: 2 })
  await page.mouse.up()
  await expect.poll(() => widthOf('소속')).toBe(narrow + 12)
  await page.getByRole('button', { name: '행 간격 좁게' }).click()
  await expectAccessible(page)

  await page.reload()
  await expect(affiliation).toBeAttached()
  expect(await widthOf('소속')).toBe(narrow + 12)
  expect((await page.getByRole('row').nth(1).boundingBox())?.height).toBeLessThan(40)
  await affiliation.dblclick()
  await expect.poll(() => widthOf('소속')).toBe(narrow)
})

test('removes single filters of a list and sets a period by one press (rules/lists#chips, rules/lists#date-presets)', async ({
  as,
}) => {
  const { page } = await as('admin')
  await page.goto('/key/search?requesterName=nobody')
  const chips = page.getByRole('list', { name: '적용된 조건' })
  await page.getByRole('button', { name: '이번 달' }).click()
  await expect(page).toHaveURL(/issuedFrom=\d{4}-\d{2}-01&issuedTo=/)
  await expect(chips.getByRole('listitem')).toHaveCount(3)
  await chips.getByRole('button', { name: 'nobody 조건 지우기' }).click()
  await expect(page).not.toHaveURL(/requesterName/)
  await expect(chips.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('button', { name: '검색', exact: true })).toBeFocused()
  await page.getByRole('button', { name: '초기화' }).click()
  await expect(chips).toBeHidden()
})

test('keeps the progress line of a list still with reduced motion', async ({ as, relay }) => {
  const { page } = await as('admin', {}, relay)
  const list = relay.hold(API_BASE + listUsers.path)
  await page.goto('/user/search')
  await list.reached
  const turns = () =>
    page.evaluate(() =>
      document.getAnimations().map(({ effect }) => {
        const part = effect instanceof KeyframeEffect ? effect.pseudoElement : null
        return `${part ?? 'element'} ${effect?.getComputedTiming().iterations}`
      }),
    )
  await expect.poll(turns).toContain('::after 1')
  expect(await turns()).not.toContainEqual(expect.stringContaining('Infinity'))
  list.release()
  await expect(page.getByRole('rowheader')).toHaveCount(5)
})

import { BULK_WITHDRAWN_UNASKED } from '../../contract/users.ts'
import { answer, closeToast, toast } from '../fixtures/dialogs.ts'
import { controls, tabTo } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { filters, rows, userRow } from './steps.ts'

test('selects users over pages and extends them by keyboard despite an edit in between (rules/users#bulk-changes, rules/users#excluded-users)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('hr')
  const { button, checkbox } = controls(page)
  const people = []
  for (let count = 1; count <= 7; count += 1) {
    people.push(await server.createUser({ name: `함께연장이${count}`, validTo: '2087-03-31' }))
  }
  await server.createUser({ name: '함께연장이8', validFrom: '2090-01-01', validTo: '2091-01-01' })
  await page.goto('/user/search')
  await filters(page).getByLabel('통합검색').focus()
  await page.keyboard.type('함께연장이')
  await page.keyboard.press('Enter')
  await expect(page.getByText('총 8명', { exact: true })).toBeVisible()
  await tabTo(page, checkbox('이 페이지 모두 선택'))
  await page.keyboard.press('Space')
  await expect(page.getByText('5명 선택', { exact: true })).toBeVisible()
  // The choice stays on another page, and one of it is left out.
  await tabTo(page, button('다음 페이지'))
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveText(['함께연장이3', '함께연장이2', '함께연장이1'])
  await expect(page.getByText('5명 선택', { exact: true })).toBeVisible()
  await tabTo(page, button('검색된 8명 모두 선택'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, checkbox('함께연장이1 선택'), 'Shift+Tab')
  await page.keyboard.press('Space')
  await expect(page.getByText('7명 선택', { exact: true })).toBeVisible()
  await expectAccessible(page)
  // It also stays while one of the users is opened.
  await page.getByRole('link', { name: '함께연장이2 수정' }).press('Enter')
  await page.getByRole('button', { name: '뒤로', exact: true }).press('Enter')
  await answer(page, '뒤로', '네')
  await expect(rows(page)).toHaveText(['함께연장이3', '함께연장이2', '함께연장이1'])
  await expect(page.getByText('7명 선택', { exact: true })).toBeVisible()
  // A phone shows every action.
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['선택 해제', '유효기간 연장', '초대 재발송', '탈퇴'])
    await expect(button(name)).toBeInViewport({ ratio: 1 })
  await page.setViewportSize(size)

  // The actions on the selection come after it.
  await checkbox('이 페이지 모두 선택').focus()
  await tabTo(page, button('유효기간 연장'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '유효기간 연장' })
  await expect(dialog.getByLabel('유효기간 종료일').first()).toBeFocused()
  await page.keyboard.type('2088-12-31')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('6명의 유효기간을 2088-12-31까지 연장합니다.')).toBeVisible()
  await expect(dialog.getByText('1명은 제외합니다. 시작일이 더 늦은 계정 1명')).toBeVisible()
  await expectAccessible(page)
  await tabTo(page, button('이전'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('유효기간 종료일').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('6명의 유효기간을 2088-12-31까지 연장합니다.')).toBeVisible()
  // Meanwhile a colleague extends one of them.
  await server.pool.query(`update users set valid_to = '2089-12-31' where id = $1`, [people[1]?.id])
  await tabTo(page, button('6명 연장'))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('아무것도 처리하지 않았습니다')
  expect((await userRow(server, people[2]?.id ?? '')).validTo).toBe('2087-03-31')
  await expect(dialog.getByText('5명의 유효기간을 2088-12-31까지 연장합니다.')).toBeVisible()
  const run = dialog.getByRole('button', { name: '5명 연장' })
  await tabTo(page, run)
  await page.keyboard.press('Escape')
  await answer(page, '저장하지 않은 내용', '아니오')
  await expect(run).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The bar and its buttons have disappeared; the focus stays in the list.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  await closeToast(page, '5명의 유효기간을 연장했습니다.')
  await expect(page.getByText('명 선택', { exact: false })).toHaveCount(0)
  const ends = await Promise.all(people.map(async ({ id }) => (await userRow(server, id)).validTo))
  expect(ends).toEqual(['2087-03-31', '2089-12-31', ...Array.from({ length: 5 }, () => '2088-12-31')])
})

test('suspends, unsuspends, withdraws and restores many users, each after a preview (rules/users#bulk-changes, rules/users#taking-back)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('hr')
  const people = [
    await server.createUser({ name: '함께돌아올이1' }),
    await server.createUser({ name: '함께돌아올이2' }),
  ]
  const late = await server.createUser({ name: '함께돌아올이3' })
  // Kept for longer than the withdrawal can be taken back.
  await server.pool.query(`update settings set retention = '{"withdrawnAccounts": 60}'`)
  await server.pool.query(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [
    late.id,
  ])
  const { button, checkbox } = controls(page)
  async function doAll(action: string, told: string, run: string): Promise<void> {
    await checkbox('이 페이지 모두 선택').check()
    await button(action).click()
    const dialog = page.getByRole('dialog', { name: action })
    await dialog.getByRole('button', { name: '확인하기' }).click()
    await expect(dialog.getByText(told)).toBeVisible()
    if (action === '탈퇴 취소') await expectAccessible(page)
    await dialog.getByRole('button', { name: run }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.goto('/user/search?name=함께돌아올이')
  await doAll('사용 정지', '바로 로그아웃됩니다. 정지 해제로 되돌릴 수 있습니다.', '2명 정지')
  await expect(page.getByRole('link', { name: '함께돌아올이1 (정지) 수정' })).toBeVisible()
  await doAll('정지 해제', '2명의 사용 정지를 해제합니다.', '2명 정지 해제')
  await expect(page.getByRole('link', { name: '함께돌아올이1 수정' })).toBeVisible()
  await doAll('탈퇴', '30일 안에 취소할 수 있습니다.', '2명 탈퇴')
  await page.goto('/user/search?name=함께돌아올이&withdrawn=Y')
  await expect(rows(page)).toHaveCount(3)
  await doAll('탈퇴 취소', '1명은 제외합니다. 탈퇴한 지 30일이 지난 계정 1명', '2명 탈퇴 취소')
  await expect(rows(page)).toHaveText(['함께돌아올이3'])
  const states = await Promise.all(people.map(({ id }) => userRow(server, id)))
  expect(states).toMatchObject([0, 1].map(() => ({ withdrawnAt: null, suspendedAt: null })))
})

test('withdraws more than 20 users only after their number is typed (rules/users#bulk-withdrawal)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('hr')
  for (let n = 0; n <= BULK_WITHDRAWN_UNASKED; n += 1) await server.createUser({ name: '함께떠날이' })
  const { button, checkbox } = controls(page)
  await page.goto('/user/search?name=함께떠날이')
  await checkbox('이 페이지 모두 선택').check()
  await button('검색된 21명 모두 선택').click()
  await button('탈퇴').click()
  const dialog = page.getByRole('dialog', { name: '탈퇴' })
  await dialog.getByRole('button', { name: '확인하기' }).click()
  const run = dialog.getByRole('button', { name: '21명 탈퇴' })
  await expect(run).toBeDisabled()
  const field = dialog.getByLabel('확인을 위해 탈퇴할 사용자 수 21 입력')
  await field.fill('20')
  await expect(run).toBeDisabled()
  await expectAccessible(page)
  await field.fill('21')
  await run.click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { rows: left } = await server.pool.query(
    `select from users where name = '함께떠날이' and withdrawn_at is null`,
  )
  expect(left).toHaveLength(0)
})

test('undoes an own bulk change from the toast and from the user search, without the audit log (rules/users#undo-a-bulk-change)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('hr')
  const person = await server.createUser({ name: '연장취소할이1', validTo: '2087-03-31' })
  await server.createUser({ name: '연장취소할이2', validTo: '2087-03-31' })
  const { button, checkbox } = controls(page)
  const extended = toast(page, '2명의 유효기간을 연장했습니다.')
  const extend = async () => {
    await page.goto('/user/search?name=연장취소할이')
    await checkbox('이 페이지 모두 선택').check()
    await button('유효기간 연장').click()
    const extension = page.getByRole('dialog', { name: '유효기간 연장' })
    await extension.getByRole('button', { name: '확인하기' }).click()
    await extension.getByRole('button', { name: '2명 연장' }).click()
    await expect(extended).toBeVisible()
  }
  await extend()
  // The toast also leads there from another page.
  await page.getByRole('link', { name: '연장취소할이1 수정' }).click()
  await expect(page.getByLabel('직급')).toBeVisible()
  const message = extended.getByRole('button', { name: '되돌리기' })
  await expect(async () => {
    await page.keyboard.press('F8')
    await expect(message).toBeFocused({ timeout: 1000 })
  }).toPass()
  await page.keyboard.press('Enter')
  const recent = page.getByRole('dialog', { name: '최근 일괄 변경' })
  await expect(recent.getByText(/유효기간 종료일 → 2088-03-31 · 2명/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(recent).toHaveCount(0)
  await tabTo(page, button('최근 일괄 변경'))
  await page.keyboard.press('Enter')
  await tabTo(page, recent.getByRole('button', { name: /유효기간 종료일 → 2088-03-31 · 2명 되돌리기/ }))
  await page.keyboard.press('Enter')
  const undo = page.getByRole('dialog', { name: '되돌리기' })
  await expect(undo.getByText('2088-03-31 → 2087-03-31').first()).toBeVisible()
  await undo.getByRole('button', { name: '2명 되돌리기' }).click()
  await closeToast(page, '2명의 값을 되돌렸습니다.')
  await expect(recent.getByText('되돌릴 수 있는 일괄 변경이 없습니다.')).toBeVisible()
  expect((await userRow(server, person.id)).validTo).toBe('2087-03-31')
  // An undo from the list takes the toast of the change with it.
  await extend()
  await button('최근 일괄 변경').click()
  await recent.getByRole('button', { name: /2명 되돌리기/ }).click()
  await undo.getByRole('button', { name: '2명 되돌리기' }).click()
  await expect(toast(page, '2명의 값을 되돌렸습니다.')).toBeVisible()
  expect(await extended.count()).toBe(0)
})

test('selects the rows between two checkboxes with Shift, by mouse and keyboard (rules/lists#selection)', async ({
  as,
  server,
}) => {
  const { page } = await as('hr')
  for (const n of [1, 2, 3, 4, 5]) await server.createUser({ name: `줄줄이${n}` })
  const { checkbox } = controls(page)
  await page.goto('/user/search?name=줄줄이')
  await checkbox('줄줄이5 선택').check()
  await checkbox('줄줄이3 선택').click({ modifiers: ['Shift'] })
  await expect(page.getByText('3명 선택', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
  await checkbox('줄줄이4 선택').press('Space')
  await checkbox('줄줄이1 선택').press('Shift+Space')
  await expect(page.getByText('5명 선택', { exact: true })).toBeVisible()
})

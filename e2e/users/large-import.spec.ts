import { delay } from '../fixtures/random-delays.ts'
import { controls, tabTo } from '../fixtures/keyboard.ts'
import { startOwnMaru } from '../fixtures/own-maru.ts'
import { expect as expectSoon, PASSWORD, test } from '../fixtures/test.ts'
import { filters } from './steps.ts'
import { toast } from '../fixtures/dialogs.ts'

const COUNT = 10_000
// As long as the page waits for a heavy call: a machine that others load too needs more than the usual minute.
const expect = expectSoon.configure({ timeout: 300_000 })
test.setTimeout(900_000)

const HEADER = '아이디,사용자명,소속,직급,전화번호,이메일,권한,유효기간 시작일,유효기간 종료일'

test('imports and finds 10,000 users and moves some of them by keyboard only (rules/users#import, rules/users#bulk-changes)', async ({
  browser,
  contextOptions,
}) => {
  // A portal of its own: the worker's would keep 10,000 people and their invitations.
  const server = await startOwnMaru()
  const hr = await server.createUser({ role: 'hr' })
  for (const affiliation of ['BEL001', 'BEL002']) {
    const partner = await server.createPartner({ affiliation, code: `ALL-${affiliation}` })
    await server.pool.query(
      `update codes set default_partner_id = (select id from partners where code = $1) where code = $2`,
      [partner, affiliation],
    )
  }
  const page = await (await browser.newContext({ ...contextOptions, baseURL: server.url })).newPage()
  await delay(page)
  const { button, checkbox } = controls(page)
  const count = async (condition: string) =>
    (await server.pool.query(`select from users where login_id like 'all.%' and ${condition}`)).rowCount
  // The listener stays: one for a single dialog may come after the key that opens it.
  page.on('filechooser', (chooser) => {
    const lines = Array.from(
      { length: COUNT },
      (_, n) =>
        `all.${n},모두함께${n},본사,사원,010${String(n).padStart(8, '0')},all.${n}@example.com,일반 사용자,2026-01-01,2087-12-31`,
    )
    void chooser.setFiles({
      name: '모두.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([HEADER, ...lines].join('\r\n')),
    })
  })

  await page.goto('/login')
  await expect(page.getByLabel('아이디', { exact: true })).toBeFocused()
  await page.keyboard.type(hr.userId)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/main')

  await page.goto('/user/import')
  await tabTo(page, button('파일 선택'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('10,000행에 오류가 없습니다.')).toBeVisible()
  await tabTo(page, button('10,000명 등록'))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('관리자 비밀번호')).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(toast(page, '사용자 10,000명을 등록했습니다.')).toBeVisible()
  expect(await count(`affiliation_code = 'BEL001'`)).toBe(COUNT)

  await page.goto('/user/search')
  await page.keyboard.press('Tab')
  await tabTo(page, filters(page).getByLabel('통합검색'))
  await page.keyboard.type('모두함께')
  await page.keyboard.press('Enter')
  await expect(page.getByText('총 10,000명', { exact: true })).toBeVisible()

  // 모두함께99, 990 to 999 and 9900 to 9999.
  await page.goto('/user/search?keyword=모두함께99')
  await expect(page.getByText('총 111명', { exact: true })).toBeVisible()
  await tabTo(page, checkbox('이 페이지 모두 선택'))
  await page.keyboard.press('Space')
  await tabTo(page, button('검색된 111명 모두 선택'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('111명 선택', { exact: true })).toBeVisible()
  await tabTo(page, button('소속 변경'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '소속 변경' })
  await tabTo(page, dialog.getByRole('button', { name: / 소속$/ }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('option', { name: '부산지사', exact: true }), 'ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: /^ALL-BEL002.* 파트너 코드$/ })).toBeVisible()
  await tabTo(page, button('확인하기'))
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('111명의 소속과 파트너 코드를')).toBeVisible()
  // A colleague moves one of them in the meantime: no user is moved, and a message says so.
  await server.pool.query(
    `update users set affiliation_code = 'BEL002', partner_id = (select id from partners where code = 'ALL-BEL002')
      where login_id = 'all.99'`,
  )
  await tabTo(page, button('111명 변경'))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('아무것도 처리하지 않았습니다')
  expect(await count(`affiliation_code = 'BEL002'`)).toBe(1)
  await tabTo(page, button('110명 변경'))
  await page.keyboard.press('Enter')
  await expect(toast(page, '110명의 소속을 변경했습니다.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await count(`affiliation_code = 'BEL002'`)).toBe(111)

  await page.context().close()
  await server.close()
})

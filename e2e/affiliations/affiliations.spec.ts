import type { Locator } from '@playwright/test'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose } from '../users/steps.ts'
import { deleteAddedAffiliations } from './steps.ts'

test.afterEach(({ server }) => deleteAddedAffiliations(server))

test('adds, orders and closes affiliations, and keeps the input on Esc (rules/affiliations#list, rules/frame#unsaved-changes)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  await page.goto('/affiliation/manage')
  const rows = page.getByRole('table', { name: '소속 목록' }).getByRole('rowheader')
  await expect(rows).toHaveCount(8)

  // By keyboard; a name in use is reported at its field, and no input is lost.
  const add = page.getByRole('button', { name: '소속 추가' })
  await add.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '소속 추가' })
  await expect(dialog.getByLabel('한글 이름')).toBeFocused()
  // An empty form closes without a question.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(add).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('한글 이름')).toBeFocused()
  await page.keyboard.type('본사')
  const leaving = page.getByRole('alertdialog', { name: '저장하지 않은 내용' })
  const stay = async (at: Locator) => {
    await expect(leaving.getByRole('button', { name: '아니오' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(leaving).toHaveCount(0)
    await expect(at).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await stay(dialog.getByLabel('한글 이름'))
  for (const name of ['닫기', '취소']) {
    await dialog.getByRole('button', { name }).press('Enter')
    await stay(dialog.getByRole('button', { name }))
  }
  await expect(dialog.getByLabel('한글 이름')).toHaveValue('본사')
  await page.keyboard.press('Escape')
  await answer(page, '저장하지 않은 내용', '네')
  await expect(dialog).toHaveCount(0)
  await expect(add).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('한글 이름').fill('본사')
  await dialog.getByLabel('파트너 코드', { exact: true }).fill('jeju-1')
  await choose(dialog, '시/도', '제주특별자치도')
  await choose(dialog, '시/군/구', '제주시')
  await dialog.getByLabel('한글 이름').focus()
  await page.keyboard.press('Enter')
  await answer(page, '이미 사용 중인 소속 이름입니다.', '확인')
  await expect(dialog.getByLabel('한글 이름')).toHaveAccessibleDescription('이미 사용 중인 소속 이름입니다.')
  await dialog.getByLabel('한글 이름').fill('제주지사')
  await page.keyboard.press('Enter')
  await closeToast(page, '소속을 추가했습니다: 제주지사')
  await expect(rows).toHaveCount(9)
  await expect(page.getByRole('row', { name: /제주지사/ })).toContainText('JEJU-1 제주특별자치도 제주시')

  // Several at once: a wrong line is named, nothing is added before all are right.
  await page.getByRole('button', { name: '여러 개 추가' }).click()
  const many = page.getByRole('dialog', { name: '소속 여러 개 추가' })
  const province = many.getByRole('button', { name: '시/도' })
  const preview = many.getByRole('button', { name: '미리보기' })
  // A place for all is asked for only where a line names none.
  await many.getByLabel('소속').fill('춘천지사,,,강원특별자치도,춘천시')
  await preview.click()
  await expect(many.getByRole('row', { name: /춘천지사/ })).toContainText('춘천시')
  await many.getByRole('button', { name: '다시 입력' }).click()
  await many.getByLabel('소속').fill('울산지사, Ulsan\n\n제주지사')
  await preview.click()
  await expect(province).toBeFocused()
  await expect(province).toHaveAccessibleDescription(/필수 입력 항목입니다/)
  await choose(many, '시/도', '울산광역시')
  await choose(many, '시/군/구', '남구')
  await many.getByRole('button', { name: '미리보기' }).click()
  await expect(many.getByRole('table', { name: '오류' })).toContainText('이미 사용 중인 소속 이름입니다.')
  await expect(many.getByRole('row', { name: /이미 사용 중/ })).toContainText('3')
  await page.keyboard.press('Escape')
  await stay(many.getByRole('button', { name: '다시 입력' }))
  // The other line can be added alone.
  await many.getByRole('button', { name: '오류가 없는 1개만 남기기' }).press('Enter')
  await expect(many.getByText('오류가 있어 추가하지 않는 줄: 3줄 제주지사')).toBeVisible()
  await expect(many.getByRole('button', { name: '1개 추가' })).toBeFocused()
  await expect(many.getByRole('table', { name: '추가할 소속' }).getByRole('row')).toHaveCount(2)
  await many.getByRole('button', { name: '다시 입력' }).click()
  // The preview shows the tree, whatever the order of the lines, and names the columns that it drops.
  await many.getByLabel('소속').fill('소속명\t비고\t상위 소속\n창원지사\t\t울산지사\n울산지사\t새로\t')
  await many.getByRole('button', { name: '미리보기' }).click()
  const added = many.getByRole('table', { name: '추가할 소속' }).getByRole('row')
  await expect(added).toHaveCount(3)
  await expect(added.nth(1)).toHaveText(/^울산지사/)
  await expect(added.nth(2)).toHaveText(/^창원지사울산지사/)
  await expect(many.getByText('알 수 없는 열은 추가하지 않습니다: 비고')).toBeVisible()
  await expectAccessible(page)
  await many.getByRole('button', { name: '2개 추가' }).click()
  await closeToast(page, '소속 2개를 추가했습니다.')
  await expect(rows).toHaveCount(11)

  // The order, by keyboard alone: the button keeps the focus while its row moves.
  await page.getByRole('button', { name: '순서 변경' }).click()
  const up = page.getByRole('button', { name: '울산지사 위로' })
  await up.focus()
  for (let place = 10; place > 8; place -= 1) {
    await page.keyboard.press('Enter')
    await expect(up).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await stay(up)
  // Without the server the arranged order is kept.
  await page.route('**/upd/order', (route) => route.abort())
  const save = page.getByRole('dialog', { name: '순서 변경' }).getByRole('button', { name: '저장' })
  await save.click()
  await answer(page, /서버에 연결할 수 없습니다/, '확인')
  await page.unroute('**/upd/order')
  await save.click()
  await expect(rows.nth(8)).toHaveText('울산지사')
  await expect(rows.nth(9)).toHaveText('창원지사')

  await page.getByRole('button', { name: '창원지사 사용 종료' }).click()
  await answer(page, '사용 종료', '네')
  await expect(page.getByRole('button', { name: '창원지사 다시 사용' })).toBeVisible()

  await server.pool.query(`insert into codes (group_code, code, name_ko, name_en, sort_order)
    values ('COMBEL001', 'BEL990', '새로 연 지사', 'New branch', 990)`)
  // A closed one does not count.
  await server.pool.query(`insert into codes (group_code, code, name_ko, name_en, sort_order, closed_at)
    values ('COMBEL001', 'BEL991', '닫은 지사', 'Closed branch', 991, now())`)
  const lacking = await server.pool.query(
    `select from codes where group_code = 'COMBEL001' and closed_at is null and default_partner_id is null`,
  )
  await page.reload()
  await expect(page.getByText(`기본 파트너 코드가 없는 소속이 ${lacking.rowCount}개 있습니다.`)).toBeVisible()
  // Several at once, from the line that says how many lack a default partner code.
  await page.getByRole('button', { name: '여러 소속 종료' }).click()
  const closing = page.getByRole('dialog', { name: '여러 소속의 사용 종료' })
  await expectAccessible(page)
  // None is preselected, not even one without users, partner codes and keys: it may be a real branch.
  await expect(page.getByText('소속마다 기본 파트너 코드를 정해주세요.')).toBeVisible()
  await expect(closing.getByRole('checkbox', { name: '새로 연 지사' })).not.toBeChecked()
  for (const box of await closing.getByRole('checkbox').all()) await expect(box).not.toBeChecked()
  await expect(closing.getByRole('button', { name: '0개 사용 종료' })).toBeDisabled()
  for (const name of ['울산지사', '제주지사']) await closing.getByRole('checkbox', { name }).press('Space')
  // A colleague renames one in the meantime: an alert says so, and the checkboxes stay checked.
  await server.pool.query(`update codes set name_en = 'Ulsan branch' where name_ko = '울산지사'`)
  await closing.getByRole('button', { name: '2개 사용 종료' }).press('Enter')
  const asked = page.getByRole('alertdialog', { name: '여러 소속의 사용 종료' })
  await expect(asked).toContainText('소속 2개의 사용을 종료하시겠습니까? 사용자 0명은 그대로 남습니다.')
  await expect(asked).toContainText(/울산지사, 제주지사|제주지사, 울산지사/)
  await answer(page, '여러 소속의 사용 종료', '아니오')
  await expect(closing.getByRole('checkbox', { name: '울산지사' })).toBeChecked()
  await closing.getByRole('button', { name: '2개 사용 종료' }).press('Enter')
  await answer(page, '여러 소속의 사용 종료', '네')
  await answer(page, '다른 사용자가', '확인')
  await closing.getByRole('button', { name: '2개 사용 종료' }).click()
  await answer(page, '여러 소속의 사용 종료', '네')
  await closeToast(page, '소속 2개의 사용을 종료했습니다.')
  // The keyboard goes on from the list, also where the line with the button is gone.
  await expect(page.locator('[tabindex="-1"]:focus')).toContainText('선택하는 소속입니다.')
  await expect(page.getByRole('button', { name: '울산지사 다시 사용' })).toBeVisible()
  await expect(page.getByRole('button', { name: '제주지사 다시 사용' })).toBeVisible()
  await expect(page.getByRole('region', { name: '변경 이력' }).getByText('마지막 변경:')).toContainText(
    '소속 사용 종료',
  )
  await expectAccessibleInEveryLook(page)
})

import { answer } from '../fixtures/dialogs.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { startOwnMaru } from '../fixtures/own-maru.ts'
import { signIn } from '../fixtures/page-pool.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose, completeUser, openUser, save, select, userRow } from './steps.ts'

test('defines fields, fills them in the form and shows them in the list (rules/users#custom-fields)', async ({
  pageAt,
  expectAccessibleInEveryLook,
}) => {
  const maru = await startOwnMaru()
  try {
    const admin = await maru.createUser({ role: 'admin' })
    const person = await completeUser(maru, { name: '새항목' })
    const page = await pageAt(maru.url)
    await page.goto('/login')
    await signIn(page, admin)
    await page.goto('/setting/manage')
    const card = page.getByRole('region', { name: '사용자 추가 항목' })
    const add = card.getByRole('button', { name: '항목 추가' })
    const field = (index: number) => card.getByRole('listitem').nth(index)
    await add.click()
    await expect(field(0).getByLabel('항목 이름')).toBeFocused()
    // Nothing is wrong before the user types.
    await expect(field(0).getByText('필수 입력 항목입니다.')).toHaveCount(0)
    await field(0).getByLabel('항목 이름').fill('내선')
    await choose(field(0), '볼 수 있는 사람', '모든 임직원 (임직원 조회)')
    await add.click()
    await field(1).getByLabel('항목 이름').fill('고용 형태')
    await choose(field(1), '종류', '선택')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await expect(field(1).getByLabel('선택할 값')).toBeFocused()
    await field(1).getByLabel('선택할 값').fill('정규직\n계약직\n')
    const positions = page.getByRole('textbox', { name: '직급 목록' })
    await field(1)
      .getByLabel('선택할 값')
      .fill(`정규직\n${'긴'.repeat(51)}`)
    await positions.fill(`사원\n${'긴'.repeat(51)}`)
    await page.getByRole('button', { name: '저장', exact: true }).click()
    for (const lines of [positions, field(1).getByLabel('선택할 값')])
      await expect(lines).toHaveAccessibleDescription(/50자/)
    await field(1).getByLabel('선택할 값').fill('정규직\n계약직\n')
    await positions.fill('사원\n 책임 \n\n수석')
    await page.getByRole('button', { name: '저장', exact: true }).click()
    await expect(page.getByRole('region', { name: /알려드립니다/ })).toContainText('저장')
    await expectAccessibleInEveryLook(page)
    await setLook(page, '한국어')

    await openUser(page, '새항목')
    await page.getByLabel('사번').fill('e-100')
    await page.getByLabel('내선').fill('1234')
    await choose(page, '고용 형태', '계약직')
    // The position comes from the list (rules/settings#positions).
    await choose(page, '직급', '책임')
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page.getByLabel('사번')).toHaveValue('E-100')
    await expect(select(page, '고용 형태')).toContainText('계약직')
    expect(await userRow(maru, person.id)).toMatchObject({
      position: '책임',
      employeeNumber: 'E-100',
      customValues: { custom1: '1234', custom2: '계약직' },
    })

    await page.goto('/user/search?keyword=e-100')
    const table = page.getByRole('table', { name: '사용자 목록' })
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(table).not.toContainText('계약직')
    await page.getByRole('button', { name: '열 선택' }).click()
    await page.getByRole('dialog', { name: '열 선택' }).getByText('고용 형태').click()
    await page.keyboard.press('Escape')
    await expect(table).toContainText('계약직')
  } finally {
    await maru.close()
  }
})

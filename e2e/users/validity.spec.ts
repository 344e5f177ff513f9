import { koreanDay } from '../../dev/test-kit/days.ts'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'
import { completeUser, openUser, save, userRow } from './steps.ts'

test.describe('ending and suspended accounts (rules/users#extension, rules/users#suspension)', () => {
  // The demo's people were made at a fixed moment: one day many of them end at once and fill the first page.
  test.beforeEach(({ server }) =>
    server.pool.query(`update users set valid_to = '2099-12-31' where valid_to < '2099-12-31'`),
  )

  test('are extended after a question and lifted by one click in the list, which is accessible', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('hr')
    const person = await server.createUser({
      name: '곧끝날이',
      validFrom: '2020-01-01',
      validTo: koreanDay(0),
    })
    const suspended = await server.createUser({ name: '멈춘이' })
    await server.pool.query('update users set suspended_at = now() where id = $1', [suspended.id])
    await server.createUser({ name: '끝날이', validTo: koreanDay(3) })
    await page.goto('/user/validity')
    await expect(page.getByText('오늘까지').first()).toBeVisible()
    await page.getByRole('button', { name: /^곧끝날이 1년 연장, .*까지$/ }).click()
    await answer(page, '유효기간 연장', '연장하기')
    await closeToast(page, /곧끝날이 님의 유효기간을 \d{4}-\d\d-\d\d까지 연장했습니다\./)
    await expect(page.getByRole('button', { name: /^곧끝날이 / })).toHaveCount(0)
    expect((await userRow(server, person.id)).validTo?.slice(0, 4)).toBe(
      String(Number(koreanDay(0).slice(0, 4)) + 1),
    )

    await page.getByText('정지된 계정', { exact: true }).click()
    await page.getByRole('button', { name: '멈춘이 정지 해제' }).click()
    await closeToast(page, '멈춘이 님의 정지를 해제했습니다.')
    await expect(page.getByRole('button', { name: '멈춘이 정지 해제' })).toHaveCount(0)
    expect((await userRow(server, suspended.id)).suspendedAt).toBeNull()

    await page.getByText('곧 만료되는 계정', { exact: true }).click()
    await expect(page.getByRole('button', { name: /^끝날이 1년 연장, / })).toBeVisible()
    await expectAccessibleInEveryLook(page)
    await expect(page.getByRole('heading', { name: 'Validity' })).toBeVisible()
  })

  test('extends an account on the admin card by a day and keeps the form’s input', async ({ as, server }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '늘릴이', validTo: koreanDay(20) })
    await openUser(page, '늘릴이')
    await page.getByLabel('직급').fill('차장')
    await page.getByRole('button', { name: /까지 1년 연장$/ }).click()
    const question = page.getByRole('alertdialog', { name: '유효기간 연장' })
    await question.getByRole('textbox', { name: '연장 종료일' }).fill('2001-01-01')
    await answer(page, '유효기간 연장', '연장하기')
    await answer(page, '지금의 종료일보다 늦은 날짜를 입력해주세요.', '확인')
    await question.getByRole('textbox', { name: '연장 종료일' }).fill('2098-05-06')
    await answer(page, '유효기간 연장', '연장하기')
    await closeToast(page, /늘릴이 님의 유효기간을/)
    const { validTo } = await userRow(server, person.id)
    await expect(page.getByRole('textbox', { name: '유효기간 종료일' })).toHaveValue(validTo ?? '')
    await expect(page.getByLabel('직급')).toHaveValue('차장')
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    expect(await userRow(server, person.id)).toMatchObject({ position: '차장', validTo })
  })

  test('are logged out when the tab comes into sight, or within a minute', async ({ as, server }) => {
    for (const wake of ['sight', 'time'] as const) {
      const { page, person } = await as('user')
      await page.clock.install()
      await page.goto('/main')
      await expect(page.getByRole('button', { name: '공지사항', exact: true })).toBeVisible()
      // A pending call would time out a minute later.
      await waitUntilSettled(page)
      await server.pool.query('update users set valid_to = $2 where id = $1', [person.id, koreanDay(-1)])
      if (wake === 'sight') await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      else await page.clock.runFor(61_000)
      await expect(page.getByRole('alertdialog')).toContainText('로그인을 다시 해주세요.')
      await page.getByRole('button', { name: '확인', exact: true }).click()
      await expect(page).toHaveURL('/login')
    }
  })
})

test.describe('two administrators who edit one user (rules/users#concurrent-edits)', () => {
  test('lets the second keep the input, see the stored record and save over it, or take that', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const [{ page: first }, { page: second }] = [await as('admin'), await as('hr')]
    const person = await completeUser(server, { name: '함께고칠이' })
    await openUser(first, '함께고칠이')
    await openUser(second, '함께고칠이')
    await first.getByLabel('직급').fill('부장')
    await save(first)
    await answer(first, '수정이 완료되었습니다.', '확인')

    await second.getByLabel('전화번호').fill('01099998888')
    await save(second)
    await answer(second, '다른 사용자가 먼저 수정했습니다', '계속 편집')
    await expect(second.getByLabel('전화번호')).toHaveValue('01099998888')
    expect(await userRow(server, person.id)).toMatchObject({ position: '부장' })

    await save(second)
    await answer(second, '다른 사용자가 먼저 수정했습니다', '현재 내용 보기')
    const present = second.getByRole('dialog', { name: '현재 저장된 내용' })
    await expect(present.getByRole('row', { name: '직급 대리 부장' })).toBeVisible()
    await expect(present).toContainText('‘현재 내용으로 바꾸기’를 누르면 입력한 내용이 사라집니다.')
    // The next key goes to the dialog, not to the save button behind it.
    expect(await present.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    await expectAccessible(second)
    await present.getByRole('button', { name: '입력한 내용 유지' }).click()
    await expect(second.getByLabel('직급')).toHaveValue('부장')
    await expect(second.getByLabel('전화번호')).toHaveValue('01099998888')
    await save(second)
    await answer(second, '수정이 완료되었습니다.', '확인')
    expect(await userRow(server, person.id)).toMatchObject({ position: '부장', phoneNumber: '01099998888' })

    // Once more, and now the second takes the present record instead.
    await second.getByLabel('직급').fill('내가 쓴 직급')
    await server.pool.query(`update users set position = '남이 쓴 직급' where id = $1`, [person.id])
    await save(second)
    await answer(second, '다른 사용자가 먼저 수정했습니다', '현재 내용 보기')
    await second.getByRole('button', { name: '현재 내용으로 바꾸기' }).click()
    await expect(second.getByLabel('직급')).toHaveValue('남이 쓴 직급')
    await save(second)
    await answer(second, '수정이 완료되었습니다.', '확인')
  })
})

import { answer, closeToast, toast } from '../fixtures/dialogs.ts'
import { mailTo } from '../fixtures/mail.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { choose, openUser, userRow } from './steps.ts'

test.describe('the card of an account (rules/users#account-card)', () => {
  test('suspends it with a reason, lifts that, withdraws, and undoes each from the toast (rules/frame#toasts)', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const person = await server.createUser({ name: '되돌린이' })
    const { page } = await as('hr')
    const state = async () => {
      const { suspendedFor, suspendedReason, withdrawnAt } = await userRow(server, person.id)
      return [suspendedFor, suspendedReason, withdrawnAt !== null]
    }
    const undo = async (message: string) => {
      await expect(toast(page, message)).toBeVisible()
      await page.keyboard.press('F8')
      await toast(page, message).getByRole('button', { name: '되돌리기' }).press('Enter')
      await closeToast(page, '되돌렸습니다.')
    }
    await openUser(page, '되돌린이')
    await page.getByLabel('직급').fill('쓰던 중')
    const dialog = page.getByRole('dialog', { name: '사용 정지' })
    const suspend = async () => {
      await page.getByRole('button', { name: '사용 정지' }).click()
      await choose(dialog, '정지 사유', '기타')
      await dialog.getByLabel('상세 사유').fill('파견 근무')
      await page.keyboard.press('Enter')
    }
    const lift = async () => {
      await page.getByRole('button', { name: '정지 해제' }).click()
      await page.getByRole('dialog', { name: '정지 해제' }).getByRole('button', { name: '해제' }).click()
    }
    await page.getByRole('button', { name: '사용 정지' }).click()
    await choose(dialog, '정지 사유', '기타')
    await dialog.getByRole('button', { name: '정지', exact: true }).click()
    await expect(dialog.getByLabel('상세 사유')).toHaveAccessibleDescription('필수 입력 항목입니다.')
    await expectAccessible(page)
    await dialog.getByLabel('상세 사유').fill('파견 근무')
    await page.keyboard.press('Enter')
    await expect(toast(page, '되돌린이 님의 계정을 정지했습니다.')).toBeVisible()
    await expect(page.getByText(/부터, 기타$/)).toBeVisible()
    await expect(page.getByText('파견 근무')).toBeVisible()
    await expectAccessible(page)
    expect(await state()).toEqual(['OTHER', '파견 근무', false])
    // The unsaved input of the form stays.
    expect((await userRow(server, person.id)).position).toBe('대리')
    await expect(page.getByLabel('직급')).toHaveValue('쓰던 중')
    await closeToast(page, '되돌린이 님의 계정을 정지했습니다.')
    await lift()
    await expect(page.getByText('사용 중', { exact: true })).toBeVisible()
    // The button is gone that had the focus.
    await expect(page.getByRole('region', { name: '계정 관리' })).toBeFocused()
    await closeToast(page, '되돌린이 님의 정지를 해제했습니다.')
    expect(await state()).toEqual([null, null, false])

    await suspend()
    await undo('되돌린이 님의 계정을 정지했습니다.')
    await expect(page.getByText('사용 중', { exact: true })).toBeVisible()
    expect(await state()).toEqual([null, null, false])
    await suspend()
    await closeToast(page, '되돌린이 님의 계정을 정지했습니다.')
    await lift()
    await undo('되돌린이 님의 정지를 해제했습니다.')
    await expect(page.getByText('파견 근무')).toBeVisible()
    expect(await state()).toEqual(['OTHER', '파견 근무', false])

    await page.getByLabel('직급').fill('대리')
    await page.getByRole('button', { name: '탈퇴', exact: true }).click()
    await answer(page, '탈퇴', '네')
    await answer(page, '해당 사용자가 탈퇴되었습니다.', '확인')
    await expect(page).toHaveURL(/user\/search/)
    expect(await state()).toEqual(['OTHER', '파견 근무', true])
    await undo('되돌린이 님을 탈퇴 처리했습니다.')
    expect(await state()).toEqual(['OTHER', '파견 근무', false])
  })

  test('invites somebody without a password, who makes it by the mailed code and logs in', async ({
    as,
    server,
    page: visitor,
    expectAccessible,
  }) => {
    const { page } = await as('hr')
    const person = await server.createUser({ name: '초대받을이', approved: false })
    await server.db
      .insertInto('accountLinks')
      .values({
        tokenHash: Buffer.alloc(32),
        userId: person.id,
        kind: 'INVITATION',
        expiresAt: new Date(),
      })
      .execute()
    await openUser(page, '초대받을이')
    await expect(page.getByText(/^초대 대기/)).toBeVisible()
    await page.getByRole('button', { name: '초대 재발송' }).click()
    await expect(page.getByRole('dialog').getByLabel('사유')).toBeFocused()
    await page.keyboard.type('메일을 지웠다고 함')
    await page.keyboard.press('Enter')
    await closeToast(page, '초대 메일을 보내지 않고 서버의 파일로 저장했습니다.')
    await page.goto('/user/search?name=초대받을이')
    await page.getByRole('checkbox', { name: '초대받을이 선택' }).check()
    await page.getByRole('button', { name: '초대 재발송' }).click()
    const again = page.getByRole('dialog', { name: '초대 재발송' })
    await again.getByRole('button', { name: '확인하기' }).click()
    await again.getByRole('button', { name: '1명', exact: false }).click()
    await closeToast(
      page,
      '초대 메일을 보내지 않고 서버의 파일로 저장했습니다. 서버 담당자에게 요청해주세요.',
    )
    const { code } = await mailTo(server, person.email, 2)

    await visitor.goto('/invitation')
    await visitor.getByLabel('메일의 코드').fill('x'.repeat(43))
    await visitor.keyboard.press('Enter')
    await expect(visitor.getByText('링크가 올바르지 않거나')).toBeVisible()
    // The mail of an invalid link has no code.
    await visitor.goto(`/invitation#${'y'.repeat(43)}`)
    await expect(visitor.getByLabel('메일의 코드')).toBeHidden()
    await expect(visitor.getByText('링크가 올바르지 않거나')).toBeVisible()
    await visitor.goto(`/invitation#${code}`)
    await expect(visitor.getByText(`${person.userId} 계정의 비밀번호를 만들어주세요.`)).toBeVisible()
    await expectAccessible(visitor)
    await visitor.getByLabel('비밀번호', { exact: true }).fill(`${person.userId}-2026!`)
    await expect(visitor.getByRole('listitem').filter({ hasText: '포함하지 않음' })).toContainText('(미충족)')
    await visitor.getByLabel('비밀번호', { exact: true }).fill('Green-hill-2026')
    await visitor.getByLabel('비밀번호 확인').fill('Green-hill-2026')
    await visitor.keyboard.press('Enter')
    await closeToast(visitor, '비밀번호를 만들었습니다. 로그인해주세요.')
    await expect(visitor).toHaveURL('/login')

    await page.reload()
    await openUser(page, '초대받을이')
    await expect(page.getByText(/^초대 대기/)).toHaveCount(0)
    // Made by mistake and never approved: gone for good.
    await page.getByRole('button', { name: '계정 삭제' }).click()
    await page
      .getByRole('dialog', { name: '계정 삭제' })
      .getByRole('button', { name: '삭제', exact: true })
      .click()
    await closeToast(page, `${person.userId} 계정을 삭제했습니다.`)
    await expect(page).toHaveURL(/\/user\/search/)
  })

  test('corrects an e-mail, which its owner confirms by the mailed code', async ({
    as,
    server,
    page: visitor,
  }) => {
    const { page } = await as('admin')
    const person = await server.createUser({ name: '오타난이' })
    await openUser(page, '오타난이')
    await page.getByRole('button', { name: '이메일 정정' }).click()
    const dialog = page.getByRole('dialog', { name: '이메일 정정' })
    await dialog.getByLabel('새 이메일').fill(`right.${person.email}`)
    await page.keyboard.press('Enter')
    await closeToast(page, '메일을 보내지 않고 서버의 파일로 저장했습니다.')
    await expect(page.getByText(`이메일 확인 대기: right.${person.email}`)).toBeVisible()
    const { code } = await mailTo(server, `right.${person.email}`)
    await visitor.goto(`/email#${code}`)
    await visitor.getByRole('button', { name: '이메일 확인' }).click()
    await closeToast(visitor, '이메일이 변경되었습니다.')
    expect(await userRow(server, person.id)).toMatchObject({ email: `right.${person.email}` })
  })
})

test('changes the own email on /mypage by a code sent to the new one (rules/account#own-e-mail)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('user')
  await page.goto('/mypage')
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByLabel('직급').fill('쓰던 중')
  const card = page.getByRole('region', { name: '이메일 변경' })
  await card.getByLabel('새 이메일').fill(`new.${person.email}`)
  await page.keyboard.press('Enter')
  await expect(card.getByLabel('인증번호')).toBeFocused()
  await expectAccessible(page)
  await card.getByLabel('인증번호').fill((await mailTo(server, `new.${person.email}`)).code.trim())
  await page.keyboard.press('Enter')
  await closeToast(page, '이메일이 변경되었습니다. 메일 서버가 설정되지 않아')
  await expect(page.getByText(`현재 이메일은 new.${person.email}입니다.`)).toBeVisible()
  // The form follows, what was being typed stays, and a save meets no refusal.
  await expect(page.getByLabel('이메일', { exact: true })).toHaveValue(`new.${person.email}`)
  await expect(page.getByLabel('직급')).toHaveValue('쓰던 중')
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await answer(page, '사용자 수정', '네')
  await answer(page, '수정이 완료되었습니다.', '확인')
})

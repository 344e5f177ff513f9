import { ROLE } from '../../contract/permissions.ts'
import { APPROVAL } from '../../contract/users.ts'
import { answer } from '../fixtures/dialogs.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose, completeUser, openUser, save, select, userRow } from './steps.ts'

test.describe('editing a user (rules/users#basic-card, rules/users#admin-card)', () => {
  test('shows both cards with the saved values, asks 네/아니오 and saves every field', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '두카드', affiliation: 'BEL002' })
    const partner = await server.createPartner({ code: 'SAVE-ALL-1', affiliation: 'BEL004' })
    await openUser(page, '두카드')
    const basic = page.getByRole('region', { name: '기본 정보' })
    await expect(basic.getByLabel('아이디')).toHaveValue(person.userId)
    await expect(select(basic, '소속')).toContainText('부산지사')
    await expect(basic.getByLabel('직급')).toHaveValue('대리')
    await expect(basic.getByLabel('이메일')).toHaveValue(person.email)
    await expect(basic.getByLabel('이메일')).not.toBeEditable()
    const admin = page.getByRole('region', { name: '관리자 입력' })
    await expect(admin.getByLabel('유효기간 시작일', { exact: true })).toHaveValue('2026-01-01')
    await expect(admin.getByLabel('유효기간 종료일', { exact: true })).toHaveValue('2087-12-31')
    await expect(select(admin, '파트너 코드')).toContainText(person.partnerCode)
    await expect(select(admin, '권한')).toContainText('일반 사용자')
    await expect(admin.getByRole('group', { name: '승인 여부' })).toContainText('승인')
    await expect(page.getByRole('button', { name: '비밀번호 변경' })).toHaveCount(0)

    await choose(page, '소속', '광주지사')
    await page.getByLabel('직급').fill('과장')
    await page.getByLabel('이름', { exact: true }).fill('저장후')
    await page.getByLabel('전화번호').fill('01055554444')
    await page.getByLabel('유효기간 시작일', { exact: true }).fill('2026-02-01')
    await page.getByLabel('유효기간 종료일', { exact: true }).fill('2088-02-29')
    await choose(page, '파트너 코드', partner)
    await choose(page, '권한', '인사 관리자')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('수정한 내용을 저장하시겠습니까?')
    await answer(page, '사용자 수정', '아니오')
    expect((await userRow(server, person.id)).name).toBe('두카드')
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page).toHaveURL('/user/detail')
    await expect(page.getByLabel('이름', { exact: true })).toHaveValue('저장후')
    expect(await userRow(server, person.id)).toMatchObject({
      affiliationCode: 'BEL004',
      position: '과장',
      name: '저장후',
      phoneNumber: '01055554444',
      validFrom: '2026-02-01',
      validTo: '2088-02-29',
      roleCode: ROLE.hr,
      approvalCode: APPROVAL.approved,
    })
    await expectAccessibleInEveryLook(page)
  })

  test('keeps a role that HR could not grant (rules/roles#giving)', async ({ as, server }) => {
    const { page } = await as('hr')
    await server.pool.query(`insert into roles (code, group_name, name_en, sort_order)
      values ('AUT970', '서비스 토큰 담당', 'Keeper of tokens', 9)`)
    await server.pool.query(`insert into role_functions values ('AUT970', 'autho_service_manage')`)
    const keeper = await completeUser(server, { name: '토큰담당' })
    await server.pool.query(`update users set role_code = 'AUT970' where id = $1`, [keeper.id])
    await openUser(page, '토큰담당')
    const admin = page.getByRole('region', { name: '관리자 입력' })
    await expect(select(admin, '권한')).toContainText('서비스 토큰 담당')
    await page.getByLabel('직급').fill('차장')
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    expect(await userRow(server, keeper.id)).toMatchObject({ position: '차장', roleCode: 'AUT970' })
  })

  test('toggles the approval, which is sent with the save (rules/users#approval-toggle)', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page } = await as('hr')
    const person = await completeUser(server, { name: '승인받을이', asked: true })
    await openUser(page, '승인받을이')
    const approval = page.getByRole('group', { name: '승인 여부' })
    await expect(approval.getByRole('status')).toHaveText('미승인')
    const request = page.getByRole('table', { name: '승인 이력' }).getByRole('row').nth(1)
    await expect(request).toContainText('대기')
    await expectAccessible(page)
    await expect(page.getByRole('button', { name: '탈퇴' })).toHaveCount(0)
    await approval.getByRole('button', { name: '승인 변경' }).click()
    await expect(approval.getByRole('status')).toHaveText('승인')
    await expect(approval).toContainText('저장하면 반영됩니다.')
    expect((await userRow(server, person.id)).approvalCode).toBe(APPROVAL.notApproved)
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    // Withdraw is for approved users (rules/users#withdrawal).
    await expect(page.getByRole('button', { name: '탈퇴' })).toBeVisible()
    await expect(request).toContainText('승인')
    expect((await userRow(server, person.id)).approvalCode).toBe(APPROVAL.approved)
  })

  test('points out every missing required field and takes 11 digits as phone number (rules/users#personal-fields)', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '비울이', approved: false })
    await openUser(page, '비울이')
    for (const label of ['아이디', '직급', '이름', '전화번호'])
      await page.getByLabel(label, { exact: true }).fill('')
    await page.getByRole('button', { name: '저장' }).click()
    for (const label of ['아이디', '직급', '이름', '전화번호', '유효기간 시작일', '유효기간 종료일'])
      await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(
        '필수 입력 항목입니다.',
      )
    await expect(select(page, '파트너 코드')).toHaveAccessibleDescription(/필수 입력 항목입니다\./)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    const phone = page.getByLabel('전화번호')
    await phone.fill('010123456789')
    await expect(phone).toHaveAccessibleDescription('전화번호는 11자리의 숫자만 적어주세요.')
    await expect(phone).toHaveValue('010123456789')
    await phone.fill('01012345678')
    await expect(phone).not.toHaveAttribute('aria-invalid')
  })

  test('takes the original ID as checked, any other as unchecked, and keeps the input if it is taken meanwhile (rules/account#id-check, rules/frame#refusal)', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    const taken = await server.createUser()
    const person = await completeUser(server, { name: '아이디확인' })
    await openUser(page, '아이디확인')
    const id = page.getByLabel('아이디', { exact: true })
    const check = page.getByRole('button', { name: '중복확인' })
    await expect(check).toBeDisabled()

    await id.fill(`${person.userId}x`)
    await expect(check).toBeEnabled()
    await id.press('Enter')
    await expect(id).toHaveAccessibleDescription('아이디 중복확인을 해주세요.')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)

    await id.fill(person.userId)
    await expect(check).toBeDisabled()
    await expect(id).not.toHaveAttribute('aria-invalid')

    await id.fill('X!')
    await check.click()
    await expect(id).toHaveAccessibleDescription(
      '아이디는 영문 소문자, 숫자, . _ - 로 4~20자를 입력해주세요.',
    )
    await id.fill(taken.userId)
    await check.click()
    await answer(page, '이미 사용 중인 아이디입니다.', '확인')
    await expect(id).toHaveAccessibleDescription('이미 사용 중인 아이디입니다.')
    await expect(id).toBeFocused()

    await id.fill(`${person.userId}.new`)
    await check.click()
    await expect(id).toHaveAccessibleDescription('사용할 수 있는 아이디입니다.')
    // The check button then reads 'confirm' and is out of use.
    await expect(page.getByRole('button', { name: '확인', exact: true })).toBeDisabled()
    await page.getByLabel('직급').fill('차장')
    await server.createUser({ loginId: `${person.userId}.new` })
    await save(page)
    await answer(page, '이미 사용 중인 아이디입니다.', '확인')
    await expect(id).toHaveAccessibleDescription('이미 사용 중인 아이디입니다.')
    await expect(id).toHaveValue(`${person.userId}.new`)
    await expect(page.getByLabel('직급')).toHaveValue('차장')
    expect((await userRow(server, person.id)).position).toBe('대리')

    await id.fill(`${person.userId}.2`)
    await check.click()
    await expect(id).toHaveAccessibleDescription('사용할 수 있는 아이디입니다.')
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page).toHaveURL('/user/detail')
    await expect(id).toHaveValue(`${person.userId}.2`)
    expect(await userRow(server, person.id)).toMatchObject({
      loginId: `${person.userId}.2`,
      position: '차장',
    })
  })

  test('clears the partner code with another affiliation and offers codes of the new, by keyboard (rules/users#affiliation-change)', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '소속을바꿀이' })
    const other = await server.createPartner({ affiliation: 'BEL008' })
    await openUser(page, '소속을바꿀이')
    await expect(select(page, '파트너 코드')).toContainText(person.partnerCode)
    await tabTo(page, select(page, '소속'))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('option', { name: '본사' })).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('option', { name: '협력사' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(select(page, '소속')).toContainText('협력사')
    await expect(select(page, '소속')).toBeFocused()
    await expect(select(page, '파트너 코드')).toContainText('선택해주세요.')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(select(page, '파트너 코드')).toHaveAccessibleDescription(/필수 입력 항목입니다\./)
    await select(page, '소속').focus()
    await tabTo(page, select(page, '파트너 코드'))
    await page.keyboard.press('Space')
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeFocused()
    await expect(page.getByRole('option', { name: other })).toBeVisible()
    await expect(page.getByRole('option', { name: person.partnerCode })).toHaveCount(0)
  })
})

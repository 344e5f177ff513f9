import { holderOf, partnerWith } from '../../dev/test-kit/keys.ts'
import { answer, closeToast, toast } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { choose, select } from '../users/steps.ts'
import { check, code, partnerRow } from './steps.ts'

test('checks for duplicates and opens the detail page without a question (rules/partners#register-partner, rules/partners#code-check)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('admin')
  const taken = await server.createPartner({ code: 'TAKEN-1' })
  await page.goto('/partner/insert')
  await expect(page).toHaveTitle('파트너 코드 등록 | 마루')
  await expect(page.getByRole('main').getByRole('link', { name: '파트너 코드 일괄 등록' })).toHaveAttribute(
    'href',
    '/partner/import',
  )

  // There is a way back, which asks about what was typed.
  await code(page).fill('HALF-TYPED')
  await page.getByRole('button', { name: '목록', exact: true }).click()
  await answer(page, '저장하지 않은 내용', '아니오')
  await expect(code(page)).toHaveValue('HALF-TYPED')
  await code(page).fill('')
  await page.getByRole('button', { name: '목록', exact: true }).click()
  await expect(page).toHaveURL('/partner/search')
  await page.goto('/partner/insert')

  // An empty code sends no check.
  await check(page).click()
  await expect(code(page)).toHaveAccessibleDescription('필수 입력 항목입니다.')
  await code(page).fill(taken)
  await expect(code(page)).toHaveAccessibleDescription('파트너 코드 중복을 확인해주세요.')
  await check(page).click()
  await expect(page.getByRole('alertdialog')).toContainText('중복된 파트너 코드입니다.')
  await answer(page, '파트너 코드 중복', '확인')
  await expect(code(page)).toHaveAccessibleDescription('이미 사용 중인 파트너 코드입니다.')
  await expect(code(page)).toBeFocused()

  await page.getByRole('button', { name: '등록', exact: true }).click()
  for (const label of ['파트너 유형', '시/도', '시/군/구', '소속'])
    await expect(select(page, label)).toHaveAccessibleDescription(/필수 입력 항목입니다\./)
  await choose(page, '파트너 유형', '패밀리')
  await choose(page, '시/도', '부산광역시')
  await choose(page, '시/군/구', '해운대구')
  // Another province clears the district.
  await choose(page, '시/도', '대전광역시')
  await expect(select(page, '시/군/구')).toContainText('선택해주세요.')
  await choose(page, '시/군/구', '유성구')
  await choose(page, '소속', '대전지사')
  await page.getByLabel('일 최대 발급 수').fill('-1')
  await expect(page.getByLabel('일 최대 발급 수')).toHaveAccessibleDescription(/0부터 1,000,000,000까지/)
  await page.getByLabel('일 최대 발급 수').fill('1,000')
  await page.getByLabel('유효기간 시작일', { exact: true }).fill('2026-05-01')
  await page.getByLabel('유효기간 종료일', { exact: true }).fill('2026-04-30')
  await page.getByLabel('유효기간 종료일', { exact: true }).blur()
  await expect(page.getByLabel('유효기간 종료일', { exact: true })).toHaveAccessibleDescription(
    '종료일은 시작일보다 빠를 수 없습니다.',
  )
  await page.getByLabel('유효기간 종료일', { exact: true }).fill('2087-04-30')

  // Without a check, the registration stops at the field, and no dialog or write follows.
  await code(page).fill('daejeon-new')
  await page.getByRole('button', { name: '등록', exact: true }).click()
  await expect(code(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await check(page).click()
  await expect(code(page)).toHaveAccessibleDescription('사용할 수 있는 파트너 코드입니다.')
  await expectAccessible(page)
  // Any edit makes the check void.
  await code(page).press('End')
  await page.keyboard.type('1')
  await expect(check(page)).toBeEnabled()
  await check(page).click()
  await expect(page.getByRole('button', { name: '확인', exact: true })).toBeDisabled()

  await page.getByRole('button', { name: '등록', exact: true }).click()
  // Without a question (rules/partners#register-partner).
  await answer(page, '등록이 완료되었습니다.', '확인')
  await expect(page).toHaveURL('/partner/detail?partnerCode=DAEJEON-NEW1')
  await expect(code(page)).toHaveValue('DAEJEON-NEW1')
  expect(await partnerRow(server, 'DAEJEON-NEW1')).toMatchObject({
    type: 'fa',
    affiliationCode: 'BEL003',
    provinceCode: '30',
    districtName: '유성구',
    x: 127.3333,
    limitDay: 1000,
    limitWeek: null,
    validFrom: '2026-05-01',
    validTo: '2087-04-30',
  })
})

test('keeps the input if the code is taken between check and registration', async ({ as, server }) => {
  const { page } = await as('admin')
  await page.goto('/partner/insert')
  await code(page).fill('RACE-1')
  await choose(page, '파트너 유형', '파트너')
  await choose(page, '시/도', '세종특별자치시')
  await choose(page, '시/군/구', '세종특별자치시')
  await choose(page, '소속', '본사')
  await check(page).click()
  await expect(code(page)).toHaveAccessibleDescription('사용할 수 있는 파트너 코드입니다.')
  await server.createPartner({ code: 'RACE-1' })
  await page.getByRole('button', { name: '등록', exact: true }).click()
  await answer(page, '파트너 코드 중복', '확인')
  await expect(code(page)).toHaveAccessibleDescription('이미 사용 중인 파트너 코드입니다.')
  await expect(select(page, '시/도')).toContainText('세종특별자치시')

  // An affiliation that is taken off the list meanwhile: the registration fails, with its dialog.
  await code(page).fill('RACE-2')
  await check(page).click()
  await expect(code(page)).toHaveAccessibleDescription('사용할 수 있는 파트너 코드입니다.')
  const codes = () => server.db.updateTable('codes').where('groupCode', '=', 'COMBEL001')
  await codes().set({ code: 'BELGONE' }).where('code', '=', 'BEL001').execute()
  await page.getByRole('button', { name: '등록', exact: true }).click()
  const failed = page.getByRole('alertdialog', { name: '파트너 코드 등록' })
  await expect(failed).toContainText('파트너 코드 등록에 실패했습니다.')
  await codes().set({ code: 'BEL001' }).where('code', '=', 'BELGONE').execute()
  await failed.getByRole('button', { name: '확인' }).click()
  expect(await partnerRow(server, 'RACE-2')).toBeUndefined()
  await expect(code(page)).toHaveValue('RACE-2')
})

test('shows read-only fields, keeps an old region, handles conflicts and deletes (rules/partners#edit-partner)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  const partner = await server.createPartner({ code: 'EDIT-1', affiliation: 'BEL002' })
  const change = (values: object) =>
    server.db.updateTable('partners').set(values).where('code', '=', partner).execute()
  await change({ provinceCode: '29', provinceName: '광주광역시', districtName: '동구', limitDay: 5 })
  const save = async () => {
    await page.getByRole('button', { name: '수정', exact: true }).click()
    await answer(page, '파트너 코드 정보 수정', '네')
  }
  await page.goto(`/partner/detail?partnerCode=${partner}`)
  for (const label of ['파트너 코드', '파트너 유형', '소속'])
    await expect(page.getByLabel(label, { exact: true })).not.toBeEditable()
  await expect(page.getByLabel('소속', { exact: true })).toHaveValue('부산지사')
  await expect(select(page, '시/도')).toContainText('광주광역시')
  await expect(select(page, '시/군/구')).toContainText('동구')

  // The region that no longer exists stays as it was written (rules/partners#stored-region).
  await page.getByLabel('일 최대 발급 수').fill('')
  await page.getByRole('button', { name: '수정', exact: true }).click()
  await answer(page, '파트너 코드 정보 수정', '아니오')
  expect((await partnerRow(server, partner))?.limitDay).toBe(5)
  await save()
  await answer(page, '수정이 완료되었습니다.', '확인')
  await expect(page).toHaveURL(`/partner/detail?partnerCode=${partner}`)
  expect(await partnerRow(server, partner)).toMatchObject({ limitDay: null, provinceName: '광주광역시' })
  await expect(page.getByText('0개 (제한 없음)')).toHaveCount(4)
  // The focus comes back from the alert, and its button into sight.
  await expect(page.getByRole('button', { name: '수정', exact: true })).toBeFocused()
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')

  // Two edits at once: the second is refused, shows the changes of the first, and keeps its input.
  await page.getByLabel('주 최대 발급 수').fill('70')
  await change({ limitWeek: 7, limitMonth: 30 })
  await save()
  const failed = page.getByRole('alertdialog', { name: '파트너 코드 수정' })
  await expect(failed).toContainText('파트너 코드 수정에 실패했습니다.')
  await failed.getByRole('button', { name: '확인' }).click()
  const theirs = page.getByRole('region', { name: '다른 사용자가 저장한 내용' })
  await expect(theirs).toContainText('7')
  await expect(theirs).toBeFocused()
  await expect(theirs).toBeInViewport({ ratio: 1 })
  // Only one of the two fields that the other user saved was changed here, too.
  await expect(theirs.getByRole('term')).toHaveText(['주 최대 발급 수'])
  await expect(page.getByLabel('주 최대 발급 수')).toHaveValue('70')
  await expect(page.getByLabel('월 최대 발급 수')).toHaveValue('30')
  await page.getByRole('button', { name: '수정', exact: true }).press('Enter')
  const question = page.getByRole('alertdialog', { name: '파트너 코드 정보 수정' })
  await expect(question).toContainText('덮어쓰시겠습니까?')
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  expect(await partnerRow(server, partner)).toMatchObject({ limitWeek: 7, limitMonth: 30 })
  await save()
  await answer(page, '수정이 완료되었습니다.', '확인')
  expect(await partnerRow(server, partner)).toMatchObject({ limitWeek: 70, limitMonth: 30 })
  await expect(theirs).toHaveCount(0)

  // The other way round: the other user's value is taken, and what is typed in other fields stays.
  await page.getByLabel('주 최대 발급 수').fill('71')
  await page.getByLabel('월 최대 발급 수').fill('31')
  await change({ limitWeek: 8 })
  await save()
  await failed.getByRole('button', { name: '확인' }).click()
  await theirs.getByRole('button', { name: '이 내용으로 바꾸기' }).press('Enter')
  await expect(page.getByLabel('주 최대 발급 수')).toBeFocused()
  await save()
  await answer(page, '수정이 완료되었습니다.', '확인')
  expect(await partnerRow(server, partner)).toMatchObject({ limitWeek: 8, limitMonth: 31 })

  // Delete is silent on failure: no dialog, the reason in place with a retry (rules/partners#delete-partner).
  const user = await server.createUser({ affiliation: 'BEL002' })
  const belongTo = (id: string | null) =>
    server.db.updateTable('users').set({ partnerId: id }).where('id', '=', user.id).execute()
  await page.getByRole('button', { name: '삭제', exact: true }).click()
  await answer(page, '파트너 코드 정보 삭제', '아니오')
  await page.getByRole('button', { name: '삭제', exact: true }).click()
  await expect(page.getByRole('alertdialog', { name: '파트너 코드 정보 삭제' })).toBeVisible()
  // The user arrives behind the open question, so the page does not show it.
  await belongTo((await partnerRow(server, partner))?.id ?? null)
  await answer(page, '파트너 코드 정보 삭제', '네')
  const refused = page.getByRole('alert').filter({ hasText: '삭제할 수 없습니다.' })
  await expect(refused).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  expect(await partnerRow(server, partner)).toBeDefined()
  // Known to be in use, it is refused before the question.
  await page.reload()
  await expect(page.getByRole('link', { name: '1명' })).toBeVisible()
  await page.getByRole('button', { name: '삭제', exact: true }).click()
  await expect(refused).toContainText('사용자 1명')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await belongTo(null)
  await refused.getByRole('button', { name: '다시 시도' }).click()
  await answer(page, '파트너 코드 정보 삭제', '네')
  await expect(page).toHaveURL('/partner/search')
  expect(await partnerRow(server, partner)).toBeUndefined()
})

test('warns of a limit below the issued keys while typing and allows saving it (design/partners-and-programs#regions-of-a-partner)', async ({
  as,
  server,
}) => {
  const maker = { ...server, database: server }
  const partner = await partnerWith(maker, { limits: { day: 5 } })
  const holder = await holderOf(maker, partner)
  await server.pool.query(
    `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name, issued_at)
     select $1, 'device ' || n, $2, 'BEL001', '서울특별시', '종로구', now() from generate_series(1, 3) n`,
    [holder.id, partner.id],
  )
  const { page } = await as('admin')
  await page.goto(`/partner/detail?partnerCode=${partner.code}`)
  const [day, total] = [page.getByLabel('일 최대 발급 수'), page.getByLabel('총 최대 발급 수')]
  await expect(page.getByText('5개 중 3개')).toBeVisible()
  await expect(day).toHaveAccessibleDescription('')
  await day.fill('2')
  await expect(day).toHaveAccessibleDescription('오늘 3개를 발급했습니다. 저장하면 더 발급할 수 없습니다.')
  await day.fill('3')
  await expect(day).toHaveAccessibleDescription('')
  await total.fill('0')
  await expect(total).toHaveAccessibleDescription('이미 3개를 발급했습니다. 저장하면 더 발급할 수 없습니다.')
  await page.getByRole('button', { name: '수정', exact: true }).click()
  await answer(page, '파트너 코드 정보 수정', '네')
  await answer(page, '수정이 완료되었습니다.', '확인')
  expect(await partnerRow(server, partner.code)).toMatchObject({ limitDay: 3, limitTotal: 0 })
})

test('names and deactivates a partner with a reason, and links to its users and keys (rules/partners#partner-status, rules/partners#stop-partner)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const partner = await partnerWith({ ...server, database: server })
  await holderOf({ ...server, database: server }, partner, { role: 'user', name: '정지훈' })
  const { page } = await as('admin')
  await page.goto(`/partner/detail?partnerCode=${partner.code}`)
  const status = page.getByRole('region', { name: '현황', exact: true })
  await expect(status.getByText('유효')).toBeVisible()

  // Contradicting limits are reported while typing.
  await page.getByLabel('월 최대 발급 수').fill('30')
  await page.getByLabel('일 최대 발급 수').fill('40')
  await expect(page.getByLabel('일 최대 발급 수')).toHaveAccessibleDescription(
    '월 최대 발급 수(30개)보다 많이 발급할 수 없습니다.',
  )
  await page.getByLabel('파트너 이름').fill('한빛소프트')
  await page.getByLabel('담당자 연락처').fill('김하늘 02-123-4567')
  await page.getByLabel('메모').fill('첫째 줄')

  await status.getByRole('button', { name: '발급 중지' }).click()
  const dialog = page.getByRole('dialog', { name: '발급 중지' })
  await dialog.getByLabel('사유').fill('계약 종료')
  await dialog.getByLabel('사유').press('Enter')
  // The toast undoes it (rules/frame#toasts).
  await toast(page, '키 발급을 중지했습니다.').getByRole('button', { name: '되돌리기' }).click()
  await closeToast(page, '되돌렸습니다.')
  await expect(status).not.toContainText('계약 종료')
  expect(await partnerRow(server, partner.code)).toMatchObject({ stoppedAt: null })
  await status.getByRole('button', { name: '발급 중지' }).click()
  await dialog.getByLabel('사유').fill('계약 종료')
  await dialog.getByLabel('사유').press('Enter')
  await closeToast(page, '키 발급을 중지했습니다.')
  await expect(status).toContainText(/중지\d{4}-/)
  // The input typed in the meantime is still there, and saved without a conflict.
  await page.getByRole('button', { name: '수정', exact: true }).click()
  await answer(page, '파트너 코드 정보 수정', '네')
  await answer(page, '수정이 완료되었습니다.', '확인')
  expect(await partnerRow(server, partner.code)).toMatchObject({
    name: '한빛소프트',
    contact: '김하늘 02-123-4567',
    memo: '첫째 줄',
    stoppedAt: expect.any(Date),
  })
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')

  await status.getByRole('link', { name: '1명' }).click()
  await expect(page.getByRole('table').getByText('정지훈')).toBeVisible()
  await expect(page).toHaveURL(`/user/search?partnerCode=${partner.code}`)
  await page.goBack()
  await status.getByRole('link', { name: '0개' }).click()
  await expect(page).toHaveURL(`/key/search?partnerCode=${partner.code}`)
  await expect(page.getByText('검색된 키 발급 이력이 없습니다.')).toBeVisible()
  await page.goto(`/partner/search?partnerCode=${partner.code}`)
  await expect(page.getByRole('rowheader')).toHaveText(`${partner.code} 중지`)
})

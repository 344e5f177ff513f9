import type { Page } from '@playwright/test'
import { ROLE } from '../../contract/permissions.ts'
import { APPROVAL } from '../../contract/users.ts'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { mailTo, outboxOf } from '../fixtures/mail.ts'
import { certify, checkId, fillSignUp, sendCode, somebodyNew } from '../fixtures/self-service.ts'
import { expect, waitUntilSettled, test, type WorkerMaru } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { choose, userRow } from '../users/steps.ts'

/* Requests for approval as people decide them every morning (design/accounts#approval-requests). */

const table = (page: Page) => page.getByRole('table', { name: '승인 대기 목록' })
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `${name} 선택`, exact: true })
const action = (page: Page, name: '승인' | '거절') =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':not([role=dialog] *)'))
const dialog = (page: Page, name: '승인 요청 승인' | '승인 요청 거절') => page.getByRole('dialog', { name })
const history = (page: Page) => page.getByRole('table', { name: '승인 이력' })

function applicant(server: WorkerMaru, name: string, more: Parameters<WorkerMaru['createUser']>[0] = {}) {
  return server.createUser({ name, asked: true, ...more })
}

/** Finds the account, if it still exists. */
const accountOf = (server: WorkerMaru, loginId: string) =>
  server.db.selectFrom('users').select('id').where('loginId', '=', loginId).executeTakeFirst()

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('approvalRequests').where('state', '=', 'waiting').execute()
})

test('leads from home’s count through rejection and a new request to approval (rules/home#waiting-count)', async ({
  as,
  server,
  page: visitor,
}) => {
  const person = somebodyNew()
  await visitor.goto('/signup')
  await fillSignUp(visitor, person)
  await checkId(visitor)
  await certify(visitor)
  await sendCode(visitor, (await mailTo(server, person.email)).code)
  await answer(visitor, '승인 요청이 완료되었습니다. 관리자의 승인 후 로그인해주세요.', '확인')

  const { page, person: hr } = await as('hr', { name: '윤서연' })
  await page.goto('/main')
  await page.getByRole('link', { name: '승인 대기 1건' }).click()
  await expect(page).toHaveURL('/user/approval')
  await expect(page.getByRole('heading', { name: '승인 대기' })).toBeFocused()
  await expect(row(page, '김새봄')).toContainText(person.userId)
  await expect(action(page, '거절')).toBeDisabled()
  // The buttons follow the ticked rows.
  await tick(page, '김새봄').press('Space')
  await expect(action(page, '거절')).toBeEnabled()
  await tabTo(page, action(page, '거절'))
  await page.keyboard.press('Enter')
  const refusing = dialog(page, '승인 요청 거절')
  await expect(refusing).toContainText(`김새봄 (${person.userId})`)
  // Not without a reason: the applicant reads it.
  await refusing.getByLabel('거절 사유').fill('  ')
  await refusing.getByRole('button', { name: '거절' }).click()
  await expect(refusing.getByLabel('거절 사유')).toHaveAccessibleDescription('필수 입력 항목입니다.')
  await refusing.getByLabel('거절 사유').fill('직급을 다시 확인해주세요.')
  await refusing.getByRole('button', { name: '거절' }).click()
  await closeToast(page, '1건을 거절했습니다. 메일 서버가 설정되지 않아')
  await expect(page.getByText('승인을 기다리는 요청이 없습니다.')).toBeVisible()
  const refused = await mailTo(server, person.email, 2)
  expect(refused.subject).toContain('승인 요청이 거절되었습니다')
  expect(refused.text).toContain('직급을 다시 확인해주세요.')
  expect(await accountOf(server, person.userId)).toBeUndefined()
  await page.goto('/main')
  await expect(page.getByRole('link', { name: '승인 대기 0건' })).toBeVisible()

  const { userId: loginId, email } = person
  await applicant(server, '김새봄', { loginId, email, affiliation: 'BEL002' })
  await applicant(server, '관리자 유')
  await page.goto('/user/approval')
  await expect(row(page, '관리자 유')).toContainText('관리자로 보이는 이름')
  await expect(row(page, '김새봄')).toContainText('이전 거절 1회')
  // The row opens the user, whose record says what became of the first request; 'back' leads here again.
  await page.getByRole('link', { name: '김새봄 이전 거절 1회 상세 보기' }).click()
  await expect(history(page).getByRole('row')).toHaveCount(3)
  await expect(history(page).getByRole('row').nth(1)).toContainText('대기')
  await expect(history(page).getByRole('row').nth(2)).toContainText(`윤서연 (${hr.userId})`)
  await expect(history(page).getByRole('row').nth(2)).toContainText('직급을 다시 확인해주세요.')
  await page.getByRole('button', { name: '뒤로', exact: true }).click()
  await answer(page, '뒤로', '네')
  await expect(page).toHaveURL('/user/approval')

  const partner = await server.createPartner({ affiliation: 'BEL002' })
  await tick(page, '김새봄').check()
  await action(page, '승인').click()
  const approving = dialog(page, '승인 요청 승인')
  // No mail is promised where none is sent.
  await expect(approving).toContainText('메일 서버가 설정되어 있으면')
  await approving.getByLabel('유효기간 종료일', { exact: true }).fill('')
  await approving.getByRole('button', { name: '승인' }).click()
  await expect(approving.getByLabel('유효기간 종료일', { exact: true })).toHaveAccessibleDescription(
    '필수 입력 항목입니다.',
  )
  await approving.getByLabel('유효기간 시작일', { exact: true }).fill('2026-01-01')
  await approving.getByLabel('유효기간 종료일', { exact: true }).fill('2088-12-31')
  await choose(approving, '파트너 코드 \\(부산지사\\)', partner)
  await approving.getByRole('button', { name: '승인' }).click()
  await closeToast(page, '1건을 승인했습니다. 메일 서버가 설정되지 않아')
  expect((await mailTo(server, email, 3)).text).toContain('2026-01-01 ~ 2088-12-31')
  expect(await outboxOf(server, email)).toHaveLength(3)
})

test('approves all requests of a page for two affiliations, with a code for each, accessibly in every look', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const people = [
    await applicant(server, '한꺼번일', { createdAt: '2026-05-01 09:00:00+09' }),
    await applicant(server, '한꺼번이', { affiliation: 'BEL003', createdAt: '2026-05-02 09:00:00+09' }),
    await applicant(server, '한꺼번삼', { affiliation: 'BEL003', createdAt: '2026-05-03 09:00:00+09' }),
  ]
  const [head, daejeon] = [
    await server.createPartner({ affiliation: 'BEL001' }),
    await server.createPartner({ affiliation: 'BEL003' }),
  ]
  const { page } = await as('admin')
  await page.goto('/user/approval')
  await expect(table(page).getByRole('rowheader')).toHaveText(['한꺼번일', '한꺼번이', '한꺼번삼'])
  await page.getByRole('checkbox', { name: '이 페이지 모두 선택' }).press('Space')
  await expect(page.getByText('3건 선택')).toBeVisible()
  for (const [name, title] of [
    ['승인', '승인 요청 승인'],
    ['거절', '승인 요청 거절'],
  ] as const) {
    await action(page, name).click()
    await expect(dialog(page, title)).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog(page, title)).toBeHidden()
    await expect(action(page, name)).toBeFocused()
  }
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  await action(page, '승인').press('Enter')
  const approving = dialog(page, '승인 요청 승인')
  await expect(approving.getByLabel('유효기간 시작일', { exact: true })).toBeFocused()
  await approving.getByLabel('유효기간 종료일', { exact: true }).fill('2087-12-31')
  await choose(approving, '권한', '인사 관리자')
  await choose(approving, '파트너 코드 \\(본사\\)', head)
  await choose(approving, '파트너 코드 \\(대전지사\\)', daejeon)
  await approving.getByLabel('유효기간 종료일', { exact: true }).press('Enter')
  await closeToast(page, '3건을 승인했습니다. 메일 서버가 설정되지 않아')
  await expect(page.getByText('총 0건')).toBeVisible()
  for (const { id } of people) {
    expect(await userRow(server, id)).toMatchObject({
      approvalCode: APPROVAL.approved,
      roleCode: ROLE.hr,
      validTo: '2087-12-31',
    })
  }
})

test('names a request that another user decided, and sends the rest again', async ({ as, server }) => {
  const gone = await applicant(server, '먼저처리')
  const stays = await applicant(server, '나중처리')
  const [{ page: first }, { page: second }] = [await as('admin'), await as('hr')]
  await second.goto('/user/approval')
  await tick(second, '먼저처리').check()
  await tick(second, '나중처리').check()
  await action(second, '거절').click()
  await dialog(second, '승인 요청 거절').getByLabel('거절 사유').fill('중복 신청입니다.')

  await first.goto('/user/approval')
  await tick(first, '먼저처리').check()
  await action(first, '거절').click()
  await dialog(first, '승인 요청 거절').getByLabel('거절 사유').fill('소속을 확인해주세요.')
  await dialog(first, '승인 요청 거절').getByRole('button', { name: '거절' }).click()
  await closeToast(first, '1건을 거절했습니다. 메일 서버가 설정되지 않아')

  await dialog(second, '승인 요청 거절').getByRole('button', { name: '거절' }).click()
  const told = `그사이 다른 사용자가 처리한 요청이 있어 아무것도 변경하지 않았습니다. (${gone.userId})`
  await answer(second, told, '확인')
  await expect(row(second, '먼저처리')).toHaveCount(0)
  expect(await accountOf(server, stays.userId)).toBeDefined()
  // The remaining request is still selected.
  await expect(tick(second, '나중처리')).toBeChecked()
  await action(second, '거절').click()
  await dialog(second, '승인 요청 거절').getByLabel('거절 사유').fill('중복 신청입니다.')
  await dialog(second, '승인 요청 거절').getByRole('button', { name: '거절' }).click()
  await closeToast(second, '1건을 거절했습니다. 메일 서버가 설정되지 않아')
  expect((await mailTo(server, gone.email)).text).toContain('소속을 확인해주세요.')
  expect(await outboxOf(server, gone.email)).toHaveLength(1)
})

test('keeps the input when the server fails (rules/frame#kept-drafts)', async ({ as, server, fragile }) => {
  await applicant(server, '기다리는이')
  const { page } = await as('hr', {}, fragile)
  await page.goto('/user/approval')
  await tick(page, '기다리는이').check()
  await action(page, '거절').click()
  const refusing = dialog(page, '승인 요청 거절')
  await refusing.getByLabel('거절 사유').fill('다시 신청해주세요.')
  await waitUntilSettled(page)
  fragile.cutDatabase()
  await refusing.getByRole('button', { name: '거절' }).click()
  await answer(page, '관리자에게 문의해주세요.', '확인')
  await fragile.mendDatabase()
  // Nothing that was typed is lost.
  await page.goto('/user/approval')
  await tick(page, '기다리는이').check()
  await action(page, '거절').click()
  await refusing.getByRole('button', { name: '이어서 작성' }).click()
  await expect(refusing.getByLabel('거절 사유')).toHaveValue('다시 신청해주세요.')
  await refusing.getByRole('button', { name: '거절' }).click()
  await closeToast(page, '1건을 거절했습니다. 메일 서버가 설정되지 않아')
})

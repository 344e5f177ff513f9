import { ROLE } from '../../contract/permissions.ts'
import { holderOf, partnerWith } from '../../dev/test-kit/keys.ts'
import { answer } from '../fixtures/dialogs.ts'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'
import { completeUser, openUser, save, search, userRow } from './steps.ts'

/** URL of the search as it was left, with its filters. */
const SEARCH = /\/user\/search(\?|$)/

test.describe('leaving, withdrawing and refusals (rules/users#back, rules/users#withdrawal)', () => {
  test("asks 'go back?' and before it discards unsaved input (rules/frame#unsaved-changes)", async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '뒤로갈이' })
    await openUser(page, '뒤로갈이')
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    await expect(page.getByRole('alertdialog')).toContainText('뒤로 가시겠습니까?')
    await answer(page, '뒤로', '아니오')
    await expect(page).toHaveURL('/user/detail')
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    // Esc means no.
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(page).toHaveURL('/user/detail')
    // A page with unsaved input asks about that.
    await page.getByLabel('직급').fill('고치는 중')
    await page.goBack()
    await expect(page.getByRole('alertdialog')).toContainText('저장하지 않은 내용이 사라집니다.')
    await answer(page, '저장하지 않은 내용', '아니오')
    await expect(page.getByLabel('직급')).toHaveValue('고치는 중')
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    await answer(page, '뒤로', '네')
    await expect(page).toHaveURL(SEARCH)
  })

  test('asks before a withdrawal, for the reason if keys are revoked, and returns to the search (rules/users#before-a-withdrawal)', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page } = await as('hr')
    const maru = { ...server, database: server }
    const partner = await partnerWith(maru)
    const person = await holderOf(maru, partner, { name: '키와떠날이' })
    await server.pool.query(
      `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
       select $1, '단말기', $2, 'BEL001', '서울특별시', '종로구'`,
      [person.id, partner.id],
    )
    await openUser(page, '키와떠날이')
    await page.getByRole('button', { name: '탈퇴' }).click()
    const question = page.getByRole('alertdialog', { name: '탈퇴' })
    // The dialog names the user to be withdrawn (rules/frame#destructive-buttons).
    await expect(question).toContainText(
      `해당 사용자를 탈퇴 처리하시겠습니까?\n키와떠날이 (${person.userId})`,
    )
    await question.getByRole('button', { name: '아니오' }).click()
    await expect(question).toHaveCount(0)
    expect((await userRow(server, person.id)).withdrawnAt).toBeNull()
    await page.getByRole('button', { name: '탈퇴' }).click()
    await expect(question.getByLabel('발급된 키도 모두 폐기(되돌릴 수 없음)')).toBeChecked()
    await question.getByRole('button', { name: '네' }).click()
    await expect(question.getByText('필수 입력 항목입니다.')).toBeVisible()
    await expect(question.getByLabel('탈퇴 사유')).toBeFocused()
    await expectAccessible(page)
    expect((await userRow(server, person.id)).withdrawnAt).toBeNull()
    await page.keyboard.type('퇴사')
    await question.getByRole('button', { name: '네' }).click()
    await answer(page, /해당 사용자가 탈퇴되었습니다\.\s*키 1개를 폐기했습니다\./, '확인')
    const { rows } = await server.pool.query(`select revoke_reason from issued_keys where user_id = $1`, [
      person.id,
    ])
    expect(rows).toEqual([{ revoke_reason: '퇴사' }])
    expect((await userRow(server, person.id)).withdrawnAt).not.toBeNull()
    // The search is restored, and the person is not in it any more.
    await expect(page).toHaveURL(SEARCH)
    await expect(page.getByText('총 0명')).toBeVisible()
  })

  test('reports an unavailable server on save and repeats the save without losing input', async ({
    as,
    server,
    fragile,
  }) => {
    const { page } = await as('admin', {}, fragile)
    const person = await completeUser(server, { name: '끊겨도저장' })
    await completeUser(server, { name: '그동안다른이' })
    await openUser(page, '끊겨도저장')
    await page.getByLabel('직급').fill('부장')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await waitUntilSettled(page)
    await fragile.stopServer()
    await answer(page, '사용자 수정', '네')
    await answer(page, '서버에 연결할 수 없습니다.', '확인')
    await expect(page).toHaveURL(`${fragile.url}/user/detail`)
    await expect(page.getByLabel('직급')).toHaveValue('부장')
    await fragile.startServer()
    await waitUntilSettled(page)
    fragile.cutDatabase()
    await save(page)
    await answer(page, '관리자에게 문의해주세요.', '확인')
    await expect(page).toHaveURL(`${fragile.url}/main`)
    await fragile.mendDatabase()
    // The unsaved input is a draft of this record only (rules/frame#kept-drafts).
    await openUser(page, '그동안다른이')
    await expect(page.getByRole('region', { name: '임시 저장' })).toHaveCount(0)
    await openUser(page, '끊겨도저장')
    await expect(page.getByLabel('직급')).not.toHaveValue('부장')
    await page.getByRole('button', { name: '이어서 작성' }).click()
    await expect(page.getByLabel('직급')).toHaveValue('부장')
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    expect((await userRow(server, person.id)).position).toBe('부장')
  })

  test('logs in again over the form after the session ended, or leaves for /login (rules/frame#signing-in-again)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('admin')
    await completeUser(server, { name: '세션이끝날때' })
    await openUser(page, '세션이끝날때')
    await page.getByLabel('직급').fill('부장')
    await waitUntilSettled(page)
    await server.db.deleteFrom('sessions').where('userId', '=', person.id).execute()
    await save(page)
    const again = page.getByRole('alertdialog', { name: '다시 로그인' })
    await again.getByRole('button', { name: '로그인 화면으로' }).click()
    await again.getByRole('button', { name: '계속', exact: true }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('reports a user that somebody else withdrew, and opens the search', async ({ as, server }) => {
    const { id } = await completeUser(server, { name: '둘이함께보는이' })
    const { page } = await as('hr')
    await page.goto('/user/search')
    await search(page, '둘이함께보는이', 1)
    await server.db.updateTable('users').set({ withdrawnAt: new Date() }).where('id', '=', id).execute()
    await page.getByRole('link', { name: '둘이함께보는이 수정' }).click()
    await answer(page, '사용자를 찾을 수 없습니다.', '확인')
    await expect(page).toHaveURL(SEARCH)
  })

  test('refuses HR a user who became 관리자 in the meantime, with 권한이 없습니다. (rules/roles#reach)', async ({
    as,
    server,
  }) => {
    const person = await completeUser(server, { name: '관리자가된이' })
    const { page } = await as('hr')
    await openUser(page, '관리자가된이')
    await waitUntilSettled(page)
    await server.db.updateTable('users').set({ roleCode: ROLE.admin }).where('id', '=', person.id).execute()
    await page.getByLabel('직급').fill('이사')
    await save(page)
    await answer(page, '권한이 없습니다.', '확인')
    await expect(page).toHaveURL('/main')
    expect((await userRow(server, person.id)).position).toBe('대리')
  })

  test('opens the search at /user/detail without a chosen user, and /mypage from the own row', async ({
    as,
  }) => {
    const { page } = await as('admin', { name: '나자신인이' })
    await page.goto('/user/detail')
    await expect(page).toHaveURL(SEARCH)
    await search(page, '나자신인이', 1)
    await page.getByRole('link', { name: '나자신인이 수정' }).click()
    await expect(page).toHaveURL('/mypage')
    await expect(page.getByRole('region', { name: '비밀번호 확인' })).toBeVisible()
  })
})

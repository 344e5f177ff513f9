import { answer, closeToast } from '../fixtures/dialogs.ts'
import { documentWidth } from '../fixtures/width.ts'
import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { attachFile, choose, memo, rows, saveButton, searchBox, titleField, writeNotice } from './steps.ts'

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('notices').execute()
})

test.describe('the notice board (rules/notices#notice-board)', () => {
  test('searches by type and text, pages, and returns from a notice to the same search', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page, person } = await as('user', { name: '김점검' })
    const other = await server.createUser({ name: '박독자' })
    for (let i = 1; i <= 11; i += 1)
      await writeNotice(server, {
        title: `점검 안내 ${i}`,
        author: other,
        ago: `${i} hours`,
        mustRead: i === 1,
      })
    await writeNotice(server, { title: '다른 글', author: person, ago: '5 days' })
    await page.goto('/notice/search')
    await expect(page.getByRole('columnheader')).toHaveText([
      'No.',
      '제목',
      '작성자',
      '작성일시',
      '말머리',
      '조회',
    ])
    await expect(page.getByText('총 12건')).toBeVisible()
    await expect(rows(page)).toHaveCount(9)
    await expectAccessibleInEveryLook(page)
    await setLook(page, '한국어')

    // 통합검색: in the title or by an author of this name.
    const text = searchBox(page).getByLabel('검색어')
    await text.fill('점검')
    await text.press('Enter')
    await expect(page.getByText('총 12건')).toBeVisible()
    await choose(page, searchBox(page), '검색 유형', '작성자')
    await searchBox(page).getByRole('button', { name: '검색', exact: true }).click()
    await expect(page.getByText('총 1건')).toBeVisible()
    await expect(rows(page)).toHaveText(['다른 글'])
    await choose(page, searchBox(page), '검색 유형', '제목')
    await text.press('Enter')
    await expect(page.getByText('총 11건')).toBeVisible()

    await page.getByRole('button', { name: '다음 페이지' }).click()
    await expect(rows(page)).toHaveCount(2)
    await expect(page.getByRole('cell').first()).toHaveText('2')
    const list = `/notice/search?${new URLSearchParams({ page: '2', searchType: '제목', searchText: '점검' })}`
    await expect(page).toHaveURL(list)
    await page.getByRole('link', { name: '점검 안내 11 상세 보기' }).click()
    await expect(page.getByRole('heading', { name: '점검 안내 11' })).toBeVisible()
    await expect(page).toHaveURL(/\/notice\/detail\?noticeId=\d+&writer=/)
    // Others' notices have neither delete nor edit.
    await expect(page.getByRole('link', { name: '수정', exact: true })).toHaveCount(0)
    await expect(page.getByRole('button', { name: '삭제' })).toHaveCount(0)
    // Previous is older; the way back stays.
    await page
      .getByRole('navigation', { name: '이전글과 다음글' })
      .getByRole('link', { name: '다른 글' })
      .click()
    await expect(memo(page)).toBeVisible()
    await page.getByRole('link', { name: '목록', exact: true }).click()
    await expect(page).toHaveURL(list)
    await expect(text).toHaveValue('점검')
    await expect(rows(page)).toHaveCount(2)
    // A new search begins at page 1 (rules/lists#paging).
    await text.fill('없는 말')
    await text.press('Enter')
    await expect(page.getByText('검색 결과가 없습니다.')).toBeVisible()
    await expect(page).toHaveURL(/page=1&/)

    // Only what the user still has to read (rules/notices#notice-filter).
    await searchBox(page).getByRole('button', { name: '초기화' }).click()
    await choose(page, searchBox(page), '보기', '확인할 필독')
    await searchBox(page).getByRole('button', { name: '검색', exact: true }).click()
    await expect(page.getByText('총 1건')).toBeVisible()
    await expect(page).toHaveURL(/searchText=&show=TO_CONFIRM$/)
    await searchBox(page).getByRole('button', { name: '초기화' }).click()
    await expect(page.getByText('총 12건')).toBeVisible()
    await expect(page).not.toHaveURL(/show=/)
  })

  test('lets readers confirm a must-read notice, and HR remind the others', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    await server.pool.query(`update users set approval_code = 'MEMAP002'`)
    const person = await server.createUser({ name: '김작성' })
    const { page: reader } = await as('user', { name: '박확인' })
    await server.createUser({ name: '최지각' })
    const id = await writeNotice(server, { title: '필독 글', author: person, mustRead: true })
    await reader.goto(`/notice/detail?noticeId=${id}`)
    await reader.getByRole('button', { name: '읽음 확인', exact: true }).click()
    await expect(reader.getByText('읽음 확인을 했습니다.')).toBeVisible()
    // The button is gone, but the focus stays at its place.
    await expect(reader.locator(':focus')).toContainText('읽음 확인을 했습니다.')
    await expect(reader.getByRole('region', { name: '읽음 확인 현황' })).toHaveCount(0)

    const { page: author, person: manager } = await as('hr', { name: '하인사' })
    await server.pool.query(
      `insert into notice_reads (notice_id, user_id, confirmed_at) values ($1, $2, now())`,
      [id, manager.id],
    )
    await author.goto(`/notice/detail?noticeId=${id}`)
    const card = author.getByRole('region', { name: '읽음 확인 현황' })
    await expect(card).toContainText('확인하지 않은 사람 1명, 확인한 사람 2명')
    await expect(card.getByRole('rowheader')).toHaveText(['최지각'])
    await expectAccessibleInEveryLook(author)
    await setLook(author, '한국어')
    await card.getByRole('button', { name: '알림 메일 발송' }).click()
    await answer(author, '알림 메일', '네')
    await closeToast(author, '메일을 보내지 않고 서버의 파일로 저장했습니다.')
    await expect(card.getByRole('button', { name: '알림 메일 발송' })).toBeDisabled()
    await expect(card).toContainText('24시간 후에 다시')
  })

  test('copes with long words, pages past the end and returning from an edit', async ({ as, server }) => {
    const { page, person } = await as('admin', { name: '긴이름'.repeat(16) })
    const long = '긴낱말'.repeat(60)
    const id = await writeNotice(server, { title: long, author: person, memo: long.repeat(5) })
    await attachFile(server, id, `${long}.txt`)
    for (const path of [
      '/notice/search',
      `/notice/detail?noticeId=${id}`,
      `/notice/insert?noticeId=${id}`,
      '/main',
    ]) {
      await page.goto(path)
      await expect(path.includes('insert') ? titleField(page) : page.getByText(long).first()).toBeVisible()
      expect(await documentWidth(page), path).toBe(1440)
    }
    const list = `/notice/search?${new URLSearchParams({ page: '1', searchType: '제목', searchText: '낱말' })}`
    await page.goto(list.replace('page=1', 'page=7'))
    await expect(page).toHaveURL(list)
    await page.getByRole('link', { name: `${long} 상세 보기` }).click()
    await page.getByRole('link', { name: '수정', exact: true }).click()
    await saveButton(page).click()
    await answer(page, '공지사항 수정', '네')
    await answer(page, '수정이 완료되었습니다.', '확인')
    await page.getByRole('link', { name: '목록', exact: true }).click()
    await expect(page).toHaveURL(list)
  })
})

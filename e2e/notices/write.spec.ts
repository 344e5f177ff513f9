import { answer, logOut } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { group } from '../layout/steps.ts'
import {
  attach,
  attachFile,
  chip,
  choose,
  field,
  filesOf,
  memo,
  noticeIdOf,
  saveButton,
  titleField,
  writeNotice,
} from './steps.ts'

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('notices').execute()
})

/** Another person at the same browser. Runs in the page. */
function signIn([uid, id]: string[]): void {
  localStorage.setItem('session_uid', uid!)
  localStorage.setItem('session_user_id', id!)
}

test.describe('writing and editing a notice (rules/notices#notice-form, rules/notices#save-order)', () => {
  test('points out a blank title, asks, saves the file and shows the detail (rules/notices#notice-detail)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user', { name: '김작성' })
    await page.goto('/notice/insert')
    await titleField(page).fill('   ')
    await saveButton(page).click()
    const missing = page.getByRole('alertdialog', { name: '공지사항 제목 미입력' })
    await expect(missing.getByText('제목을 입력해주세요', { exact: true })).toBeVisible()
    await answer(page, '공지사항 제목 미입력', '확인')
    await expect(titleField(page)).toBeFocused()

    await choose(page, page, '말머리', '키발급')
    await titleField(page).fill('보안 점검표 제출')
    await page
      .getByRole('textbox', { name: '내용', exact: true })
      .fill('첫 줄\n\n셋째 줄 https://example.com/a.')
    await attach(page, '점검표 (최종).txt', '파일 내용')
    await saveButton(page).click()
    const question = page.getByRole('alertdialog', { name: '공지사항 등록' })
    await expect(question).toContainText(/받는 사람: \d+명.*등록하시겠습니까/s)
    await answer(page, '공지사항 등록', '아니오')
    expect(await server.db.selectFrom('notices').selectAll().execute()).toEqual([])
    await saveButton(page).click()
    await answer(page, '공지사항 등록', '네')
    await answer(page, '등록이 완료되었습니다.', '확인')
    await expect(page.getByRole('heading', { name: '보안 점검표 제출' })).toBeVisible()
    // In no menu itself: the group of its neighbours is where one is.
    await expect(group(page, '공지사항')).toHaveAttribute('data-current', 'true')
    await expect(page.getByRole('heading', { name: '첨부파일 (1)' })).toBeVisible()
    await expect(page.getByText(`김작성 (${person.userId})`)).toBeVisible()
    await expect.poll(() => memo(page).innerText()).toContain('첫 줄\n\n셋째 줄')
    await expect(memo(page).getByRole('link')).toHaveAttribute('href', 'https://example.com/a')
    await expect(memo(page).getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: '점검표 (최종).txt 내려받기' }).click()
    expect((await downloading).suggestedFilename()).toBe('점검표 (최종).txt')
  })

  test('keeps the file until it is removed, and deletes the notice', async ({ as, server }) => {
    const { page, person } = await as('user')
    const id = await writeNotice(server, { title: '고칠 글', author: person })
    const edit = async () => {
      await page.goto(`/notice/insert?noticeId=${id}&writer=somebody.else`)
      await expect(titleField(page)).toHaveValue(/./)
    }
    const save = async () => {
      await saveButton(page).click()
      await answer(page, '공지사항 수정', '네')
      await answer(page, '수정이 완료되었습니다.', '확인')
      await expect(page).toHaveURL(/\/notice\/detail/)
    }
    await attachFile(server, id, '처음.txt')
    await edit()
    await titleField(page).fill('고친 글')
    await save()
    await expect(page.getByRole('heading', { name: '고친 글' })).toBeVisible()
    expect(await filesOf(server, id)).toEqual(['처음.txt'])

    await edit()
    await chip(page, '처음.txt').click()
    // Until it is saved nothing is gone.
    expect(await filesOf(server, id)).toEqual(['처음.txt'])
    await save()
    expect(await filesOf(server, id)).toEqual([])
    await expect(page.getByText(/^첨부파일/)).toHaveCount(0)

    await page.getByRole('button', { name: '삭제' }).click()
    await answer(page, '공지사항 삭제', '아니오')
    await page.getByRole('button', { name: '삭제' }).click()
    await answer(page, '공지사항 삭제', '네')
    await expect(page).toHaveURL(/\/notice\/search/)
    await expect(page.getByText('등록된 공지사항이 없습니다.')).toBeVisible()
    await page.goto(`/notice/detail?noticeId=${id}`)
    await answer(page, '데이터를 불러오지 못했습니다.', '확인')
    await expect(page).toHaveURL(/\/notice\/search/)
  })

  test('explains at the field why a file is refused, and saves no notice without it', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    await page.goto('/notice/insert')
    await titleField(page).fill('파일을 기다리는 글')
    await server.pool.query(
      `insert into uploads (id, user_id, original_name, size_bytes, save_path, save_file_name)
       select gen_random_uuid(), $1, n || '.bin', 1, '2026/11', gen_random_uuid()::text from generate_series(1, 3) n`,
      [person.id],
    )
    const input = page.locator('fieldset input[type=file]')
    const plan = { name: '계획.txt', mimeType: '', buffer: Buffer.from('내용') }
    await input.setInputFiles(plan)
    const problem = field(page).getByRole('alert')
    await expect(problem).toContainText('업로드 중인 파일이 이미 3개 있습니다.')
    await expect(chip(page, '계획.txt')).toHaveCount(0)
    await server.pool.query('delete from uploads where user_id = $1', [person.id])
    await attach(page, '계획.txt', '내용')
    await expect(problem).toHaveCount(0)

    // Swept, or given up on another machine.
    await server.pool.query('delete from uploads where user_id = $1', [person.id])
    await saveButton(page).click()
    await answer(page, '공지사항 등록', '네')
    await answer(page, '파일 저장에 실패했습니다.', '확인')
    await expect(problem).toContainText('파일을 다시 선택해주세요.')
    expect(await server.db.selectFrom('notices').selectAll().execute()).toEqual([])
    await attach(page, '계획.txt', '내용')
    await saveButton(page).click()
    await answer(page, '공지사항 등록', '네')
    await answer(page, '등록이 완료되었습니다.', '확인')
    await expect(page.getByRole('heading', { name: '첨부파일 (1)' })).toBeVisible()
    expect(await filesOf(server, noticeIdOf(page))).toEqual(['계획.txt'])
  })

  test('tells the second of two editors, shows both texts and then lets them save (rules/frame#edit-conflict)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    const id = await writeNotice(server, { title: '함께 고치는 글', author: person })
    await page.goto(`/notice/insert?noticeId=${id}`)
    await titleField(page).fill('내가 고친 제목')
    await server.pool.query(
      `update notices set title = '남이 고친 제목', version = version + 1 where id = $1`,
      [id],
    )
    const title = async () =>
      (await server.db.selectFrom('notices').select('title').where('id', '=', id).executeTakeFirst())?.title
    const failed = page.getByRole('alertdialog', { name: '공지사항 수정에 실패했습니다.' })
    const question = page.getByRole('alertdialog', { name: '공지사항 수정', exact: true })
    await saveButton(page).press('Enter')
    await question.getByRole('button', { name: '네', exact: true }).press('Enter')
    await failed.getByRole('button', { name: '확인', exact: true }).press('Enter')
    await expect(titleField(page)).toHaveValue('내가 고친 제목')
    const theirs = page.getByRole('region', { name: '다른 사용자가 먼저 저장한 내용' })
    await expect(theirs).toContainText('남이 고친 제목')
    await expect(theirs).toBeFocused()
    await expect(theirs).toBeInViewport({ ratio: 1 })
    await expect(theirs.getByRole('alert')).toContainText(
      '저장하면 아래에 있는 다른 사용자의 내용이 사라집니다.',
    )
    // Neither the key that was pressed too often nor the first answer of the question overwrites it.
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    await saveButton(page).press('Enter')
    await expect(question).toContainText('덮어쓰시겠습니까?')
    await expect(question.getByRole('button', { name: '아니오', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    expect(await title()).toBe('남이 고친 제목')

    await theirs.getByRole('button', { name: '이 내용으로 바꾸기', exact: true }).press('Enter')
    await expect(theirs).toHaveCount(0)
    await expect(titleField(page)).toHaveValue('남이 고친 제목')
    await expect(titleField(page)).toBeFocused()

    await titleField(page).fill('내가 고친 제목')
    await server.pool.query(`update notices set version = version + 1 where id = $1`, [id])
    await saveButton(page).click()
    await answer(page, '공지사항 수정', '네')
    await answer(page, '공지사항 수정에 실패했습니다.', '확인')
    await expect(theirs).toBeFocused()
    await saveButton(page).click()
    await answer(page, '공지사항 수정', '네')
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page.getByRole('heading', { name: '내가 고친 제목' })).toBeVisible()
  })

  test('offers a draft only to its writer, and asks before a scheduled notice is published (rules/notices#draft)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('hr')
    await page.goto('/notice/insert')
    await titleField(page).fill('쓰다 만 글')
    await expect(page.getByText(/임시 저장했습니다/)).toBeVisible()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    const offer = page.getByRole('region', { name: '임시 저장' })
    await expect(offer).toContainText('작성하던 내용이 있습니다.')
    await expect(titleField(page)).toHaveValue('')
    // Somebody else at this browser is offered nothing.
    const other = await server.createUser()
    await page.evaluate(signIn, [other.session, other.userId])
    await page.reload()
    await expect(titleField(page)).toBeVisible()
    await expect(offer).toHaveCount(0)
    await page.evaluate(signIn, [person.session, person.userId])
    await page.reload()
    await offer.getByRole('button', { name: '이어서 작성' }).click()
    await expect(titleField(page)).toHaveValue('쓰다 만 글')

    await choose(page, page, '게시 시각', '예약 게시')
    await page.getByLabel('게시일', { exact: true }).fill('2099-02-03')
    await page.getByLabel('목록 맨 위에 고정').check()
    await saveButton(page).click()
    await expect(page.getByRole('alertdialog', { name: '공지사항 등록' })).toContainText(
      '게시 시각: 2099-02-03 09:00',
    )
    await answer(page, '공지사항 등록', '네')
    await answer(page, '등록이 완료되었습니다.', '확인')
    await expect(page.getByText('2099-02-03 09:00에 게시될 공지사항입니다.')).toBeVisible()
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:'))),
    ).toEqual([])
    const id = noticeIdOf(page)
    await page.goto(`/notice/insert?noticeId=${id}`)
    await page.getByLabel('읽음 확인 받기').check()
    await saveButton(page).click()
    const question = page.getByRole('alertdialog', { name: '공지사항 수정' })
    await expect(question).toContainText(/받는 사람: \d+명.*2099-02-03.*필독.*수정하시겠습니까/s)
    await answer(page, '공지사항 수정', '아니오')
    await choose(page, page, '게시 시각', '바로 게시')
    await saveButton(page).click()
    await expect(question).toContainText(/받는 사람: \d+명.*필독.*바로 게시하시겠습니까/s)
    await answer(page, '공지사항 수정', '네')
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(memo(page)).toBeVisible()
    await expect(page.getByText('에 게시될 공지사항입니다.')).toHaveCount(0)
    await page.goto(`/notice/insert?noticeId=${id}`)
    await saveButton(page).click()
    await expect(question).toContainText(
      /필독: 이미 확인한 사람에게는 다시 요청하지 않습니다.*수정하시겠습니까/s,
    )
    await answer(page, '공지사항 수정', '아니오')
    // Logging out takes what was begun with it.
    await page.goto('/notice/insert')
    await titleField(page).fill('남기지 않을 글')
    await expect(page.getByText(/임시 저장했습니다/)).toBeVisible()
    await logOut(page)
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('남기지')
  })
})

import type { Page } from '@playwright/test'
import { BULLET } from '../../contract/notices.ts'
import { NOTIFICATION_STREAM_PATH } from '../../contract/notifications/count.ts'
import { koreanDay } from '../../dev/test-kit/days.ts'
import { expect, test } from '../fixtures/test.ts'

const notices = (page: Page) => page.getByRole('region', { name: '공지사항 조회' })
const toDo = (page: Page) => page.getByRole('region', { name: '할 일' })

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('notices').execute()
})

test('keeps a must-read notice on home until it is confirmed, and links to the rest (rules/home#to-do)', async ({
  as,
  server,
}) => {
  const { page } = await as('user')
  const author = await server.createUser({ role: 'hr' })
  const { id } = await server.db
    .insertInto('notices')
    .values({
      bulletCode: BULLET.notice,
      title: '보안 점검 필독',
      memo: '',
      authorId: author.id,
      mustRead: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await page.goto('/main')
  await toDo(page).getByRole('link', { name: '보안 점검 필독' }).click()
  await page.getByRole('button', { name: '읽음 확인', exact: true }).click()
  await expect(page.getByText('읽음 확인을 했습니다.')).toBeVisible()
  await page.goBack()
  await expect(toDo(page)).toContainText('지금 처리할 일이 없습니다.')
  await expect(toDo(page).getByRole('listitem')).toHaveCount(0)

  const quick = page.getByRole('region', { name: '바로 가기' })
  await expect(quick.getByRole('link')).toHaveText([
    '키 발급',
    '공지사항 등록',
    '키 발급 이력 조회',
    '내 정보',
  ])
  await notices(page).getByRole('link', { name: '보안 점검 필독', exact: true }).click()
  await expect(page).toHaveURL(`/notice/detail?noticeId=${id}&user_id=${author.userId}`)
  await page.goBack()
  await notices(page).getByRole('link', { name: '공지사항 더보기' }).click()
  await expect(page).toHaveURL('/notice/search')
})

test('links admin tasks with their filter, moves no panel, and retries on failure (rules/home#quick-actions)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('admin')
  const code = await server.createPartner()
  const partner = await server.db
    .updateTable('partners')
    .set({ limitDay: 1 })
    .where('code', '=', code)
    .returning('id')
    .executeTakeFirstOrThrow()
  await server.db.updateTable('users').set({ partnerId: partner.id }).where('id', '=', person.id).execute()
  await server.db
    .insertInto('issuedKeys')
    .values({
      userId: person.id,
      requestKey: 'HOME-REQUEST-1',
      partnerId: partner.id,
      affiliationCode: 'BEL001',
      provinceName: '서울특별시',
      districtName: '종로구',
      issuedAt: new Date(),
    })
    .execute()
  await server.createUser({ name: '곧끝나는홈', validTo: koreanDay(10) })
  // An event of another user would make home read its tasks again, which takes the retry away: the stream stays silent.
  await page.route(`**${NOTIFICATION_STREAM_PATH}`, () => {})
  let fails = true
  await page.route('**/cm/v1/get/toDo', async (route) => {
    if (fails) await route.fulfill({ status: 500, json: { msg: '', code: 'UNEXPECTED' } })
    else await route.fallback()
  })
  await page.goto('/main')
  await expect(toDo(page).getByRole('alert')).toContainText('할 일을 불러오지 못했습니다.')
  const before = await notices(page).boundingBox()
  fails = false
  await toDo(page).getByRole('button', { name: '다시 시도' }).click()
  const near = toDo(page).getByRole('link', { name: '한도를 80% 이상 사용한 파트너' })
  await expect(near).toBeVisible()
  expect(await notices(page).boundingBox()).toEqual(before)
  await expect(page.getByRole('region', { name: '내 최근 발급 키' })).toContainText('HOME-REQUEST-1')
  await expectAccessible(page)

  await near.click()
  await expect(page).toHaveURL('/partner/search?nearLimit=Y')
  await expect(page.getByRole('link', { name: `${code} 상세 보기` })).toBeVisible()
  await page.goBack()
  await toDo(page).getByRole('link', { name: '30일 이내 만료되는 계정' }).click()
  await expect(page).toHaveURL('/user/search?validity=ENDING')
  await expect(page.getByRole('link', { name: '곧끝나는홈 수정' })).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: '내 키 발급 이력 더보기' }).click()
  // By ID: another person may have the same name.
  await expect(page).toHaveURL(`/key/search?userId=${person.userId}`)
  await expect(page.getByText('HOME-REQUEST-1')).toBeVisible()
})

test('updates notices and tasks in the open page without a use of the session (rules/home#live-home)', async ({
  as,
  server,
}) => {
  const { page, person } = await as('admin')
  const stream = page.waitForResponse((response) => response.url().endsWith('/stream'))
  await page.goto('/main')
  const waiting = toDo(page).getByRole('link', { name: '승인 대기' })
  await expect(waiting).toBeVisible()
  await stream
  const reads: (string | null)[] = []
  page.on('request', (request) => {
    if (/toDo$|noticeList$/.test(request.url())) reads.push(request.headers()['sessionuse'] ?? null)
  })
  const before = Number.parseInt((await waiting.textContent())?.match(/\d+/)?.[0] ?? '', 10)
  await server.createUser({ asked: true })
  await expect(waiting).toContainText(`${before + 1}건`)
  await server.db
    .insertInto('notices')
    .values({ bulletCode: BULLET.notice, title: '방금 올린 공지', memo: '', authorId: person.id })
    .execute()
  await expect(notices(page).getByRole('link', { name: '방금 올린 공지', exact: true })).toBeVisible()
  expect(new Set(reads)).toEqual(new Set(['background']))
})

test('continues a pending file in the form, or deletes it after a question (rules/home#own-uploads)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('user')
  await server.pool.query(
    `insert into uploads (id, user_id, original_name, size_bytes, save_path, save_file_name, stored_at, last_modified)
     select gen_random_uuid(), $1, name, 2048, '2026/11', gen_random_uuid()::text, stored, 0
     from (values ('다 올린 자료.zip', now()), ('올리다 만 자료.zip', null)) as f (name, stored)`,
    [person.id],
  )
  await page.goto('/main')
  const card = page.getByRole('region', { name: '업로드한 첨부파일' })
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await expect(card.getByRole('listitem').filter({ hasText: '다 올린' })).toContainText('업로드 완료 · 2KB')
  await expectAccessible(page)
  await card.getByRole('button', { name: '삭제: 올리다 만 자료.zip' }).click()
  await page.getByRole('alertdialog', { name: '첨부파일 삭제' }).getByRole('button', { name: '네' }).click()
  await expect(card.getByRole('listitem')).toHaveText([/^다 올린 자료.zip/])
  await expect(card.getByRole('list')).toBeFocused()
  await card.getByRole('link', { name: '이어서 하기: 다 올린 자료.zip' }).click()
  await expect(page).toHaveURL(/notice\/insert\?uploadId=/)
  await page.getByRole('button', { name: '다 올린 자료.zip 2KB 첨부 취소' }).click()
  await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeFocused()
  await expect
    .poll(() => server.db.selectFrom('uploads').where('userId', '=', person.id).execute())
    .toEqual([])
})

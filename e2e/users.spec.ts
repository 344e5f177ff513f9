import type { Locator, Page } from '@playwright/test'
import { ROLE } from '../contract/permissions.ts'
import { APPROVAL } from '../contract/users.ts'
import { expect, test, type WorkerMaru } from './fixtures/test.ts'

const filters = (page: Page) => page.getByRole('search', { name: '검색 조건' })
const submit = (page: Page) => filters(page).getByRole('button', { name: '조회', exact: true })
const rows = (page: Page) => page.getByRole('table', { name: '사용자 목록' }).getByRole('rowheader')
const pageButton = (page: Page, number: number) =>
  page.getByRole('button', { name: `${number}페이지`, exact: true })
/** A drop-down list: its button is named by its value and its label. */
const select = (scope: Page | Locator, label: string) =>
  scope.getByRole('button', { name: new RegExp(` ${label}$`) })

async function choose(scope: Page | Locator, label: string, option: string): Promise<void> {
  await select(scope, label).click()
  const page = 'page' in scope ? scope.page() : scope
  await page.getByRole('option', { name: option, exact: true }).click()
  await expect(select(scope, label)).toContainText(option)
}

async function search(page: Page, name: string, total: number): Promise<void> {
  await filters(page).getByLabel('이름').fill(name)
  await submit(page).click()
  await expect(page.getByText(`총 ${total}명`, { exact: true })).toBeVisible()
}

/** Opens the one user of this name, as a person does. */
async function openUser(page: Page, name: string): Promise<void> {
  await page.goto('/user/search')
  await search(page, name, 1)
  await page.getByRole('button', { name: `${name} 수정` }).click()
  await expect(page).toHaveURL('/user/detail')
  await expect(page.getByLabel('이름', { exact: true })).toHaveValue(name)
}

async function answer(page: Page, title: string, button: '네' | '아니오' | '확인'): Promise<void> {
  await page.getByRole('alertdialog', { name: title }).getByRole('button', { name: button }).click()
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: '저장' }).click()
  await answer(page, '사용자 수정', '네')
}

function userRow(server: WorkerMaru, id: string) {
  return server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Somebody whose admin card is complete, so that saving needs no more than the change under test. */
async function completeUser(server: WorkerMaru, user: Parameters<WorkerMaru['createUser']>[0] = {}) {
  const person = await server.createUser({ validFrom: '2026-01-01', validTo: '2027-12-31', ...user })
  const code = await server.createPartner({
    code: `P-${person.userId.toUpperCase()}`,
    affiliation: user.affiliation ?? 'BEL001',
  })
  await server.db
    .updateTable('users')
    .set((eb) => ({ partner_id: eb.selectFrom('partners').select('id').where('code', '=', code) }))
    .where('id', '=', person.id)
    .execute()
  return { ...person, partnerCode: code }
}

test.describe('user search (spec §2)', () => {
  test('shows No., ID, name, affiliation, phone, registration date and approval, 5 rows, newest first', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('admin')
    await server.createUser({
      loginId: 'newest.of.all',
      name: '가장새로운이',
      affiliation: 'BEL003',
      phoneNumber: '01012345678',
      approved: false,
      createdAt: '2099-05-06T10:00:00+09:00',
    })
    await page.goto('/user/search')
    await expect(page).toHaveTitle('사용자 조회 | 마루')
    await expect(rows(page)).toHaveCount(5)
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'No.',
      '아이디',
      '사용자명',
      '소속',
      '전화번호',
      '등록일',
      '승인 상태',
    ])
    const total = (await page.getByText(/^총 \d+명$/).textContent())?.match(/\d+/)?.[0] ?? ''
    const cells = page.getByRole('row', { name: '가장새로운이' }).getByRole('cell')
    await expect(cells).toHaveText([
      total,
      'newest.of.all',
      '대전지사',
      '010-1234-5678',
      '2099-05-06',
      '미승인',
    ])
    await expect(rows(page).first()).toHaveText('가장새로운이')
    await expectAccessibleInEveryLook(page)
    await server.db.deleteFrom('users').where('login_id', '=', 'newest.of.all').execute()
  })

  test('each filter narrows the list; 전체 takes it back', async ({ as, server }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '걸러보기하나', affiliation: 'BEL002', phoneNumber: '01077770001' })
    await server.createUser({ name: '걸러보기둘', affiliation: 'BEL003', phoneNumber: '01077770002' })
    await server.createUser({ name: '걸러보기셋', affiliation: 'BEL003', approved: false })
    await page.goto('/user/search')
    await search(page, '걸러보기', 3)
    await choose(filters(page), '소속', '대전지사')
    await search(page, '걸러보기', 2)
    await choose(filters(page), '승인 상태', '미승인')
    await search(page, '걸러보기', 1)
    await expect(rows(page)).toHaveText(['걸러보기셋'])
    await choose(filters(page), '소속', '전체')
    await choose(filters(page), '승인 상태', '전체')
    await filters(page).getByLabel('전화번호').fill('7777-0001')
    await search(page, '걸러보기', 1)
    await expect(rows(page)).toHaveText(['걸러보기하나'])
  })

  test('Enter in a field searches', async ({ as, server }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '엔터로찾기' })
    await page.goto('/user/search')
    await filters(page).getByLabel('이름').fill('엔터로찾기')
    await page.keyboard.press('Enter')
    await expect(page.getByText('총 1명')).toBeVisible()
    await expect(rows(page)).toHaveText(['엔터로찾기'])
  })

  test('%, _ and \\ are ordinary characters (decisions §2)', async ({ as, server }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '백분율100%' })
    await page.goto('/user/search')
    await search(page, '100%', 1)
    await search(page, '백_율', 0)
  })

  test('the pager has first and last buttons and no siblings; a page change loads the page', async ({
    as,
  }) => {
    const { page } = await as('admin')
    const pages = () => page.getByRole('navigation', { name: '페이지 이동' }).getByRole('listitem')
    await page.goto('/user/search')
    const total = Number((await page.getByText(/^총 \d+명$/).textContent())?.match(/\d+/)?.[0])
    const last = Math.ceil(total / 5)
    await expect(page.getByRole('button', { name: '첫 페이지' })).toHaveAttribute('aria-disabled', 'true')
    for (let at = 2; at <= 4; at += 1) {
      await page.getByRole('button', { name: '다음 페이지' }).click()
      await expect(pageButton(page, at)).toHaveAttribute('aria-current', 'page')
    }
    // First, the current one, last; gaps are not read out.
    await expect(pages().getByRole('button')).toHaveText([/^1/, /^4/, new RegExp(`^${last}`)])
    await expect(page.getByRole('cell').first()).toHaveText(String(total - 15))
    await page.getByRole('button', { name: '마지막 페이지' }).click()
    await expect(pageButton(page, last)).toHaveAttribute('aria-current', 'page')
    await expect(rows(page)).toHaveCount(total % 5 || 5)
    await expect(page.getByRole('button', { name: '다음 페이지' })).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('button', { name: '첫 페이지' }).click()
    await expect(pageButton(page, 1)).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('cell').first()).toHaveText(String(total))
  })

  test('search submit resets to page 1', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/user/search')
    await page.getByRole('button', { name: '마지막 페이지' }).click()
    await expect(pageButton(page, 1)).not.toHaveAttribute('aria-current', 'page')
    await submit(page).click()
    await expect(pageButton(page, 1)).toHaveAttribute('aria-current', 'page')
  })

  test('filters and page are restored after opening a row and coming back, then forgotten', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    for (let count = 1; count <= 6; count += 1)
      await server.createUser({ name: `돌아오기${count}`, affiliation: 'BEL005' })
    const kept = () =>
      page.evaluate(() => Object.keys(sessionStorage).filter((key) => !key.startsWith('tsr')))
    await page.goto('/user/search')
    await choose(filters(page), '소속', '기술연구소')
    await search(page, '돌아오기', 6)
    await page.getByRole('button', { name: '다음 페이지' }).click()
    await expect(rows(page)).toHaveText(['돌아오기1'])
    // Anywhere on the row.
    await page.getByRole('cell', { name: '기술연구소' }).click()
    await expect(page).toHaveURL('/user/detail')
    expect(await kept()).not.toEqual([])
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    await answer(page, '뒤로', '네')
    await expect(page).toHaveURL('/user/search')
    await expect(rows(page)).toHaveText(['돌아오기1'])
    await expect(pageButton(page, 2)).toHaveAttribute('aria-current', 'page')
    await expect(filters(page).getByLabel('이름')).toHaveValue('돌아오기')
    await expect(select(filters(page), '소속')).toContainText('기술연구소')
    // Session storage is cleared after each list load.
    await expect.poll(kept).toEqual([])
    await page.reload()
    await expect(filters(page).getByLabel('이름')).toHaveValue('')
    await expect(pageButton(page, 1)).toHaveAttribute('aria-current', 'page')
  })

  test("the browser's own back restores as well", async ({ as, server }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '브라우저로돌아오기' })
    await openUser(page, '브라우저로돌아오기')
    await page.goBack()
    await expect(filters(page).getByLabel('이름')).toHaveValue('브라우저로돌아오기')
    await expect(rows(page)).toHaveText(['브라우저로돌아오기'])
  })

  test('rows are walked by arrows and opened by Enter', async ({ as, server }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '화살표로하나' })
    await server.createUser({ name: '화살표로둘' })
    await page.goto('/user/search')
    await search(page, '화살표로', 2)
    await page.getByRole('button', { name: '화살표로둘 수정' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: '화살표로하나 수정' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('이름', { exact: true })).toHaveValue('화살표로하나')
  })

  test('nothing found, and a list that cannot be loaded with its retry, keep the height', async ({
    as,
    fragile,
    expectAccessible,
  }) => {
    const { page } = await as('admin', {}, fragile)
    const height = async () => (await page.getByRole('table').boundingBox())?.height
    await page.goto('/user/search')
    await expect(rows(page)).toHaveCount(5)
    const full = await height()
    await search(page, '이런이름은없습니다', 0)
    await expect(page.getByText('조회된 사용자가 없습니다.')).toBeVisible()
    expect(await height()).toBe(full)
    fragile.cutDatabase()
    await page.reload()
    const failed = page.getByRole('alert').filter({ hasText: '사용자 목록을 불러오지 못했습니다.' })
    const noMenu = page.getByRole('alert').filter({ hasText: '메뉴를 불러오지 못했습니다.' })
    await expect(failed).toBeVisible()
    await expect(noMenu).toBeVisible()
    expect(await height()).toBe(full)
    await expectAccessible(page)
    await fragile.mendDatabase()
    await failed.getByRole('button', { name: '다시 시도' }).click()
    await expect(rows(page)).toHaveCount(5)
    await noMenu.getByRole('button', { name: '다시 시도' }).click()
    await expect(page.getByRole('navigation', { name: '주 메뉴' })).toBeVisible()
  })

  test('long names and values neither widen the page nor move the rows', async ({ as, server }) => {
    const { page } = await as('admin')
    const name = '가나다라마바사아자차'.repeat(5)
    await server.createUser({ name, loginId: 'w'.repeat(20) })
    await page.setViewportSize({ width: 1200, height: 1400 })
    await page.goto('/user/search')
    await expect(rows(page)).toHaveCount(5)
    const height = async () => (await page.getByRole('row').nth(1).boundingBox())?.height
    const usual = await height()
    await search(page, name, 1)
    await expect(rows(page)).toHaveText([name])
    expect(await height()).toBe(usual)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1200)
    await expect(page.getByTitle(name)).toBeVisible()
  })

  test('withdrawn people are not found; HR does not find administrators (decisions §5)', async ({
    as,
    server,
  }) => {
    const { id } = await server.createUser({ name: '탈퇴했던이' })
    await server.db.updateTable('users').set({ withdrawn_at: new Date() }).where('id', '=', id).execute()
    await server.createUser({ name: '보이지않는관리자', role: 'admin' })
    const { page } = await as('hr')
    await page.goto('/user/search')
    await search(page, '탈퇴했던이', 0)
    await search(page, '보이지않는관리자', 0)
  })

  test('an ordinary user has no search: 권한이 없습니다., then /main', async ({ as }) => {
    const { page } = await as('user')
    await page.goto('/user/search')
    await answer(page, '권한이 없습니다.', '확인')
    await expect(page).toHaveURL('/main')
  })
})

test.describe('user edit (spec §2, §5)', () => {
  test('shows both cards with the saved values; e-mail is read-only', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '두카드', affiliation: 'BEL002' })
    await openUser(page, '두카드')
    const basic = page.getByRole('region', { name: '기본 정보' })
    await expect(basic.getByLabel('아이디')).toHaveValue(person.userId)
    await expect(select(basic, '소속')).toContainText('부산지사')
    await expect(basic.getByLabel('직급')).toHaveValue('대리')
    await expect(basic.getByLabel('이메일')).toHaveValue(person.email)
    await expect(basic.getByLabel('이메일')).not.toBeEditable()
    const admin = page.getByRole('region', { name: '관리자 입력' })
    await expect(admin.getByLabel('유효기간 시작일', { exact: true })).toHaveValue('2026-01-01')
    await expect(admin.getByLabel('유효기간 종료일', { exact: true })).toHaveValue('2027-12-31')
    await expect(select(admin, '파트너 코드')).toContainText(person.partnerCode)
    await expect(select(admin, '권한')).toContainText('일반 사용자')
    await expect(admin.getByRole('group', { name: '승인 여부' })).toContainText('승인')
    await expect(page.getByRole('button', { name: '비밀번호 재설정' })).toHaveCount(0)
    await expectAccessibleInEveryLook(page)
  })

  test('save asks 네/아니오 and writes every field', async ({ as, server }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '저장전' })
    const partner = await server.createPartner({ code: 'SAVE-ALL-1', affiliation: 'BEL004' })
    await openUser(page, '저장전')
    await choose(page, '소속', '광주지사')
    await page.getByLabel('직급').fill('과장')
    await page.getByLabel('이름', { exact: true }).fill('저장후')
    await page.getByLabel('전화번호').fill('01055554444')
    await page.getByLabel('유효기간 시작일', { exact: true }).fill('2026-02-01')
    await page.getByLabel('유효기간 종료일', { exact: true }).fill('2028-02-29')
    await choose(page, '파트너 코드', partner)
    await choose(page, '권한', '인사 관리자')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('수정한 내용을 저장하시겠습니까?')
    await answer(page, '사용자 수정', '아니오')
    expect((await userRow(server, person.id)).name).toBe('저장전')
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page).toHaveURL('/user/detail')
    await expect(page.getByLabel('이름', { exact: true })).toHaveValue('저장후')
    expect(await userRow(server, person.id)).toMatchObject({
      affiliation_code: 'BEL004',
      position: '과장',
      name: '저장후',
      phone_number: '01055554444',
      valid_from: '2026-02-01',
      valid_to: '2028-02-29',
      role_code: ROLE.hr,
      approval_code: APPROVAL.approved,
    })
  })

  test('the approval is toggled here and sent on save (spec §4)', async ({ as, server }) => {
    const { page } = await as('hr')
    const person = await completeUser(server, { name: '승인받을이', approved: false })
    await openUser(page, '승인받을이')
    const approval = page.getByRole('group', { name: '승인 여부' })
    await expect(approval.getByRole('status')).toHaveText('미승인')
    await expect(page.getByRole('button', { name: '탈퇴' })).toHaveCount(0)
    await approval.getByRole('button', { name: '승인 변경' }).click()
    await expect(approval.getByRole('status')).toHaveText('승인')
    await expect(approval).toContainText('저장하면 반영됩니다.')
    expect((await userRow(server, person.id)).approval_code).toBe(APPROVAL.notApproved)
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    // Withdraw is for approved users (spec §2).
    await expect(page.getByRole('button', { name: '탈퇴' })).toBeVisible()
    expect((await userRow(server, person.id)).approval_code).toBe(APPROVAL.approved)
  })

  test('every required field says so; the phone number takes 11 digits', async ({ as, server }) => {
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
    for (const wrong of ['0101234567', '010-1234-567', '010123456789', '전화번호']) {
      await phone.fill(wrong)
      await expect(phone).toHaveAccessibleDescription('전화번호는 11자리의 숫자만 적어주세요.')
      await expect(phone).toHaveValue(wrong)
    }
    await phone.fill('01012345678')
    await expect(phone).not.toHaveAttribute('aria-invalid')
  })

  test('the ID check: valid at first, invalid once changed, valid again when typed back (spec §4)', async ({
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
    await page.getByRole('button', { name: '저장' }).click()
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
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page).toHaveURL('/user/detail')
    await expect(id).toHaveValue(`${person.userId}.new`)
    expect((await userRow(server, person.id)).login_id).toBe(`${person.userId}.new`)
  })

  test('another affiliation clears the partner code and brings its own (spec §4)', async ({ as, server }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '소속을바꿀이' })
    const other = await server.createPartner({ affiliation: 'BEL006' })
    await openUser(page, '소속을바꿀이')
    await expect(select(page, '파트너 코드')).toContainText(person.partnerCode)
    await choose(page, '소속', '공공사업본부')
    await expect(select(page, '파트너 코드')).toContainText('선택해주세요.')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(select(page, '파트너 코드')).toHaveAccessibleDescription(/필수 입력 항목입니다\./)
    await select(page, '파트너 코드').click()
    await expect(page.getByRole('option', { name: other })).toBeVisible()
    await expect(page.getByRole('option', { name: person.partnerCode })).toHaveCount(0)
  })

  test('a select is complete by keyboard', async ({ as, server }) => {
    const { page } = await as('admin')
    await completeUser(server, { name: '키보드로고를이' })
    await openUser(page, '키보드로고를이')
    await select(page, '소속').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('option', { name: '본사' })).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('option', { name: '협력사' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(select(page, '소속')).toContainText('협력사')
    await expect(select(page, '소속')).toBeFocused()
  })
})

test.describe('dates (spec §2, §9)', () => {
  const start = (page: Page) => page.getByLabel('유효기간 시작일', { exact: true })
  const end = (page: Page) => page.getByLabel('유효기간 종료일', { exact: true })

  test('what is no date stays as typed and gets a message; it is never made another day', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '날짜를틀릴이' })
    await openUser(page, '날짜를틀릴이')
    const notADate = '존재하는 날짜를 YYYY-MM-DD 형식으로 입력해주세요.'
    const outside = '1900-01-01부터 2099-12-31까지의 날짜를 입력해주세요.'
    for (const [typed, message] of [
      ['2026-02-30', notADate],
      ['2025-02-29', notADate],
      ['어제', notADate],
      ['1899-12-31', outside],
      ['2100-01-01', outside],
    ] as const) {
      await start(page).fill(typed)
      await start(page).press('Tab')
      await expect(start(page)).toHaveAccessibleDescription(message)
      await expect(start(page)).toHaveValue(typed)
      await page.getByRole('button', { name: '저장' }).click()
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      await expect(start(page)).toHaveValue(typed)
    }
    expect((await userRow(server, person.id)).valid_from).toBe('2026-01-01')
    await start(page).fill('1900-01-01')
    await end(page).fill('2099-12-31')
    await end(page).press('Tab')
    await expect(start(page)).not.toHaveAttribute('aria-invalid')
    await expect(end(page)).not.toHaveAttribute('aria-invalid')
  })

  test('the end may not be before the start', async ({ as, server }) => {
    const { page } = await as('admin')
    await completeUser(server, { name: '거꾸로된날짜' })
    await openUser(page, '거꾸로된날짜')
    await end(page).fill('2025-12-31')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(end(page)).toHaveAccessibleDescription('종료일은 시작일보다 빠를 수 없습니다.')
    await start(page).fill('2025-12-31')
    await start(page).press('Tab')
    await expect(end(page)).not.toHaveAttribute('aria-invalid')
  })

  test('the calendar is Korean and works by keyboard', async ({ as, server, expectAccessible }) => {
    const { page } = await as('admin')
    await completeUser(server, { name: '달력을쓸이' })
    await openUser(page, '달력을쓸이')
    const calendar = page.getByRole('dialog', { name: '유효기간 시작일 달력' })
    await start(page).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect(calendar.getByRole('button', { name: /2026년 1월 1일/ })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await expect(calendar.getByRole('button', { name: /2026년 1월 9일/ })).toBeFocused()
    await page.keyboard.press('PageDown')
    await expect(calendar.getByRole('button', { name: /2026년 2월 9일/ })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(calendar).toHaveCount(0)
    await expect(start(page)).toHaveValue('2026-02-09')
    await page.getByRole('button', { name: '유효기간 시작일 달력' }).click()
    await expect(calendar).toBeVisible()
    await calendar.getByRole('combobox', { name: '년' }).selectOption('2030년')
    await page.keyboard.press('Escape')
    await expect(calendar).toHaveCount(0)
    await expect(start(page)).toHaveValue('2026-02-09')
  })
})

test.describe('leaving, withdrawing, refusals (spec §2, §8)', () => {
  test("back asks 'go back?' and returns to /user/search", async ({ as, server }) => {
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
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    await answer(page, '뒤로', '네')
    await expect(page).toHaveURL('/user/search')
  })

  test('what was typed is not lost without a question', async ({ as, server }) => {
    const { page } = await as('admin')
    await server.createUser({ name: '고치다만이' })
    await openUser(page, '고치다만이')
    await page.getByLabel('직급').fill('고치는 중')
    await page.goBack()
    await expect(page.getByRole('alertdialog')).toContainText('저장하지 않은 내용이 사라집니다.')
    await answer(page, '저장하지 않은 내용', '아니오')
    await expect(page.getByLabel('직급')).toHaveValue('고치는 중')
  })

  test('withdraw asks, ends the account and leads to /user/search', async ({ as, server }) => {
    const { page } = await as('hr')
    const person = await completeUser(server, { name: '탈퇴할이' })
    await openUser(page, '탈퇴할이')
    await page.getByRole('button', { name: '탈퇴' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('해당 사용자를 탈퇴 처리하시겠습니까?')
    await answer(page, '탈퇴', '아니오')
    expect((await userRow(server, person.id)).withdrawn_at).toBeNull()
    await page.getByRole('button', { name: '탈퇴' }).click()
    await answer(page, '탈퇴', '네')
    await answer(page, '해당 사용자가 탈퇴되었습니다.', '확인')
    await expect(page).toHaveURL('/user/search')
    expect((await userRow(server, person.id)).withdrawn_at).not.toBeNull()
    // The search is restored, and the person is not in it any more.
    await expect(page.getByText('총 0명')).toBeVisible()
  })

  test('a refusal of the server keeps what was typed: an ID that somebody took meanwhile', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    const person = await completeUser(server, { name: '아이디를뺏긴이' })
    await openUser(page, '아이디를뺏긴이')
    const id = page.getByLabel('아이디', { exact: true })
    await id.fill('snatched.id')
    await page.getByRole('button', { name: '중복확인' }).click()
    await expect(id).toHaveAccessibleDescription('사용할 수 있는 아이디입니다.')
    await server.createUser({ loginId: 'snatched.id' })
    await page.getByLabel('직급').fill('차장')
    await save(page)
    await answer(page, '이미 사용 중인 아이디입니다.', '확인')
    await expect(id).toHaveAccessibleDescription('이미 사용 중인 아이디입니다.')
    await expect(id).toHaveValue('snatched.id')
    await expect(page.getByLabel('직급')).toHaveValue('차장')
    expect((await userRow(server, person.id)).position).toBe('대리')
  })

  test('the server away at save is told, nothing typed is lost, and it can be saved again', async ({
    as,
    server,
    fragile,
  }) => {
    const { page } = await as('admin', {}, fragile)
    const person = await completeUser(server, { name: '끊겨도저장' })
    await openUser(page, '끊겨도저장')
    await page.getByLabel('직급').fill('부장')
    await page.getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await fragile.stopServer()
    await answer(page, '사용자 수정', '네')
    await answer(page, '서버에 연결할 수 없습니다.', '확인')
    await expect(page).toHaveURL(`${fragile.url}/user/detail`)
    await expect(page.getByLabel('직급')).toHaveValue('부장')
    await fragile.startServer()
    fragile.cutDatabase()
    await save(page)
    await answer(page, '지금은 서비스를 이용할 수 없습니다.', '확인')
    await expect(page.getByLabel('직급')).toHaveValue('부장')
    await fragile.mendDatabase()
    await save(page)
    await answer(page, '수정이 완료되었습니다.', '확인')
    expect((await userRow(server, person.id)).position).toBe('부장')
  })

  test('a session that ended at save leads to /login without another question (spec §8)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('admin')
    await completeUser(server, { name: '세션이끝날때' })
    await openUser(page, '세션이끝날때')
    await page.getByLabel('직급').fill('부장')
    await server.db.deleteFrom('sessions').where('user_id', '=', person.id).execute()
    await save(page)
    await answer(page, '로그인을 다시 해주세요.', '확인')
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('two browsers: a user that another one withdrew is told, and the search opens', async ({
    as,
    server,
  }) => {
    await completeUser(server, { name: '둘이함께보는이' })
    const { page: first } = await as('admin')
    const { page: second } = await as('hr')
    await openUser(first, '둘이함께보는이')
    await second.goto('/user/search')
    await search(second, '둘이함께보는이', 1)
    await first.getByRole('button', { name: '탈퇴' }).click()
    await answer(first, '탈퇴', '네')
    await answer(first, '해당 사용자가 탈퇴되었습니다.', '확인')
    await expect(first).toHaveURL('/user/search')
    await second.getByRole('button', { name: '둘이함께보는이 수정' }).click()
    await answer(second, '사용자를 찾을 수 없습니다.', '확인')
    await expect(second).toHaveURL('/user/search')
  })

  test('two browsers: approved in one, the other sees it after its next search', async ({ as, server }) => {
    await completeUser(server, { name: '함께승인할이', approved: false })
    const { page: first } = await as('admin')
    const { page: second } = await as('hr')
    await second.goto('/user/search')
    await search(second, '함께승인할이', 1)
    await expect(second.getByRole('row', { name: '함께승인할이' })).toContainText('미승인')
    await openUser(first, '함께승인할이')
    await first.getByRole('button', { name: '승인 변경' }).click()
    await save(first)
    await answer(first, '수정이 완료되었습니다.', '확인')
    await submit(second).click()
    await expect(second.getByRole('row', { name: '함께승인할이' })).not.toContainText('미승인')
  })

  test('HR may not grant 관리자; an administrator may (decisions §5)', async ({ as, server }) => {
    await completeUser(server, { name: '권한을받을이' })
    for (const [role, options] of [
      ['hr', ['인사 관리자', '일반 사용자']],
      ['admin', ['관리자', '인사 관리자', '일반 사용자']],
    ] as const) {
      const { page } = await as(role)
      await openUser(page, '권한을받을이')
      await select(page, '권한').click()
      await expect(page.getByRole('option')).toHaveText([...options])
    }
  })

  test('a user who became 관리자 meanwhile is closed to HR: 권한이 없습니다. (decisions §5)', async ({
    as,
    server,
  }) => {
    const person = await completeUser(server, { name: '관리자가된이' })
    const { page } = await as('hr')
    await openUser(page, '관리자가된이')
    await server.db.updateTable('users').set({ role_code: ROLE.admin }).where('id', '=', person.id).execute()
    await page.getByLabel('직급').fill('이사')
    await save(page)
    await answer(page, '권한이 없습니다.', '확인')
    await expect(page).toHaveURL('/main')
    expect((await userRow(server, person.id)).position).toBe('대리')
  })

  test('the own row opens /mypage', async ({ as }) => {
    const { page } = await as('admin', { name: '나자신인이' })
    await page.goto('/user/search')
    await search(page, '나자신인이', 1)
    await page.getByRole('button', { name: '나자신인이 수정' }).click()
    await expect(page).toHaveURL('/mypage')
    await expect(page.getByRole('region', { name: '비밀번호 확인' })).toBeVisible()
  })

  test('/user/detail without a chosen user opens the search', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/user/detail')
    await expect(page).toHaveURL('/user/search')
  })
})

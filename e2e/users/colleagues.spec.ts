import { expect, test } from '../fixtures/test.ts'
import { readClipboard } from '../fixtures/keyboard.ts'
import { koreanWords } from '../fixtures/korean-text.ts'
import { closeToast } from '../fixtures/dialogs.ts'
import { passGate } from '../account/steps.ts'

const ISSUER = '하늘누리'

test('shows a shared phone number to colleagues, who find the user and their notices (rules/colleagues#directory, rules/colleagues#profile-card, rules/colleagues#what-colleagues-see)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { page: own, person } = await as('user', { name: ISSUER, phoneNumber: '01077778888' })
  const { page } = await as('user', { name: 'Pat Kim' })
  const { id: noticeId } = await server.db
    .insertInto('notices')
    .values({ bulletCode: 'BE0001', title: '하늘누리의 안내', memo: null, authorId: person.id })
    .returning('id')
    .executeTakeFirstOrThrow()

  await own.goto('/mypage')
  await passGate(own)
  const level = (field: string, name: string) =>
    own.getByRole('radiogroup', { name: `${field} 공개` }).getByRole('radio', { name })
  await expect(level('전화번호', '같은 소속만')).toBeChecked()
  await level('전화번호', '같은 소속만').press('ArrowLeft')
  await level('이메일', '비공개').check()
  await own.getByRole('button', { name: '공개 범위 저장' }).click()
  await closeToast(own, '저장되었습니다.')
  await own.reload()
  await passGate(own)
  await expect(level('전화번호', '모든 임직원')).toBeChecked()
  await expect(level('이메일', '비공개')).toBeChecked()

  // By the palette, which the directory answers for who may search no users.
  await page.goto(`/notice/detail?noticeId=${noticeId}`)
  await expect(page.getByRole('button', { name: '찾기', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /찾기/ }).fill(ISSUER)
  const people = page.getByRole('group', { name: '사람' }).getByRole('option')
  await expect(people).toHaveText([/하늘누리.*본사 · 대리/])
  await page.keyboard.press('Enter')
  const found = page.getByRole('dialog', { name: `${ISSUER} 프로필` })
  await expect(found).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(found.getByRole('link', { name: '전화: 010-7777-8888' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(found).toHaveCount(0)
  await expect(page.getByRole('button', { name: '찾기', exact: true })).toBeFocused()
  await expect(page).toHaveURL(`/notice/detail?noticeId=${noticeId}`)

  // And the directory, by initial consonants.
  await page.goto('/colleague/search?keyword=ㅎㄴㄴㄹ')
  const row = page.getByRole('row', { name: /하늘누리/ })
  await expect(row).toHaveText(/본사대리010-7777-8888비공개/)
  await expectAccessibleInEveryLook(page)
  await page.reload()
  expect((await koreanWords(page)).filter((word) => !/누리|대리/.test(word))).toEqual([])
  const box = page.getByLabel('Name, phone number or e-mail')
  await box.fill(person.email)
  await box.press('Enter')
  await expect(page.getByText('No colleagues were found.')).toBeVisible()
  await box.fill('7777-8888')
  await box.press('Enter')
  await expect(row).toBeVisible()

  // By the name under a notice.
  await page.goto(`/notice/detail?noticeId=${noticeId}`)
  const name = page.getByRole('button', { name: ISSUER })
  const card = page.getByRole('dialog', { name: `Profile of ${ISSUER}` })
  await name.press('Enter')
  await expect(card.getByRole('link', { name: 'Call: 010-7777-8888' })).toHaveAttribute(
    'href',
    'tel:01077778888',
  )
  await expect(card.getByText('Not shown')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await expect(name).toBeFocused()
  await server.db.updateTable('users').set({ withdrawnAt: new Date() }).where('id', '=', person.id).execute()
  await name.click()
  await expect(card.getByText('This user’s account was withdrawn.')).toBeVisible()
  await expect(card).not.toContainText('7777')
  await page.keyboard.press('Escape')
  await expect(name).toBeFocused()
})

test('opens a row of the directory as a card to call, write and copy (rules/colleagues#directory)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const affiliation = 'BEL005'
  await server.createUser({ affiliation, name: 'Ann 나래솔' })
  const { userId } = await server.createUser({
    affiliation,
    name: '한나래솔',
    phoneNumber: '01012123434',
    email: 'garam@x.kr',
  })
  const partner = await server.createPartner({ affiliation })
  const { page } = await as('user', { affiliation, name: '유나래솔', partner })
  await page.context().grantPermissions(['clipboard-write'])
  await page.goto('/colleague/search?keyword=나래솔')
  const table = page.getByRole('table')
  await expect(table.getByRole('rowheader')).toHaveText(['유나래솔', '한나래솔', 'Ann 나래솔'])
  const widths = () => table.locator('thead th').evaluateAll((cells) => cells.map((it) => it.clientWidth))
  const before = await widths()

  await table.getByRole('row', { name: /한나래솔/ }).click({ position: { x: 400, y: 10 } })
  const card = page.getByRole('dialog', { name: '한나래솔 프로필' })
  await expect(card.getByRole('link', { name: '전화: 010-1212-3434' })).toHaveAttribute(
    'href',
    'tel:01012123434',
  )
  await expect(card.getByRole('link', { name: '메일: garam@x.kr' })).toHaveAttribute(
    'href',
    'mailto:garam@x.kr',
  )
  await card.getByRole('button', { name: '복사: garam@x.kr' }).click()
  await expect(card.getByText('복사했습니다.')).toBeVisible()
  expect(await readClipboard(page)).toBe('garam@x.kr')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'colours')
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await expect(table.getByRole('button', { name: '한나래솔' })).toBeFocused()

  // Longer values change no width.
  await server.db
    .updateTable('users')
    .set({ email: `${'very.long.address'.repeat(3)}@example-company.co.kr` })
    .where('loginId', '=', userId)
    .execute()
  await page.reload()
  await expect(table).toContainText('very.long')
  expect(await widths()).toEqual(before)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(table.getByRole('columnheader')).toHaveText(['이름', '소속', '전화번호'])
  const row = table.getByRole('row', { name: /한나래솔/ })
  await expect(row.getByText('010-1212-3434')).toBeInViewport({ ratio: 1 })
  await row.getByRole('button').press('Enter')
  await expect(card.getByRole('link', { name: '전화: 010-1212-3434' })).toBeInViewport({ ratio: 1 })
})

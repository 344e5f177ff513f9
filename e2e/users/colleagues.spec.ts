import { expect, test } from '../fixtures/test.ts'
import { koreanWords } from '../fixtures/words.ts'
import { passGate } from '../account/steps.ts'

const ISSUER = '하늘누리'

test('a person shows their phone number, a colleague finds it and who wrote a notice (rules/colleagues#directory, rules/colleagues#profile-card, rules/colleagues#what-colleagues-see)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { page: own, person } = await as('user', { name: ISSUER, phoneNumber: '01077778888' })
  const { page } = await as('user', { name: 'Pat Kim' })
  const { id: noticeId } = await server.db
    .insertInto('notices')
    .values({ bullet_code: 'BE0001', title: '하늘누리의 안내', memo: null, author_id: person.id })
    .returning('id')
    .executeTakeFirstOrThrow()

  await own.goto('/mypage')
  await passGate(own)
  const phone = own.getByRole('checkbox', { name: '전화번호 공개' })
  await expect(phone).not.toBeChecked()
  await phone.press('Space')
  await expect(own.getByText('저장되었습니다.')).toBeVisible()
  await expect(phone).toBeFocused()
  await own.reload()
  await passGate(own)
  await expect(phone).toBeChecked()
  await expect(own.getByRole('checkbox', { name: '이메일 공개' })).not.toBeChecked()

  // By the palette, which the directory answers for who may search no users.
  await page.goto(`/notice/detail?noticeId=${noticeId}`)
  await expect(page.getByRole('button', { name: '찾기', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /찾기/ }).fill(ISSUER)
  const people = page.getByRole('group', { name: '사람' }).getByRole('option')
  await expect(people).toHaveText([/하늘누리.*본사 · 대리/])
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('임직원 조회 | 마루')
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
  await expect(card.getByRole('link', { name: '010-7777-8888' })).toBeVisible()
  await expect(card.getByText('Not shown')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await expect(name).toBeFocused()
  await server.db.updateTable('users').set({ withdrawn_at: new Date() }).where('id', '=', person.id).execute()
  await name.click()
  await expect(card.getByText('This person’s account was withdrawn.')).toBeVisible()
  await expect(card).not.toContainText('7777')
  await page.keyboard.press('Escape')
  await expect(name).toBeFocused()
})

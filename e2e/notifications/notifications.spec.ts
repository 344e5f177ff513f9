import { notify } from '../../server/records/notifications.ts'
import { expect, test } from '../fixtures/test.ts'

/* The bell counts by itself, and leads to what it tells of (rules/notifications#bell, rules/notifications#live). */
test('shows a new notification on the bell without a reload, and marks it read', async ({
  as,
  server,
  expectAccessible,
}) => {
  // Other tests leave must-read notices and requests behind: everything until now is read.
  const { page, person } = await as('user')
  const stream = page.waitForResponse((response) => response.url().endsWith('/ntf/v1/stream'))
  await server.db
    .insertInto('notificationStates')
    .values({ userId: person.id, readUntil: new Date() })
    .execute()
  await page.goto('/main')
  const bell = page.getByRole('banner').getByRole('button', { name: /알림/ })
  await expect(bell).toHaveAccessibleName('알림')
  const place = await bell.boundingBox()
  await stream

  const detail = { requestKey: 'BELL-KEY', reason: '장비 분실' }
  await notify(server.db, { kind: 'KEY_REVOKED', userId: person.id, detail })
  await expect(bell).toHaveAccessibleName('읽지 않은 알림 1건')
  expect(await bell.boundingBox()).toEqual(place)
  // Another window of the same browser is notified by this one: a stream uses one of few connections.
  const other = await page.context().newPage()
  const streams: string[] = []
  other.on('request', (request) => request.url().endsWith('/stream') && streams.push(request.url()))
  await other.goto('/main')
  const otherBell = other.getByRole('banner').getByRole('button', { name: /알림/ })
  await expect(otherBell).toHaveAccessibleName('읽지 않은 알림 1건')
  await notify(server.db, { kind: 'NEW_NETWORK', userId: person.id, detail: { address: '192.0.2.9' } })
  for (const each of [bell, otherBell]) await expect(each).toHaveAccessibleName('읽지 않은 알림 2건')
  expect(streams).toEqual([])
  await other.close()

  await bell.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: '알림' })
  const revoked = panel.getByRole('link', { name: /키 BELL-KEY/ })
  await expect(revoked).toContainText('사유: 장비 분실')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(bell).toBeFocused()
  await page.keyboard.press('Enter')
  await revoked.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/key\/search/)
  await expect(bell).toHaveAccessibleName('읽지 않은 알림 1건')

  // All of them, and the unread alone (rules/notifications#notification-page).
  await bell.click()
  await panel.getByRole('link', { name: '알림 모두 보기' }).click()
  const list = page.getByRole('table', { name: '알림 목록' })
  await expect(list.getByRole('row', { name: /BELL-KEY/ })).toContainText('읽음')
  await page.getByRole('checkbox', { name: '읽지 않은 알림만' }).check()
  await expect(list.getByRole('link')).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: '모두 읽음' }).click()
  await expect(list).toContainText('읽지 않은 알림이 없습니다.')
  await expect(bell).toHaveAccessibleName('알림')
  await page.reload()
  await expect(list).toContainText('읽지 않은 알림이 없습니다.')
})

test('keeps the number on the next page, and never shows it to another user (rules/notifications#bell)', async ({
  as,
  server,
}) => {
  const { page, person } = await as('user')
  await server.db.deleteFrom('notices').execute()
  await notify(server.db, { kind: 'NEW_NETWORK', userId: person.id, detail: { address: '192.0.2.7' } })
  await page.goto('/main')
  const bell = page.getByRole('banner').getByRole('button', { name: /알림/ })
  await expect(bell).toHaveAccessibleName('읽지 않은 알림 1건')
  // The server answers no more: the number is that of the page before.
  await page.route('**/ntf/v1/**', (route) => route.abort())
  await page.goto('/key/search')
  await expect(bell).toHaveAccessibleName('읽지 않은 알림 1건')

  const other = await server.createUser({ name: '다음사람' })
  await page.evaluate(
    ([uid, userId]) => {
      localStorage.setItem('session_uid', uid)
      localStorage.setItem('session_user_id', userId)
    },
    [other.session, other.userId] as const,
  )
  await page.goto('/main')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('다음사람')
  await expect(bell).toHaveAccessibleName('알림')
})

/* Channels of each kind of notification (rules/notifications#choices). */
test('sets and keeps preferences for portal and mail by keyboard', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('user', { name: '고르미' })
  await server.db
    .insertInto('notificationStates')
    .values({ userId: person.id, readUntil: new Date() })
    .execute()
  await page.goto('/notification/search')
  await page.getByRole('link', { name: '알림 설정' }).click()
  const revoked = page.getByRole('group', { name: '내 키 폐기' })
  const isShown = revoked.getByRole('checkbox', { name: '포털에 표시' })
  const mail = (name: string) => revoked.getByRole('radio', { name })
  await expect(isShown).toBeChecked()
  await expect(mail('바로')).toBeChecked()
  await expect(page.getByRole('group', { name: '새로운 네트워크에서 로그인' })).toContainText('항상 알립니다')
  await expect(page.getByRole('group', { name: '회원가입 신청' })).toBeHidden()
  await isShown.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await expect(mail('바로')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(mail('하루 한 번')).toBeChecked()
  await expect(page.getByText('저장되었습니다.')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(mail('하루 한 번')).toBeChecked()
  await expect(isShown).not.toBeChecked()
})

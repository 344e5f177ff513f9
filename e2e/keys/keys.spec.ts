import type { Page } from '@playwright/test'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose } from '../users/steps.ts'
import { makeKeys } from './steps.ts'

const filters = (page: Page) => page.getByRole('search')
const rows = (page: Page) => page.getByRole('table', { name: '키 발급 이력 목록' }).locator('tbody th')
const search = (page: Page) => filters(page).getByRole('button', { name: '검색', exact: true }).click()

test.describe('the key history (rules/keys#key-history)', () => {
  test('applies every filter, keeps the URL, and offers an export of what was searched (rules/keys#key-export)', async ({
    as,
    server,
    expectAccessible,
  }) => {
    await makeKeys(server, 9, '라마바')
    const { page } = await as('user')
    await page.goto('/key/search')
    await expect(page).toHaveTitle('키 발급 이력 조회 | 마루')
    await expect(page.getByRole('columnheader')).toHaveText([
      'No.',
      '지역',
      '소속',
      '아이디',
      '요청자명',
      '전화번호',
      '요청 키',
      '발급 키',
      '발급일',
    ])
    for (const name of ['시/도', '시/군/구', '소속']) {
      await expect(filters(page).getByRole('button', { name: new RegExp(`통합검색 ${name}`) })).toBeVisible()
    }
    await choose(filters(page), '시/도', '울산광역시')
    await choose(filters(page), '시/군/구', '울주군')
    await filters(page).getByLabel('요청자명').fill('라마')
    await filters(page).getByLabel('요청자명').press('Enter')
    await expect(page.getByText('총 9건')).toBeVisible()
    await page.getByRole('button', { name: '마지막 페이지' }).click()
    await expect(rows(page)).toHaveCount(1)
    await expect(page.getByRole('row', { name: '단말기-0' })).toContainText(
      /울산광역시 울주군.*\*{8}.*2031-08-01/,
    )
    await filters(page).getByLabel('발급 시작일', { exact: true }).fill('2031-08-03')
    await filters(page).getByLabel('발급 종료일', { exact: true }).fill('2031-08-04')
    await search(page)
    await expect(page.getByText('총 2건')).toBeVisible()
    await page.reload()
    await expect(page.getByText('총 2건')).toBeVisible()
    await expect(filters(page).getByLabel('요청자명')).toHaveValue('라마')
    await page.getByRole('button', { name: '내보내기' }).click()
    const dialog = page.getByRole('dialog', { name: '키 발급 이력 내보내기' })
    await expect(dialog.getByText('검색한 키 발급 이력 2건')).toBeVisible()
    // Whole numbers are offered only to those who may have them (rules/lists#masking).
    await expect(dialog.getByText('전화번호는 일부가 가려집니다.')).toBeVisible()
    await expect(dialog.getByLabel('전화번호를 가리지 않고')).toHaveCount(0)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await choose(filters(page), '시/도', '서울특별시')
    await expect(filters(page).getByRole('button', { name: /통합검색 시\/군\/구/ })).toBeVisible()
    await search(page)
    await expect(page.getByText('검색된 키 발급 이력이 없습니다.')).toBeVisible()
    await filters(page).getByLabel('발급 종료일', { exact: true }).fill('2031-08-01')
    await expect(page.getByText('종료일은 시작일보다 빠를 수 없습니다.')).toBeVisible()
    // An address may say anything: what the server refuses fails in place.
    await page.goto(`/key/search?requesterName=${'가'.repeat(101)}`)
    await expect(page.getByRole('alert')).toContainText('100')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('shows a key that only an administrator may revoke, with its reason', async ({
    as,
    server,
    expectAccessible,
  }) => {
    await makeKeys(server, 1, '사아자')
    const { page } = await as('admin')
    await page.goto('/key/search?requesterName=사아자')
    await page.getByRole('button', { name: '사아자의 키 단말기-0 폐기' }).click()
    const dialog = page.getByRole('dialog', { name: '키 폐기' })
    for (const fact of ['사아자 (', '단말기-0', '2031-08-01 09:00:00'])
      await expect(dialog.getByRole('definition').filter({ hasText: fact })).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: '폐기', exact: true }).click()
    await expect(dialog.getByText('필수 입력 항목입니다.')).toBeVisible()
    await dialog.getByLabel('폐기 사유').fill('단말기 분실')
    await dialog.getByLabel('폐기 사유').press('Enter')
    await closeToast(page, '키가 폐기되었습니다.')
    await expect(page.getByTitle(/ \S+ 폐기: 단말기 분실$/)).toHaveText('폐기됨')
    await expect(page.getByRole('button', { name: '사아자의 키 단말기-0 폐기' })).toHaveCount(0)
    await page.getByRole('button', { name: '열 선택' }).click()
    await page.getByRole('dialog').getByText('폐기 사유', { exact: true }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('cell', { name: '단말기 분실', exact: true })).toBeVisible()
    const { page: other } = await as('user')
    await other.goto('/key/search?requesterName=사아자')
    await expect(other.getByText('폐기됨')).toBeVisible()
    await expect(other.getByRole('columnheader', { name: '폐기', exact: true })).toHaveCount(0)
  })
})

test.describe('statistics and services (rules/keys#key-statistics, rules/keys#services)', () => {
  test('charts per day, province and affiliation, with tables and links to the history', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    await makeKeys(server, 3, '차카타')
    const { page } = await as('user')
    await page.goto('/key/search?requesterName=차카타')
    await page.getByRole('button', { name: '통계로 보기' }).click()
    await expect(page).toHaveTitle('키 발급 통계 | 마루')
    await expect(page.getByText('총 3건')).toBeVisible()
    await expect(page.getByRole('heading', { name: '일별 발급 수' })).toBeVisible()
    await page.getByText('표로 보기').first().click()
    await page
      .getByRole('table', { name: '일별 발급 수' })
      .getByRole('button', { name: '2031-08-02' })
      .click()
    await expect(page).toHaveURL(/\/key\/search\?.*issuedFrom=2031-08-02/)
    await expect(rows(page)).toHaveText(['차카타'])
    await page.goBack()
    await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible()
    await page.locator('.recharts-bar-rectangle').first().click()
    await expect(page).toHaveURL(/issuedFrom=2031-08-01&issuedTo=2031-08-01/)
    // The time axis holds the days without a key too; by keyboard, Enter leads on.
    await page.goto('/key/statistics?requesterName=차카타&issuedTo=2031-08-05')
    const days = page.locator('.recharts-surface').first()
    await expect(days.locator('.recharts-xAxis-tick-labels text')).toHaveText(
      [1, 2, 3, 4, 5].map((day) => `2031-08-0${day}`),
    )
    await days.focus()
    for (const said of ['2031-08-011건', '2031-08-021건', '2031-08-031건', '2031-08-040건']) {
      await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible()
      if (!said.endsWith('0건')) await page.keyboard.press('ArrowRight')
    }
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/issuedFrom=2031-08-04&issuedTo=2031-08-04/)
    await page.goBack()
    await expect(page.getByText('총 3건')).toBeVisible()
    await expectAccessibleInEveryLook(page)

    // On a phone fewer dates fit, and none overlaps another.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/key/statistics?requesterName=차카타&issuedTo=2031-12-31')
    const dates = days.locator('.recharts-xAxis-tick-labels text')
    await expect(dates.first()).toBeVisible()
    await expect.poll(() => dates.count()).toBeLessThan(5)
    const edges = await dates.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
    expect(edges.length).toBeGreaterThan(1)
    for (const [index, { left }] of edges.entries())
      expect(left).toBeGreaterThan(edges[index - 1]?.right ?? 0)
  })

  test('shows how many keys need the previous secret, of which users, and which (rules/keys#changed-secret)', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { holder } = await makeKeys(server, 3, '아자차')
    // These keys have a secret that this server lacks; it is marked as forgotten, so that the server keeps issuing.
    await server.pool.query(
      `insert into key_secrets (version, fingerprint, forgotten_at) values (99, '\\x01', now())`,
    )
    await server.pool.query('update issued_keys set secret_version = 99 where user_id = $1', [holder.id])
    const { page } = await as('admin')
    await page.goto('/key/secrets')
    await expect(page).toHaveTitle('키 비밀값 | 마루')
    const secrets = page.getByRole('table', { name: '키 비밀값 목록', exact: true })
    await expect(secrets.getByRole('row', { name: '99' })).toContainText('없음 (키 무효)')
    await expect(secrets.getByRole('row', { name: '99' })).toContainText('3개')
    const people = page.getByRole('table', { name: '이전 비밀값의 키를 보유한 사용자 목록' })
    await expect(people.getByRole('row', { name: '아자차' })).toContainText('2031-08-03')
    await expectAccessibleInEveryLook(page)

    await server.pool.query('update issued_keys set secret_version = 1 where user_id = $1', [holder.id])
    await server.pool.query('delete from key_secrets where version = 99')
    await page.reload()
    // The last look was the English one.
    await expect(page.getByText('No user has a key of a previous secret.')).toBeVisible()
    await expect(page.getByRole('row', { name: '99' })).toHaveCount(0)
  })

  test('creates, shows once, rotates and revokes a service token (rules/keys#token-rollover)', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page } = await as('admin')
    // As one from before tokens had an end.
    const old = await server.createService()
    await server.pool.query(`update service_tokens set name = '오래된 서비스' where id = $1`, [old.id])
    await page.goto('/key/services')
    await page.getByRole('button', { name: '토큰 만들기' }).click()
    const name = page.getByRole('textbox', { name: '서비스 이름' })
    await name.fill('지도 서비스')
    await name.press('Enter')
    const shown = page.getByRole('dialog', { name: '서비스 토큰', exact: true })
    await expect(shown.getByRole('textbox', { name: '토큰', exact: true })).toHaveValue(/^maru-service-/)
    await expectAccessible(page)
    await shown.getByRole('button', { name: '닫기', exact: true }).last().click()
    await answer(page, '저장하지 않은 내용', '네')
    await expect(page.getByText(/maru-service-/)).toHaveCount(0)
    await expect(page.getByRole('row', { name: '지도 서비스' })).toContainText('사용 중')
    await expect(page.getByRole('row', { name: '오래된 서비스' })).toContainText('만료 없음')
    const hint = page.getByText('만료일이 없는 토큰이 있습니다. 교체하면 만료일이 정해집니다.')
    await expect(hint).toBeVisible()
    await page.getByRole('button', { name: '오래된 서비스 토큰 교체', exact: true }).click()
    const rollover = page.getByRole('dialog', { name: '오래된 서비스 토큰 교체', exact: true })
    await rollover.getByRole('button', { name: '교체', exact: true }).click()
    await expect(shown.getByRole('textbox', { name: '토큰', exact: true })).toHaveValue(/^maru-service-/)
    await shown.getByRole('button', { name: '닫기', exact: true }).last().click()
    await answer(page, '저장하지 않은 내용', '네')
    await expect(page.getByRole('row', { name: '오래된 서비스' })).toContainText(/이전 토큰 \d{4}-/)
    await expect(hint).toHaveCount(0)
    await page.getByRole('button', { name: '지도 서비스 토큰 폐기', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '네' }).click()
    await expect(page.getByRole('row', { name: '지도 서비스' })).toContainText('폐기됨')
  })
})

import type { Page } from '@playwright/test'
import { logIn } from '../account/steps.ts'
import { answer, closeToast, logOut } from '../fixtures/dialogs.ts'
import { mailTo } from '../fixtures/mail.ts'
import {
  certify,
  checkId,
  confirmAlert,
  fillSignUp,
  findUser,
  sendCode,
  somebodyNew,
  submit,
} from '../fixtures/self-service.ts'
import { expect, PASSWORD, test, type WorkerMaru } from '../fixtures/test.ts'
import { documentWidth } from '../fixtures/width.ts'

const WIDTHS = [390, 768, 1280, 1920]
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const HOSTILE = [
  '# 처리방침 둘',
  '<script>window.isHit = true</script><img src=x onerror="window.isHit = true">',
  '[여기](javascript:window.isHit=true)',
  '| 항목 | 기간 |\n| --- | --- |\n| 이름 | 30일 |',
].join('\n\n')

async function publish({ pool }: WorkerMaru, text: string): Promise<void> {
  await pool.query(
    `insert into privacy_notices (version, text_ko, text_en, is_material, published_by)
      select coalesce((select max(version) from privacy_notices), 0) + 1, $1, '# Our notice', true, min(id) from users`,
    [text],
  )
}

async function fitsEveryWidth(page: Page): Promise<void> {
  const { width = 1280, height = 800 } = page.viewportSize() ?? {}
  for (const each of WIDTHS) {
    await page.setViewportSize({ width: each, height })
    expect(await documentWidth(page), `${each} px`).toBeLessThanOrEqual(each)
  }
  await page.setViewportSize({ width, height })
}

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('rateLimits').execute()
})
test.afterEach(async ({ server }) => {
  await server.pool.query('truncate privacy_notices, privacy_acceptances')
})

test('publishes a notice from the template, once its gaps are filled (rules/settings#privacy-notice, rules/settings#privacy-template)', async ({
  as,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  await page.goto('/setting/privacy')
  const footer = page.getByRole('contentinfo').getByRole('link', { name: '개인정보 처리방침', exact: true })
  const korean = page.getByRole('textbox', { name: '한국어 (Markdown)' })
  await expect(page.getByText('아직 게시하지 않았습니다.')).toBeVisible()
  await expect(page.getByText('개인정보 보호법 제30조제1항')).toBeVisible()
  await expect(footer).toHaveCount(0)

  await button(page, '템플릿 넣기').press('Enter')
  await expect(korean).toBeFocused()
  await expect(korean).toHaveValue(/## 13\. 개인정보 보호책임자/)
  await button(page, '게시').click()
  await expect(page.getByText('템플릿의 【 】 안을 회사의 내용으로 바꿔주세요.')).toBeVisible()
  await korean.fill((await korean.inputValue()).replaceAll(/[【】]/g, ''))
  await page.getByRole('button', { name: '미리 보기' }).press('Enter')
  await expect(page.getByRole('heading', { name: '7. 처리 위탁' })).toBeVisible()
  await fitsEveryWidth(page)

  await button(page, '게시').press('Enter')
  await answer(page, '개인정보 처리방침 게시', '네')
  await closeToast(page, '개인정보 처리방침 버전 1을 게시했습니다.')
  const versions = page.getByRole('table', { name: '게시한 버전' })
  await expect(versions.getByRole('row', { name: /^1 / })).toContainText('0명')
  await expect(footer).toBeVisible()
  await expectAccessibleInEveryLook(page)
})

test('asks for the acceptance at sign-up, and shows the notice to everyone (rules/account#privacy-acceptance, rules/settings#privacy-versions)', async ({
  page,
  server,
  expectAccessible,
}) => {
  await publish(server, '# 처리방침 하나')
  const person = somebodyNew()
  await page.goto('/signup')
  await fillSignUp(page, person)
  await checkId(page)
  await submit(page).click()
  const refusal = page.getByText('개인정보 처리방침을 읽고 확인해주세요.')
  await expect(refusal).toBeVisible()
  const box = page.getByRole('checkbox', { name: '개인정보 처리방침을 확인했습니다.' })
  await expect(box).toBeFocused()
  await page.keyboard.press('Space')
  await expect(refusal).toHaveCount(0)
  await certify(page)
  // Another version is published meanwhile: the applicant has to read and accept it.
  await publish(server, HOSTILE)
  await sendCode(page, (await mailTo(server, person.email)).code)
  const changed = '개인정보 처리방침이 바뀌었습니다. 새 내용을 확인해주세요.'
  await confirmAlert(page, changed)
  await expect(box).not.toBeChecked()
  await fitsEveryWidth(page)
  await box.press('Space')
  await submit(page).click()
  await confirmAlert(page, '승인 요청이 완료되었습니다. 관리자의 승인 후 로그인해주세요.')
  const user = await findUser(server, person.userId)
  const accepted = await server.pool.query('select version from privacy_acceptances where user_id = $1', [
    user?.id,
  ])
  expect(accepted.rows).toEqual([{ version: 2 }])

  await page.getByRole('link', { name: '개인정보 처리방침', exact: true }).click()
  await expect(page).toHaveURL('/privacy')
  await expect(page.getByRole('cell', { name: '30일' })).toBeVisible()
  await expect(page.getByText('<script>window.isHit = true</script>')).toBeVisible()
  await expect(page.getByRole('link', { name: '여기' })).toHaveCount(0)
  expect(await page.evaluate(() => 'isHit' in window)).toBe(false)
  await page.getByRole('link', { name: /^버전 1 · / }).click()
  await expect(page).toHaveURL('/privacy?version=1')
  await expect(page.getByRole('heading', { name: '처리방침 하나' })).toBeVisible()
  await fitsEveryWidth(page)
  await expectAccessible(page)
})

test('leads a login to the notice before anything else, and then to the requested page (rules/account#privacy-acceptance)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page, person } = await as('user')
  await publish(server, '# 처리방침 하나')
  // The session began before.
  await page.goto('/notice/search')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('공지사항 조회')
  await logOut(page)
  await page.goto('/notification/setting')
  await logIn(page, person.userId, PASSWORD)
  await expect(page).toHaveURL('/privacy')
  await expect(page.getByRole('heading', { name: '처리방침 하나' })).toBeVisible()
  await page.goto('/mypage')
  await expect(page).toHaveURL('/privacy')
  await expectAccessibleInEveryLook(page)
  await expect(page.getByRole('heading', { name: 'Our notice' })).toBeVisible()
  await button(page, 'Confirm and go on').press('Enter')
  await expect(page).toHaveURL('/mypage')
  await page.goto('/privacy')
  await expect(page.getByRole('heading', { name: 'Our notice' })).toBeVisible()
  await expect(button(page, 'Confirm and go on')).toHaveCount(0)

  // A tab whose session began by a password change has no response that says it: a refused call does.
  await publish(server, '# 처리방침 둘')
  await server.pool.query("update sessions set created_at = now() + interval '1 second' where user_id = $1", [
    person.id,
  ])
  await page.goto('/notice/search')
  await expect(page).toHaveURL('/privacy')
  await button(page, 'Confirm and go on').click()
  await expect(page).toHaveURL('/notice/search')
})

import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { setLook, koreanWords } from '../fixtures/korean-text.ts'

/** The smallest PNG. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

// The portal of the worker's other tests is the demo's again.
test.afterEach(({ server }) =>
  server.pool
    .query(`update settings set company_name = null, logo_text = null, portal_url = null, offices = null,
    logo = null, logo_type = null, logo_digest = null, company_name_en = null, logo_text_en = null,
    setup_state = 'finished'`),
)

test('guides the first administrator through the setup, pauses and resumes the guide (rules/settings#guide, rules/settings#start-of-the-guide)', async ({
  page,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { userId } = await server.createUser({ role: 'admin', name: '관리자' })
  await server.pool.query(`update settings set setup_state = 'open'`)
  const steps = page.getByRole('main').getByRole('listitem')
  const step = (name: string) => steps.filter({ hasText: name })

  await page.goto('/login')
  await page.getByLabel('아이디', { exact: true }).fill(userId)
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/setup')
  await expect(page.getByRole('heading', { name: '설정 안내', level: 1 })).toBeVisible()
  await expect(step('내 이메일과 비밀번호')).toContainText('완료')
  await expect(step('회사 이름과 로고')).toContainText('미완료')
  await expectAccessible(page)

  await step('회사 이름과 로고').getByRole('link').click()
  await expect(page).toHaveURL('/setting/manage#company')
  const company = page.getByRole('textbox', { name: '회사 이름', exact: true })
  await expect(company).toBeFocused()
  await company.fill('')
  await page.getByRole('textbox', { name: '포털 주소' }).fill('portal.nara.kr')
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await expect(company).toHaveAccessibleDescription('필수 입력 항목입니다.')
  await expect(page.getByRole('textbox', { name: '포털 주소' })).toHaveAccessibleDescription(
    /로 시작하는 주소를 입력해주세요/,
  )
  await company.fill('주식회사 나라')
  await page.getByLabel('로고 글자').fill('나라')
  await page.getByRole('button', { name: /지금 접속한 주소 사용/ }).click()
  await expect(page.getByRole('textbox', { name: '포털 주소' })).toHaveValue(server.url)
  const image = page.locator('input[type=file]')
  await image.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(200_000) })
  await expect(page.getByText('로고 이미지는 100KB까지 업로드할 수 있습니다.')).toBeVisible()
  await image.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG })
  await expect(page.getByAltText('현재 로고 이미지')).toBeVisible()

  await page.getByRole('button', { name: '부산지사 삭제' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: '사업장 추가' })).toBeFocused()
  await page.getByRole('button', { name: '광주지사 위로' }).click()
  await page.getByRole('button', { name: '사업장 추가' }).click()
  const added = page.getByRole('main').getByRole('listitem').last()
  await added.getByLabel('사업장 이름').fill('제주지사')
  await added.getByLabel('주소', { exact: true }).fill('제주특별자치도 제주시 문연로 6')
  await added.getByLabel('영문 이름').fill('Jeju branch')
  await page.getByLabel('영문 회사명').fill('Nara Trading')
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await closeToast(page, '설정을 저장했습니다.')

  // This page knows at once.
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('button', { name: '사업장 안내' }).click()
  await expect(footer.getByRole('listitem').locator('strong')).toHaveText([
    '본사',
    '광주지사',
    '대전지사',
    '제주지사',
  ])
  await expect(footer).toContainText('주식회사 나라')
  await expect(page.getByRole('banner').getByRole('link', { name: '나라' }).locator('img')).toBeVisible()
  await expect(page).toHaveTitle(/나라/)
  // English screens say what was typed in English, the words of a placeholder, and else the Korean ones.
  await setLook(page, 'English')
  await expect(footer).toContainText('Nara Trading')
  await expect(footer.getByRole('listitem').locator('strong')).toHaveText([
    'Head office',
    'Gwangju branch',
    'Daejeon branch',
    'Jeju branch',
  ])
  await expect(footer).toContainText('제주특별자치도 제주시 문연로 6')
  await setLook(page, '한국어')
  await expect(page.getByText(/마지막 변경: .* 관리자/)).toBeVisible()

  await page.getByRole('link', { name: '설정 안내로 돌아가기' }).click()
  for (const name of ['회사 이름과 로고', '포털 주소', '사업장'])
    await expect(step(name).first()).toContainText('완료')
  await expect(page.getByRole('link', { name: '설정 안내로 돌아가기' })).toHaveCount(0)
  await page.getByRole('button', { name: '나중에 하기' }).click()
  await expect(page).toHaveURL('/main')
  await page.getByRole('link', { name: '설정 안내 열기' }).click()
  // The menu leads out of the guide, but for the page that it led to.
  const back = page.getByRole('link', { name: '설정 안내로 돌아가기' })
  await step('회사 이름과 로고').getByRole('link').click()
  for (const [title, count] of [
    ['포털 설정', 1],
    ['소속 관리', 0],
  ] as const) {
    await expect(back).toHaveCount(1)
    await page.getByRole('banner').getByRole('button', { name: '설정', exact: true }).hover()
    await page.getByRole('banner').getByRole('link', { name: title }).click()
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expect(back).toHaveCount(count)
  }
  await page.goto('/setup')
  await page.getByRole('button', { name: '안내 끝내기' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('메일 발송')
  await answer(page, '설정 안내 끝내기', '네')
  await expect(page).toHaveURL('/main')
  await expect(page.getByRole('heading', { name: '관리자 님, 안녕하세요.' })).toBeVisible()
  await expect(page.getByRole('link', { name: '설정 안내 열기' })).toHaveCount(0)
})

test('shows the second of two editors the saved changes and keeps their input (rules/settings#save-settings)', async ({
  as,
  server,
}) => {
  const { page } = await as('admin', { name: 'Kim' })
  const { page: theirs } = await as('admin')
  for (const each of [page, theirs]) await each.goto('/setting/manage')
  await page.getByLabel('로고 글자').fill('마루')
  await page.getByRole('textbox', { name: '포털 주소' }).fill('https://portal.maru.kr')
  await theirs.getByLabel('회사 이름').fill('주식회사 다른')
  await theirs.getByRole('button', { name: '저장', exact: true }).click()
  await closeToast(theirs, '설정을 저장했습니다.')
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await answer(page, /다른 사용자가 이 정보를 수정했습니다/, '확인')
  await expect(page.getByRole('textbox', { name: '회사 이름', exact: true })).toHaveValue('주식회사 다른')
  await expect(page.getByRole('textbox', { name: '포털 주소' })).toHaveValue('https://portal.maru.kr')
  const card = page.getByRole('region', { name: '다른 사용자가 먼저 저장한 내용' })
  await expect(card).toBeFocused()
  // No field was changed by both: nothing to overwrite.
  await expect(card.getByRole('alert')).toContainText('함께 수정한 항목은 없습니다.')
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await closeToast(page, '설정을 저장했습니다.')
  const { rows } = await server.pool.query('select company_name, portal_url from settings')
  expect(rows).toEqual([{ company_name: '주식회사 다른', portal_url: 'https://portal.maru.kr' }])

  await page.getByLabel('회사 이름').first().fill('주식회사 나')
  await theirs.reload()
  await theirs.getByLabel('회사 이름').first().fill('주식회사 남')
  await theirs.getByRole('button', { name: '저장', exact: true }).click()
  await closeToast(theirs, '설정을 저장했습니다.')
  await page.getByRole('button', { name: '저장', exact: true }).press('Enter')
  await answer(page, /다른 사용자가 이 정보를 수정했습니다/, '확인')
  await expect(card).toBeFocused()
  await expect(card).toContainText('주식회사 남')
  await page.getByRole('button', { name: '저장', exact: true }).press('Enter')
  const question = page.getByRole('alertdialog', { name: '다른 사용자가 먼저 저장한 내용' })
  await expect(question.getByRole('button', { name: '아니오' })).toBeFocused()
  await page.keyboard.press('Enter')
  await card.getByRole('button', { name: '이 내용으로 바꾸기' }).press('Enter')
  await expect(page.getByRole('textbox', { name: '회사 이름', exact: true })).toHaveValue('주식회사 남')
  await expect(page.getByRole('textbox', { name: '회사 이름', exact: true })).toBeFocused()
  await setLook(page, 'English')
  // The choice is kept once its texts are there.
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.goto('/setup')
  await page.getByRole('heading', { name: 'Setup guide', level: 1 }).waitFor()
  await expect.poll(() => koreanWords(page)).toEqual([])
})

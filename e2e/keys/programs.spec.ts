import type { Page } from '@playwright/test'
import { answer } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test, type SignedIn, type WorkerMaru } from '../fixtures/test.ts'

const card = (page: Page) => page.getByRole('region', { name: '프로그램 토큰', exact: true })
const row = (page: Page, name: string) => card(page).getByRole('row').filter({ hasText: name })

async function givePartner(server: WorkerMaru, { person }: SignedIn): Promise<void> {
  const code = await server.createPartner()
  await server.pool.query(
    'update users set partner_id = (select id from partners where code = $2) where id = $1',
    [person.id, code],
  )
}

async function passGate(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: '비밀번호', exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '확인', exact: true }).click()
}

async function openPrograms({ page }: SignedIn): Promise<void> {
  await page.goto('/mypage')
  await passGate(page)
  await card(page).getByRole('button', { name: '토큰 보기', exact: true }).click()
}

/** Closes the dialog that shows a new token, which is then nowhere, and gives the token. */
async function readToken(page: Page): Promise<string> {
  const shown = page.getByRole('dialog', { name: '프로그램 토큰', exact: true })
  const field = shown.getByRole('textbox', { name: '토큰', exact: true })
  await expect(field).toHaveValue(/^maru-program-/)
  const token = await field.inputValue()
  await shown.getByRole('button', { name: '닫기', exact: true }).last().click()
  await answer(page, '저장하지 않은 내용', '네')
  await expect(page.getByText(/maru-program-/)).toHaveCount(0)
  return token
}

async function makeToken(page: Page, name: string): Promise<void> {
  await card(page).getByRole('button', { name: '토큰 만들기', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '프로그램 토큰 만들기', exact: true })
  await dialog.getByRole('textbox', { name: '프로그램 이름' }).fill(name)
  await dialog.getByRole('button', { name: '토큰 만들기', exact: true }).click()
}

test.describe('the tokens of programs on my page (rules/keys#program-tokens)', () => {
  test('creates a token after password re-entry, shows it once, refuses its name again, rotates and ends it', async ({
    as,
    server,
  }) => {
    const me = await as('user')
    const { page } = me
    await givePartner(server, me)
    await openPrograms(me)
    await expect(card(page)).toContainText('만든 프로그램 토큰이 없습니다.')
    // The password was entered more than 10 minutes ago.
    await server.pool.query('update sessions set password_checked_at = null where user_id = $1', [
      me.person.id,
    ])
    await makeToken(page, '단말 설치')
    await expect(page.getByText('비밀번호를 다시 입력해야 합니다.')).toBeVisible()
    await passGate(page)
    const first = await readToken(page)
    await expect(row(page, '단말 설치')).toContainText('사용 중')
    await expect(row(page, '단말 설치')).toContainText('사용 안 함')

    await makeToken(page, '단말 설치')
    await page.getByRole('alertdialog').getByRole('button', { name: '확인', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '프로그램 토큰 만들기', exact: true })
    await expect(dialog).toContainText('이미 사용 중인 프로그램 이름입니다.')
    await page.keyboard.press('Escape')
    await answer(page, '저장하지 않은 내용', '네')

    await page.getByRole('button', { name: '단말 설치 토큰 교체', exact: true }).click()
    const rollover = page.getByRole('dialog', { name: '단말 설치 토큰 교체', exact: true })
    await rollover.getByRole('button', { name: '교체', exact: true }).click()
    expect(await readToken(page)).not.toBe(first)
    await expect(row(page, '단말 설치')).toContainText(/이전 토큰 \d{4}-\d{2}-\d{2} \d{2}:\d{2}까지/)

    await page.getByRole('button', { name: '단말 설치 토큰 종료', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: '프로그램 토큰 종료', exact: true })
    await question.getByRole('button', { name: '네', exact: true }).click()
    await expect(row(page, '단말 설치')).toContainText('종료됨')
  })

  test('needs a scope without a partner code, and lists scopes and networks (rules/keys#scopes)', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const me = await as('user')
    const { page } = me
    await openPrograms(me)
    await expect(card(page)).toContainText('파트너 코드가 없어 키를 발급할 수 없습니다.')
    await makeToken(page, '조회')
    await page.getByRole('alertdialog').getByRole('button', { name: '확인', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '프로그램 토큰 만들기', exact: true })
    await dialog.getByRole('checkbox', { name: '임직원 조회' }).check()
    const networks = dialog.getByRole('textbox', { name: '허용 IP 주소' })
    await networks.fill('10.0.0.0/8 여기')
    await dialog.getByRole('button', { name: '토큰 만들기', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '확인', exact: true }).click()
    await expect(dialog.getByRole('checkbox', { name: '임직원 조회' })).toBeChecked()
    await networks.fill('10.0.0.0/8\n192.0.2.1')
    await dialog.getByRole('button', { name: '토큰 만들기', exact: true }).click()
    await readToken(page)
    await expect(row(page, '조회')).toContainText('임직원 조회')
    await expect(row(page, '조회')).toContainText('10.0.0.0/8, 192.0.2.1/32')
    await expectAccessibleInEveryLook(page)
  })
})

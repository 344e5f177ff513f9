import type { Locator, Page } from '@playwright/test'
import { answer } from '../fixtures/dialogs.ts'
import { expect, type WorkerMaru } from '../fixtures/test.ts'

/** The filters of the user search. */
export const filters = (page: Page) => page.getByRole('search', { name: '검색 조건' })
/** Its search button. */
export const submit = (page: Page) => filters(page).getByRole('button', { name: '검색', exact: true })
/** The names in the result table. */
export const rows = (page: Page) => page.getByRole('table', { name: '사용자 목록' }).getByRole('rowheader')
/** A page of the pager. */
export const pageButton = (page: Page, number: number) =>
  page.getByRole('button', { name: `${number}페이지`, exact: true })
/** A drop-down list: its button is named by its value and its label. */
export const select = (scope: Page | Locator, label: string) =>
  scope.getByRole('button', { name: new RegExp(` ${label}$`) })

/** Picks an option of a drop-down list. */
export async function choose(scope: Page | Locator, label: string, option: string): Promise<void> {
  await select(scope, label).click()
  const page = 'page' in scope ? scope.page() : scope
  await page.getByRole('option', { name: option, exact: true }).click()
  await expect(select(scope, label)).toContainText(option)
}

/** Searches a name and waits for this many results. */
export async function search(page: Page, name: string, total: number): Promise<void> {
  await filters(page).getByLabel('이름').fill(name)
  await submit(page).click()
  await expect(page.getByText(`총 ${total}명`, { exact: true })).toBeVisible()
}

/** Opens the one user of this name, as a person does. */
export async function openUser(page: Page, name: string): Promise<void> {
  await page.goto('/user/search')
  await search(page, name, 1)
  await page.getByRole('link', { name: `${name} 수정` }).click()
  await expect(page).toHaveURL('/user/detail')
  // The address changes before the screen does, and the search has a field of this name too.
  await expect(page.getByRole('heading', { name: '사용자 수정' })).toBeVisible()
  await expect(page.getByLabel('이름', { exact: true })).toHaveValue(name)
}

/** Saves and says yes. */
export async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: '저장' }).click()
  await answer(page, '사용자 수정', '네')
}

/** Reads the user from the database. */
export function userRow(server: WorkerMaru, id: string) {
  return server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Creates a user whose admin card is complete, so that saving needs no more than the change under test. */
export async function completeUser(server: WorkerMaru, user: Parameters<WorkerMaru['createUser']>[0] = {}) {
  const person = await server.createUser({ validFrom: '2026-01-01', validTo: '2087-12-31', ...user })
  const code = await server.createPartner({
    code: `P-${person.userId.toUpperCase()}`,
    affiliation: user.affiliation ?? 'BEL001',
  })
  await server.db
    .updateTable('users')
    .set((eb) => ({ partnerId: eb.selectFrom('partners').select('id').where('code', '=', code) }))
    .where('id', '=', person.id)
    .execute()
  return { ...person, partnerCode: code }
}

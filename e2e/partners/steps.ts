import type { Page } from '@playwright/test'
import type { WorkerMaru } from '../fixtures/test.ts'

/** The partner code of the form that is open. */
export const code = (page: Page) => page.getByLabel('파트너 코드', { exact: true })
/** Its duplicate check. */
export const check = (page: Page) => page.getByRole('button', { name: '중복확인' })
/** The codes in the result table. */
export const rows = (page: Page) =>
  page.getByRole('table', { name: '파트너 코드 목록' }).getByRole('rowheader')
/** Reads the partner from the database. */
export const partnerRow = (server: WorkerMaru, partner: string) =>
  server.db.selectFrom('partners').selectAll().where('code', '=', partner).executeTakeFirst()

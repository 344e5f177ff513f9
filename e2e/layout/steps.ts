import type { Locator, Page } from '@playwright/test'

/** The menu of the header. */
export const menu = (page: Page): Locator => page.getByRole('navigation', { name: '주 메뉴' })
/** A top-level item of it. */
export const group = (page: Page, name: string): Locator =>
  menu(page).getByRole('button', { name, exact: true })

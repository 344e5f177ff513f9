import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { affiliationScreen as affiliations } from '../../contract/messages/en/affiliation-screen.ts'
import { guide } from '../../contract/messages/en/guide.ts'
import { home } from '../../contract/messages/en/home.ts'
import { catalogues } from '../../contract/messages/index.ts'
import { settingsForm as settings } from '../../contract/messages/en/settings-form.ts'
import { readConfig } from '../../server/config.ts'
import { type RunningMaru, startMaru } from '../../server/start.ts'
import { onServer, urlOf } from '../../dev/test-kit/database.ts'
import { delay } from '../fixtures/random-delays.ts'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import type { Run } from '../fixtures/global-setup.ts'
import { mailTo } from '../fixtures/mail.ts'
import { expect, test } from '../fixtures/test.ts'

/*
 * From an empty database to the first key, as a company's first administrator and its first employee do it. In English:
 * the other tests walk these screens in Korean.
 */

const run = promisify(execFile)
const PROGRAM = join(import.meta.dirname, '../../examples/issuing-keys/issue-key.ts')

/** A Maru on an empty database, and what its first start printed. */
async function startEmpty() {
  const { connection: server, serving } = JSON.parse(process.env['MARU_E2E_RUN'] ?? '') as Run
  const database = `maru_first_${randomUUID().replaceAll('-', '')}`
  await onServer(
    server,
    `create database ${database} encoding 'UTF8' template template0 lc_collate 'C' lc_ctype 'C.UTF-8'`,
  )
  const dataDir = mkdtempSync(join(tmpdir(), 'maru-e2e-first-'))
  const said: string[] = []
  const maru: RunningMaru = await startMaru({
    config: readConfig({
      DATABASE_URL: urlOf({ ...serving, database }),
      DATABASE_OWNER_URL: urlOf({ ...server, database }),
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
    }),
    say: (line) => said.push(line),
  })
  return {
    url: maru.url,
    dataDir,
    said,
    async close() {
      await maru.stop()
      await onServer(server, `drop database ${database} with (force)`)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const t = catalogues.en
const words = {
  company: 'Nara Inc.',
  office: 'Jeju office',
  employee: 'Saebom Kim',
  position: 'Engineer',
  hr: 'HR administrator',
}

const field = (scope: Page | Locator, label: string) => scope.getByLabel(label, { exact: true })
const button = (scope: Page | Locator, name: string) => scope.getByRole('button', { name, exact: true })
const choose = async (page: Page, scope: Page | Locator, label: string, option: string | RegExp) => {
  await scope.getByRole('button', { name: new RegExp(` ${label}$`) }).click()
  await page.getByRole('option', { name: option }).first().click()
}

async function logIn(page: Page, userId: string, password: string): Promise<void> {
  await page.goto('/login')
  await field(page, t.account.id).fill(userId)
  await field(page, t.account.password).fill(password)
  await button(page, t.account.login).click()
}

test('sets up an empty installation in English, to its first key (rules/settings#guide)', async ({
  browser,
  contextOptions,
}) => {
  const server = await startEmpty()
  const open = async () => {
    const context = await browser.newContext({
      ...contextOptions,
      baseURL: server.url,
      locale: 'en-US',
    })
    const page = await context.newPage()
    await delay(page)
    await page.goto('/login')
    await page.getByText('English', { exact: true }).click()
    // The choice is kept once its texts are there.
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    return page
  }
  const page = await open()

  // The password that the terminal shows has to be changed; then the guide opens.
  const [, printed = ''] = /with the password (\S+)/.exec(server.said.join('\n')) ?? []
  await logIn(page, 'admin', printed)
  const password = 'First-harbour-2026'
  await field(page, t.account.newPassword).fill(password)
  await field(page, t.account.newPasswordAgain).fill(password)
  await button(page, t.account.changePassword).click()
  await answer(page, t.account.changeQuestion.title, t.frame.yes)
  await answer(page, t.account.passwordChanged, t.frame.confirm)
  await expect(page).toHaveURL('/setup')
  const stepOf = (step: keyof typeof guide.steps) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: guide.steps[step][0], exact: true }) })
  const goTo = (step: keyof typeof guide.steps) => stepOf(step).getByRole('link').click()
  const back = async (...done: (keyof typeof guide.steps)[]) => {
    await page.getByRole('link', { name: t.settings.guide.back }).click()
    for (const step of done) await expect(stepOf(step)).toContainText(guide.done)
  }
  await expect(stepOf('mail')).toContainText(guide.lacks.mailServer)
  await expect(stepOf('ownAccount')).toContainText(guide.lacks.ownEmail)

  await goTo('company')
  await field(page, t.fields.companyName).fill(words.company)
  await page.getByRole('button', { name: settings.portalHere(server.url) }).click()
  await expect(page.getByRole('textbox', { name: t.fields.portalUrl, exact: true })).toHaveValue(server.url)
  await button(page, settings.save).click()
  await closeToast(page, settings.saved)
  await back('company', 'portalUrl')

  // No mail server yet: where the mail went, and what to do. The placeholder's address is not offered.
  await goTo('mail')
  await expect(field(page, settings.mailTestTo)).toHaveValue('')
  await field(page, settings.mailTestTo).fill('mailbox@nara.kr')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: '/outbox/' })).toBeVisible()
  await back()

  await goTo('ownAccount')
  await field(page, t.fields.password).fill(password)
  await button(page, t.users.gate.confirm).click()
  const own = 'admin@nara.kr'
  await field(page, t.users.account.own.newEmail).fill(own)
  await button(page, t.users.account.own.certify).click()
  await field(page, t.account.certifyNumber).fill((await mailTo(server, own)).code)
  await button(page, t.users.account.own.submit).click()
  await closeToast(page, t.users.account.own.done)
  await back('ownAccount')

  await goTo('affiliations')
  await button(page, affiliations.add).click()
  const adding = page.getByRole('dialog', { name: affiliations.add })
  await field(adding, affiliations.name).fill(words.office)
  await field(adding, t.fields.partnerCode).fill('jeju-1')
  await choose(page, adding, t.fields.provinceName, t.regionName('제주특별자치도'))
  await choose(page, adding, t.fields.districtName, t.regionName('제주시'))
  await button(adding, affiliations.save).click()
  await closeToast(page, affiliations.added(words.office))
  await back()

  // HR is invited, and makes a password by the link of the mail.
  await goTo('hr')
  const hr = { userId: 'hr.manager', email: 'hr@nara.kr', password: 'Second-harbour-2026' }
  await field(page, t.fields.userId).fill(hr.userId)
  await button(page, t.forms.checkId).click()
  await expect(page.getByText(t.forms.idFree)).toBeVisible()
  await choose(page, page, t.fields.affiliationCode, words.office)
  await field(page, t.fields.position).fill(words.position)
  await field(page, t.fields.name).fill(words.employee)
  await field(page, t.fields.phoneNumber).fill('01012345678')
  await field(page, t.fields.email).fill(hr.email)
  await field(page, t.fields.validTo).fill('2099-12-31')
  await expect(
    page.getByRole('button', { name: new RegExp(`^${words.hr}.* ${t.fields.roleCode}$`) }),
  ).toBeVisible()
  await expect(
    page.getByRole('button', { name: new RegExp(`JEJU-1.* ${t.fields.partnerCode}$`) }),
  ).toBeVisible()
  await button(page, t.users.register.submit).click()
  const asking = page.getByRole('dialog', { name: t.users.register.managerTitle })
  await field(asking, t.fields.managerPassword).fill(password)
  await asking.locator('button[type=submit]').click()
  await answer(page, t.users.register.title, t.frame.yes)
  // The answer does not claim that a mail was sent, because there is no mail server.
  await answer(page, t.success.invitationWritten, t.frame.confirm)
  await back('hr')

  const invited = await open()
  const [link = ''] = /https?:\S+\/invitation\S*/.exec((await mailTo(server, hr.email)).text) ?? []
  await invited.goto(link)
  await field(invited, t.account.password).fill(hr.password)
  await field(invited, t.account.passwordAgain).fill(hr.password)
  await button(invited, t.account.invitationSubmit).click()
  await closeToast(invited, t.account.invitationDone)
  await logIn(invited, hr.userId, hr.password)
  await expect(invited).toHaveURL('/main')

  // The first employee signs up; HR approves, with the default partner code.
  const visitor = await open()
  const person = { userId: 'saebom.kim', email: 'saebom@nara.kr', password: 'Green-hill-2026' }
  await visitor.goto('/signup')
  await field(visitor, t.account.id).fill(person.userId)
  await button(visitor, t.forms.checkId).click()
  await expect(visitor.getByText(t.forms.idFree)).toBeVisible()
  await field(visitor, t.account.password).fill(person.password)
  await field(visitor, t.account.passwordAgain).fill(person.password)
  await choose(visitor, visitor, t.fields.affiliationCode, words.office)
  await field(visitor, t.account.rank).fill(words.position)
  await field(visitor, t.fields.name).fill(words.employee)
  await field(visitor, t.fields.phoneNumber).fill('01087654321')
  await field(visitor, t.fields.email).fill(person.email)
  await button(visitor, t.account.certify).click()
  await field(visitor, t.account.certifyNumber).fill((await mailTo(server, person.email)).code)
  await button(visitor, t.account.requestApproval).click()
  await visitor.getByRole('alertdialog').getByRole('button', { name: t.frame.confirm }).click()

  await invited.getByRole('link', { name: new RegExp(`^${home.toDo.requests}`) }).click()
  await invited.getByRole('checkbox', { name: t.approvals.selectOne(words.employee), exact: true }).check()
  await button(invited.getByRole('main'), t.approvals.approve).click()
  const approving = invited.getByRole('dialog', { name: t.approvals.approveTitle })
  await expect(approving.getByRole('button', { name: /^JEJU-1/ })).toBeVisible()
  await field(approving, t.fields.validTo).fill('2099-12-31')
  await button(approving, t.approvals.approve).click()
  await closeToast(invited, t.approvals.approved(1, t.success.mailWritten))

  // The user's program asks for a key; the history shows it.
  const { stdout } = await run(process.execPath, [PROGRAM, 'issue', 'first-key'], {
    env: { ...process.env, MARU_URL: server.url, MARU_ID: person.userId, MARU_PW: person.password },
  })
  expect(JSON.parse(stdout)).toMatchObject({ KEY_ID: expect.any(String), ISSUED_KEY: expect.any(String) })
  await logIn(visitor, person.userId, person.password)
  await expect(visitor).toHaveURL('/main')
  await visitor.goto('/key/search')
  const row = visitor.getByRole('table', { name: t.keys.results }).getByRole('row').nth(1)
  await expect(row).toContainText('first-key')
  await expect(row).toContainText(words.office)
  await expect(row).toContainText(t.regionName('제주특별자치도 제주시'))

  for (const each of [page, invited, visitor]) await each.context().close()
  await server.close()
})

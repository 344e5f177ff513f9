import { parse } from 'csv-parse/sync'
import { readFile } from 'node:fs/promises'
import { passGate } from '../account/steps.ts'
import { answer } from '../fixtures/dialogs.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import {
  choose,
  completeUser,
  filters,
  openUser,
  rows,
  save,
  select,
  submit,
  userRow,
} from '../users/steps.ts'

/** Takes away what a test made: other tests begin with the roles and the flat affiliations of the seed. */
async function forgetBranch({ pool }: WorkerMaru): Promise<void> {
  await pool.query(`update codes set parent_code = null where group_code = 'COMBEL001'`)
  await pool.query(
    `update users set role_code = 'AUT003' where role_code in (select code from roles where not built_in)`,
  )
  await pool.query('delete from roles where not built_in')
}

test.afterEach(({ server }) => forgetBranch(server))

test('headquarters makes a branch role and gives it, and its holder works in the branch alone (rules/roles#branch-roles)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  const head = await completeUser(server, { name: '한지사', affiliation: 'BEL002' })
  await completeUser(server, { name: '두지사', affiliation: 'BEL003' })
  await completeUser(server, { name: '네지사', affiliation: 'BEL004' })

  // The tree, by keyboard from its button on.
  await page.goto('/affiliation/manage')
  await page.getByRole('button', { name: '대전지사 상위 소속 변경' }).press('Enter')
  const parent = page.getByRole('dialog', { name: '상위 소속' })
  await choose(parent, '상위 소속', '부산지사')
  await parent.getByRole('button', { name: '저장' }).click()
  await expect(parent).toHaveCount(0)
  await expect(page.getByRole('rowheader', { name: '대전지사' }).locator('[data-depth="1"]')).toBeVisible()
  // An affiliation is not offered what is below it.
  await page.getByRole('button', { name: '부산지사 상위 소속 변경' }).click()
  await select(parent, '상위 소속').click()
  await expect(page.getByRole('option', { name: '광주지사' })).toBeVisible()
  await expect(page.getByRole('option', { name: '대전지사' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await parent.getByRole('button', { name: '취소' }).click()

  await page.goto('/role/manage')
  await page.getByRole('button', { name: '권한 그룹 추가' }).click()
  const dialog = page.getByRole('dialog', { name: '권한 그룹 추가' })
  await dialog.getByLabel('한글 이름').fill('지사 관리')
  await dialog.getByLabel('영문 이름').fill('Branch desk')
  await choose(dialog, '템플릿', '지사 담당자')
  await expect(select(dialog, '범위')).toContainText('소속과 하위 소속')
  await dialog.getByRole('button', { name: '저장' }).click()
  await expect(page.getByRole('rowheader', { name: /지사 관리.*소속과 하위 소속/ })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: '지사 관리: 사용자 관리' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: '지사 관리: 설정 관리' })).toBeDisabled()
  await expectAccessibleInEveryLook(page)

  await page.evaluate(() => localStorage.setItem('language', 'ko'))
  await openUser(page, '한지사')
  await choose(page, '권한', '지사 관리')
  await save(page)
  await answer(page, '수정이 완료되었습니다.', '확인')

  const { page: branch } = await as('user', { affiliation: 'BEL002', name: '지사장' })
  await server.pool.query(
    `update users set role_code = (select code from roles where group_name = '지사 관리') where name = '지사장'`,
  )
  await branch.goto('/user/search')
  await filters(branch).getByLabel('이름').fill('지사')
  await submit(branch).click()
  await expect(rows(branch)).toHaveText([/지사장/, /두지사/, /한지사/])
  await select(branch, '소속').click()
  await expect(branch.getByRole('option')).toHaveText(['전체', '부산지사', '대전지사'])
  await branch.keyboard.press('Escape')

  // The company moves somebody out: the next search does not find them.
  await server.pool.query(`update users set affiliation_code = 'BEL004', partner_id = null where id = $1`, [
    head.id,
  ])
  await submit(branch).click()
  await expect(rows(branch)).toHaveText([/지사장/, /두지사/])

  // A new user belongs to the branch.
  await branch.goto('/user/insert')
  await select(branch, '소속').click()
  await expect(branch.getByRole('option')).toHaveText(['부산지사', '대전지사'])
})

test('lets the HR of a branch search, approve, publish and export within it, and not move herself (rules/roles#branch-roles, rules/roles#branch-holders)', async ({
  as,
  server,
}) => {
  await completeUser(server, { name: '부산담당자', affiliation: 'BEL002' })
  await completeUser(server, { name: '광주담당자', affiliation: 'BEL004' })
  await server.pool.query(`delete from approval_requests where state = 'waiting'`)
  await server.createUser({ name: '부산신청', affiliation: 'BEL002', asked: true })
  await server.createUser({ name: '광주신청', affiliation: 'BEL004', asked: true })
  const { page: company } = await as('admin')
  await company.goto('/role/manage')
  await company.getByRole('button', { name: '권한 그룹 추가' }).click()
  const dialog = company.getByRole('dialog', { name: '권한 그룹 추가' })
  await dialog.getByLabel('한글 이름').fill('지사 인사')
  await dialog.getByLabel('영문 이름').fill('Branch HR')
  await choose(dialog, '템플릿', '지사 담당자')
  await dialog.getByRole('button', { name: '저장' }).click()
  await expect(company.getByRole('rowheader', { name: /지사 인사/ })).toBeVisible()

  const { page, person } = await as('user', { affiliation: 'BEL002', name: '부산인사' })
  await server.pool.query(
    `update users set role_code = (select code from roles where group_name = '지사 인사') where id = $1`,
    [person.id],
  )
  // A request of the branch alone, approved with what the dialog proposes.
  await page.goto('/user/approval')
  await expect(page.getByText('총 1건')).toBeVisible()
  await page.getByRole('checkbox', { name: '부산신청 선택' }).check()
  await page.getByRole('button', { name: '승인', exact: true }).click()
  const approval = page.getByRole('dialog', { name: '승인 요청 승인' })
  // The form refuses an approval before the codes have loaded.
  await expect(select(approval, '파트너 코드 \\(.*\\)')).toContainText(/[A-Z]/)
  await approval.getByRole('button', { name: '승인', exact: true }).click()
  await expect(page.getByText('승인을 기다리는 요청이 없습니다.')).toBeVisible()

  // No row of the lists belongs to another branch.
  await page.goto('/user/search')
  await filters(page).getByLabel('이름').fill('담당자')
  await submit(page).click()
  await expect(rows(page)).toHaveText([/부산담당자/])
  const affiliations = (name: string) =>
    page.getByRole('table', { name }).getByRole('cell', { name: /지사|본사|협력사|가족사|연구소|본부/ })
  for (const [path, table] of [
    ['/partner/search', '파트너 코드 목록'],
    ['/key/search', '키 발급 이력'],
  ] as const) {
    await page.goto(path)
    await expect(affiliations(table).first()).toHaveText('부산지사')
    expect(new Set(await affiliations(table).allTextContents())).toEqual(new Set(['부산지사']))
  }

  await page.goto('/user/search')
  await page.getByRole('button', { name: '내보내기' }).click()
  const exported = page.getByRole('dialog', { name: '사용자 목록 내보내기' })
  await choose(exported, '파일 형식', 'CSV')
  await exported.getByLabel('사유').fill('지사 점검')
  const [csv] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  const people = parse(await readFile(await csv.path()), { bom: true, columns: true }) as Record<
    string,
    string
  >[]
  expect(people.map((row) => row['사용자명'])).toContain('부산신청')
  expect(new Set(people.map((row) => row['소속']))).toEqual(new Set(['부산지사']))

  // An affiliation is a permission, so she stays where she is.
  await page.goto('/mypage')
  await passGate(page)
  await choose(page, '소속', '광주지사')
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '네' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '확인' }).click()
  const { affiliationCode } = await userRow(server, person.id)
  expect(affiliationCode).toBe('BEL002')
})

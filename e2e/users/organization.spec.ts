import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import { choose, completeUser, filters, openUser, rows, save, select, submit } from './steps.ts'

const MADE = ['기술본부', '플랫폼부', '미래팀']

/** Deletes the teams that a test made. */
async function forgetTeams({ pool }: WorkerMaru): Promise<void> {
  await pool.query('delete from user_teams where team_id in (select id from teams where name = any($1))', [
    MADE,
  ])
  await pool.query('delete from teams where name = any($1)', [MADE])
}

test.afterEach(({ server }) => forgetTeams(server))

test('makes teams in the tree by keyboard, puts a user into them and finds them by team (rules/teams#organization-page, rules/teams#members)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('hr')
  await completeUser(server, { name: '조직원', affiliation: 'BEL004' })
  await page.goto('/organization')
  const tree = page.getByRole('treegrid', { name: '조직' })
  const entry = (name: string) => tree.getByRole('row', { name, exact: true })
  await entry('대전지사').focus()
  await page.keyboard.press('ArrowDown')
  await expect(entry('광주지사')).toBeFocused()
  // Moving the focus chooses nothing: each page of people counts for a limit.
  await expect(page).toHaveURL('/organization')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '광주지사 구성원' })).toBeVisible()
  await expect(page).toHaveURL(/affiliationCode=BEL004/)

  const dialog = page.getByRole('dialog', { name: '팀 추가' })
  await page.getByRole('button', { name: '팀 추가' }).press('Enter')
  await dialog.getByLabel('한글 이름').fill('기술본부')
  await dialog.getByRole('button', { name: '저장' }).click()
  await closeToast(page, '팀을 추가했습니다: 기술본부')
  await page.getByRole('button', { name: '하위 팀 추가' }).click()
  await dialog.getByLabel('한글 이름').fill('플랫폼부')
  await expect(select(dialog, '상위 팀')).toContainText('기술본부')
  await dialog.getByRole('button', { name: '저장' }).click()
  await closeToast(page, '팀을 추가했습니다: 플랫폼부')
  await expect(page.getByRole('heading', { name: '기술본부 > 플랫폼부 구성원' })).toBeVisible()
  // A team is not offered as its own parent, and a name twice is refused at the field.
  await page.getByRole('button', { name: '팀 수정' }).click()
  const edit = page.getByRole('dialog', { name: '팀 수정' })
  await select(edit, '상위 팀').click()
  await expect(page.getByRole('option')).toHaveText(['없음 (소속 바로 아래)', '기술본부'])
  await page.getByRole('option', { name: '없음' }).click()
  await edit.getByLabel('한글 이름').fill('기술본부')
  await edit.getByRole('button', { name: '저장' }).click()
  await answer(page, /같은 위치에 같은 이름의 팀/, '확인')
  await expect(edit.getByLabel('한글 이름')).toHaveAccessibleDescription(/같은 위치에 같은 이름의 팀/)
  await edit.getByRole('button', { name: '취소' }).click()

  await openUser(page, '조직원')
  await choose(page, '팀', '기술본부 > 플랫폼부')
  await select(page, '겸직').click()
  await page.getByRole('option', { name: '광주지사 > 기술본부', exact: true }).click()
  await save(page)
  await answer(page, '수정이 완료되었습니다.', '확인')
  await page.reload()
  await expect(select(page, '팀')).toContainText('기술본부 > 플랫폼부')
  await expect(page.getByRole('button', { name: '광주지사 > 기술본부 빼기' })).toBeVisible()
  // Another affiliation has no such team.
  await choose(page, '소속', '대전지사')
  await expect(select(page, '팀')).toContainText('없음')
  await expect(page.getByText(/소속이 바뀌면 지금의 팀\(.*기술본부 > 플랫폼부\)에서 빠집니다/)).toBeVisible()

  await page.goto('/user/search')
  await page.getByRole('button', { name: /상세/ }).first().click()
  await choose(filters(page), '팀', '광주지사 > 기술본부')
  await submit(page).click()
  await expect(rows(page)).toHaveText([/조직원/])
  await filters(page).getByLabel('이름').fill('조직원')
  await choose(filters(page), '팀', '팀 없음')
  await submit(page).click()
  await expect(rows(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: '팀 없음 조건 지우기' })).toBeVisible()

  // From the page of a team to the users without one, and back into the team.
  await server.createUser({ name: '합류할이', affiliation: 'BEL004' })
  await page.goto('/organization')
  await entry('기술본부').click()
  await page.getByRole('link', { name: '구성원 추가' }).press('Enter')
  await expect(page).toHaveURL(/affiliationCode=BEL004&teamId=NONE/)
  await page.getByRole('checkbox', { name: /합류할이/ }).press('Space')
  await page.getByRole('button', { name: '팀 변경' }).press('Enter')
  const change = page.getByRole('dialog', { name: '팀 변경' })
  await change.getByRole('button', { name: '확인하기' }).click()
  await expect(select(change, '팀')).toHaveAccessibleDescription(/필수/)
  await choose(change, '팀', '광주지사 > 기술본부')
  await change.getByRole('button', { name: '확인하기' }).press('Enter')
  await expect(change.getByText('1명의 팀을 변경합니다: 광주지사 > 기술본부')).toBeVisible()
  await change.getByRole('button', { name: '1명 변경' }).press('Enter')
  await closeToast(page, '1명의 팀을 변경했습니다.')

  await page.goto('/organization')
  await entry('기술본부').click()
  await expect(page.getByRole('row', { name: /합류할이/ })).toBeVisible()
  await page.getByRole('row', { name: /조직원/ }).click()
  const card = page.getByRole('dialog', { name: /조직원/ })
  await expect(card).toContainText('기술본부 > 플랫폼부')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '팀 삭제' }).click()
  await answer(page, '팀 삭제', '네')
  await answer(page, /구성원\(겸직 포함\)이나 하위 팀/, '확인')
  await expectAccessibleInEveryLook(page)
})

test('shows the organization without buttons to users who manage nobody (rules/teams#managers)', async ({
  as,
  server,
}) => {
  await server.pool.query(
    `insert into teams (affiliation_code, name, name_en) values ('BEL001', '미래팀', 'Dev')`,
  )
  const { page } = await as('user')
  await page.goto('/organization')
  await page.getByRole('row', { name: /미래팀/ }).click()
  await expect(page.getByRole('heading', { name: '미래팀 구성원' })).toBeVisible()
  await expect(page.getByText('총 0명')).toBeVisible()
  await expect(page.getByRole('button', { name: /^팀|하위 팀/ })).toHaveCount(0)
})

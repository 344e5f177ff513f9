import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { PAST_MONTH } from './past-month.ts'

const FIRST_DAY = `${PAST_MONTH}-01`
const NAME = `${PAST_MONTH.slice(0, 4)}년 ${Number(PAST_MONTH.slice(5))}월`

/** Creates a past month: a user exported many records on one day, and tried forbidden calls on another. */
async function fillMonth({ pool }: WorkerMaru, by: { id: string; userId: string }): Promise<void> {
  await pool.query('select access_log_open($1)', [FIRST_DAY])
  await pool.query(
    `insert into access_log select $3::date, n, ($3::date::timestamp + interval '34 hours') at time zone 'Asia/Seoul' + n * interval '1 hour',
       case when n = 1 then 'export' else 'read' end, '/stm/v1/exp/users', $1, $2, '10.0.0.1', 'r', case when n > 1 then 'FORBIDDEN' else '' end,
       '', array(select id from users where id <> $1 order by id limit 5), '{}', '' from generate_series(1, 12) as n`,
    [by.id, by.userId, FIRST_DAY],
  )
  await pool.query(`insert into access_log_heads values ($1, 12, now(), '\\xabcdef')`, [FIRST_DAY])
}

/** Removes the month, so that no other test's home shows a reminder. */
async function removeMonth({ pool }: WorkerMaru): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query('delete from inspection_findings where month = $1', [FIRST_DAY])
    await client.query('delete from inspections where month = $1', [FIRST_DAY])
    await client.query('delete from access_log_heads where month = $1', [FIRST_DAY])
    await client.query(`drop table if exists access_log_${PAST_MONTH.replace('-', '_')}`)
    await client.query('commit')
  } finally {
    client.release()
  }
}

test.describe('the inspection of a month', () => {
  test.afterEach(async ({ server }) => removeMonth(server))

  test('is searched, judged, signed and printed (rules/audit#inspection, rules/audit#inspection-remarks, rules/audit#inspection-report)', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const doer = await server.createUser({ role: 'hr', name: '점검대상' })
    await fillMonth(server, doer)
    const { page } = await as('admin', { name: '월간점검자' })
    await page.goto('/access/inspection')
    await expect(page).toHaveTitle('접속기록 점검 | 마루')
    const month = page.getByRole('row', { name: NAME })
    await expect(month).toContainText('점검 전')
    await expect(page.getByRole('table', { name: '점검 기준 목록' })).toContainText('1명 이상을 파일로')
    await page.getByRole('link', { name: `${NAME} 점검 열기` }).click()
    await expect(page).toHaveURL(`/access/month?month=${PAST_MONTH}`)

    await page.getByRole('button', { name: '이상 항목 찾기' }).click()
    await closeToast(page, /표시된 항목은 2건/)
    const exports = page.getByRole('region', { name: '내보내기 1건' })
    const refused = page.getByRole('region', { name: '거부된 요청 1건' })
    await expect(exports.getByRole('row', { name: '점검대상' })).toContainText('5명')
    // Signed only when all of it is judged.
    const sign = page.getByRole('button', { name: '점검 완료' })
    await expect(sign).toBeDisabled()
    await expectAccessibleInEveryLook(page)
    await setLook(page, '한국어')
    for (const [card, words] of [
      [exports, '채용 공고를 위한 명단'],
      [refused, '권한을 잘못 안내받음'],
    ] as const) {
      await card.getByRole('checkbox', { name: /모두 선택$/ }).check()
      await card.getByRole('button', { name: '의견 남기기' }).click()
      const dialog = page.getByRole('dialog', { name: '점검 의견 남기기' })
      await dialog.getByRole('textbox', { name: '확인한 내용' }).fill(words)
      await dialog.getByRole('button', { name: '의견 남기기' }).click()
      await closeToast(page, '의견을 남겼습니다.')
      await expect(card.getByRole('row', { name: '점검대상' })).toContainText(words)
    }

    await sign.click()
    const dialog = page.getByRole('dialog', { name: '점검 완료' })
    await dialog.getByRole('textbox', { name: '종합 의견' }).fill('특이사항 없음')
    await dialog.getByRole('button', { name: '점검 완료' }).click()
    await closeToast(page, '점검을 마쳤습니다.')
    await expect(page.getByRole('region', { name: '점검 개요' })).toContainText('월간점검자')
    await expect(sign).toHaveCount(0)
    await expect(page.getByRole('button', { name: '다시 찾기' })).toHaveCount(0)
    await expect(exports.getByRole('checkbox')).toHaveCount(0)
    await expect(page.getByRole('button', { name: '보고서 인쇄' })).toBeVisible()

    // Print shows only the report, with all remarks.
    await page.emulateMedia({ media: 'print' })
    const report = page.getByRole('article')
    await expect(report).toContainText(`접속기록 월간 점검 보고서 (${NAME})`)
    for (const text of ['채용 공고를 위한 명단', '권한을 잘못 안내받음', '특이사항 없음', '해당 없음'])
      await expect(report).toContainText(text)
    await expect(exports).toBeHidden()
    await page.emulateMedia({ media: 'screen' })
    await expect(report).toBeHidden()

    // Each thing leads to its records.
    await exports.getByRole('link', { name: /기록 보기$/ }).click()
    await expect(page).toHaveURL(
      new RegExp(`/access/search\\?.*actor=${doer.userId}&action=export&outcome=DONE`),
    )
  })

  test('changes its rules in one dialog, only with permission to read the log (rules/audit#inspection-rules)', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    await page.goto('/access/inspection')
    const rules = page.getByRole('table', { name: '점검 기준 목록' })
    await page.getByRole('button', { name: '기준 변경' }).click()
    const dialog = page.getByRole('dialog', { name: '기준 변경' })
    await dialog.getByRole('textbox', { name: '내보내기 기준값' }).fill('0')
    await dialog.getByRole('button', { name: '저장' }).click()
    await expect(dialog).toContainText('1~1000000 사이의 숫자')
    await dialog.getByRole('textbox', { name: '내보내기 기준값' }).fill('25')
    await dialog.getByRole('checkbox', { name: '거부된 요청 사용' }).uncheck()
    await dialog.getByRole('button', { name: '저장' }).click()
    await closeToast(page, '점검 기준을 저장했습니다.')
    await expect(rules.getByRole('row', { name: '내보내기' })).toContainText('25명 이상')
    await expect(rules.getByRole('row', { name: '거부된 요청' })).toContainText('사용 안 함')
    await server.pool.query(`update settings set inspection_rules = '{}'`)

    const { page: hrPage } = await as('hr')
    await hrPage.goto('/access/inspection')
    await answer(hrPage, '권한이 없습니다.', '확인')
    await expect(hrPage).toHaveURL('/main')
  })
})

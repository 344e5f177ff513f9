import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { readFile, writeFile } from 'node:fs/promises'
import readXlsxFile from 'read-excel-file/node'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { closeToast } from '../fixtures/dialogs.ts'
import { documentWidth } from '../fixtures/width.ts'

const HEADER = '아이디,사용자명,소속,직급,전화번호,이메일,권한,파트너 코드,유효기간 시작일,유효기간 종료일'
// As templates were headed once; people keep their files.
const OLDER_HEADER = '아이디,이름,소속,직급,전화번호,이메일,권한,파트너 코드,유효기간 시작일,유효기간 종료일'
const line = (id: string, name: string, partner: string, phone = '010-1234-5678') =>
  `${id},${name},본사,사원,${phone},${id}@example.com,일반 사용자,${partner},2026-01-01,2087.12.31`

// '한글' as Korean Excel saves it: CP949, which nothing in Node.js writes.
const HANGUL_CP949 = Buffer.from([0xc7, 0xd1, 0xb1, 0xdb])

const csv = (lines: string[]) => ({
  name: '새 사용자.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFF${[HEADER, ...lines].join('\r\n')}\r\n`),
})
const day = (text: string) => new Date(`${text}T00:00:00Z`)

test.describe('the import of users (rules/users#import, rules/users#import-check)', () => {
  test('shows each wrong cell with its line, and registers all of a corrected file', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page } = await as('hr')
    const partner = await server.createPartner({ affiliation: 'BEL001' })
    const count = () =>
      server.db
        .selectFrom('users')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('loginId', 'like', 'imp.%')
        .executeTakeFirstOrThrow()
    await page.goto('/main')
    await page.goto('/user/import')
    await expect(page).toHaveTitle('사용자 일괄 등록 | 마루')
    const file = page.locator('input[type=file]')
    await file.setInputFiles(
      csv([
        line('imp.one', '하나', partner),
        '',
        line('imp.two', '', partner, '12'),
        line('imp.one', '셋', partner),
      ]),
    )
    await expect(page.getByRole('status').filter({ hasText: '3행에 오류가 4개' })).toBeVisible()
    await expect(page.getByRole('table', { name: '오류' }).getByRole('row')).toHaveText([
      '행항목입력값내용',
      '4사용자명필수 입력 항목입니다.',
      '4전화번호12전화번호는 11자리의 숫자만 적어주세요.',
      '5아이디imp.one파일의 2행과 같습니다.',
      '5이메일imp.one@example.com파일의 2행과 같습니다.',
    ])
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '오류 내려받기' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('사용자_등록_오류.csv')
    expect((await readFile(await saved.path(), 'utf8')).split('\r\n').slice(0, 3)).toEqual([
      '\uFEFF"행","항목","입력값","내용"',
      '"4","사용자명","","필수 입력 항목입니다."',
      '"4","전화번호","12","전화번호는 11자리의 숫자만 적어주세요."',
    ])
    await expect(page.getByRole('button', { name: /명 등록$/ })).toHaveCount(0)
    await expectAccessible(page)
    expect((await count()).count).toBe('0')

    const [rest] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '오류가 없는 1행만 남기기' }).press('Enter'),
    ])
    expect(rest.suggestedFilename()).toBe('오류가_있는_행.csv')
    await expect(page.getByText('1행에 오류가 없습니다.')).toBeVisible()
    await expect(page.getByRole('button', { name: '1명 등록' })).toBeFocused()
    // The saved rows are a file for the next import (rules/users#valid-rows).
    const later = { name: '나머지.csv', mimeType: 'text/csv', buffer: await readFile(await rest.path()) }
    await file.setInputFiles(later)
    await expect(page.getByRole('status').filter({ hasText: '2행에 오류가 2개' })).toBeVisible()

    await file.setInputFiles(csv([line('imp.one', '하나', partner), line('imp.two', '둘', partner)]))
    await expect(page.getByText('2행에 오류가 없습니다.')).toBeVisible()
    await expect(page.getByRole('table', { name: '등록할 사용자' }).getByRole('row').nth(1)).toHaveText(
      `imp.one하나본사사원010-1234-5678imp.one@example.com일반 사용자${partner}2026-01-012087-12-31`,
    )
    expect((await count()).count).toBe('0')
    // A test server has no mail server: nobody would be invited (rules/users#import).
    await expect(page.getByText('초대 메일을 보낼 수 없습니다.')).toBeVisible()
    await page.getByRole('button', { name: '2명 등록' }).click()
    await page.getByLabel('관리자 비밀번호').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await closeToast(page, '사용자 2명을 등록했습니다.')
    expect((await count()).count).toBe('2')
  })

  test('reads the template (rules/users#template), XLSX and CP949, and rejects any other file', async ({
    as,
    server,
  }, testInfo) => {
    const { page } = await as('admin')
    const partner = await server.createPartner({ affiliation: 'BEL001' })
    await server.pool.query(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT952', '내부 감사', 'Internal audit', 50)`,
    )
    await page.goto('/user/import')
    const [template] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '양식 내려받기' }).click(),
    ])
    expect(template.suggestedFilename()).toBe('사용자_등록_양식.xlsx')
    const [sheet, choices] = await readXlsxFile(await template.path())
    expect(sheet?.data[0]?.join(',')).toBe(`${HEADER},팀,사번`)
    expect(sheet?.data[1]?.slice(0, 3)).toEqual(['example01', '홍길동', '본사'])
    // A role of the company that comes last in the list, and may do more than an ordinary user.
    expect(choices?.data.map((row) => row[1])).toContain('내부 감사')
    expect(sheet?.data.slice(1).map((row) => row[6])).toEqual(['일반 사용자', '일반 사용자'])
    expect(choices?.data.slice(0, 3).map((row) => row[1])).toEqual(['권한', '관리자', '인사 관리자'])
    await server.pool.query(`delete from roles where code = 'AUT952'`)
    const { sheets } = await readXlsx(await readFile(await template.path()))
    expect(sheets[0]?.dataValidations).toMatchObject([
      { range: 'C2:C10001', formula1: expect.stringMatching(/^'선택 항목'!\$A\$2:\$A\$\d+$/) },
      { range: 'G2:G10001', formula1: expect.stringMatching(/^'선택 항목'!\$B\$2:\$B\$\d+$/) },
    ])
    const file = page.locator('input[type=file]')
    await file.setInputFiles({ name: 't.xlsx', mimeType: '', buffer: await readFile(await template.path()) })
    await page
      .getByRole('alertdialog', { name: '' })
      .getByText('양식의 예시 행은 등록하지 않습니다.')
      .waitFor()
    await page.getByRole('button', { name: '확인' }).click()

    // As Excel writes it: a phone number without its zero, and days as dates; a row left empty.
    const cells = ['imp.x', '엑셀', '본사', '사원', 1012345678, 'x', '일반 사용자', partner]
    const xlsx = await writeXlsx({
      sheets: [
        { name: '1', rows: [OLDER_HEADER.split(','), [], [...cells, day('2026-01-01'), day('2087-12-31')]] },
      ],
    })
    await file.setInputFiles({ name: 'x.xlsx', mimeType: '', buffer: Buffer.from(xlsx) })
    await expect(page.getByRole('table', { name: '오류' }).getByRole('row').nth(1)).toHaveText(
      /^3이메일x이메일 주소 형식이/,
    )
    await expect(page.getByRole('table', { name: '오류' }).getByRole('row')).toHaveCount(2)

    const wire =
      'USER_ID,NAME,BELONGTO_CODE,RANK,PHONE_NUMBER,E_MAIL,AUTHORITYS_CODE,PARTNER_CODE,EXPIRY_DATETIME_START,EXPIRY_DATETIME_END\r\n'
    const [before = '', after = ''] = line('imp.k', '#', partner)
      .replace('본사', 'BEL001')
      .replace('사원', 'x')
      .replace('일반 사용자', 'AUT003')
      .split('#')
    await file.setInputFiles({
      name: 'cp949.csv',
      mimeType: 'text/csv',
      buffer: Buffer.concat([Buffer.from(wire + before), HANGUL_CP949, Buffer.from(after)]),
    })
    await expect(page.getByText('1행에 오류가 없습니다.')).toBeVisible()
    await page.getByRole('button', { name: '1명 등록' }).click()
    await page.getByLabel('관리자 비밀번호').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await closeToast(page, '사용자 1명을 등록했습니다.')
    const { name } = await server.db
      .selectFrom('users')
      .select('name')
      .where('loginId', '=', 'imp.k')
      .executeTakeFirstOrThrow()
    expect(name).toBe('한글')

    await file.setInputFiles({ name: 'p.xlsx', mimeType: '', buffer: Buffer.from('PK\u0003\u0004 broken') })
    await expect(page.getByRole('alertdialog')).toContainText('읽을 수 없습니다')
    await page.getByRole('button', { name: '확인' }).click()
    await file.setInputFiles({ name: 't.csv', mimeType: '', buffer: Buffer.from('아무 글이나\r\n쓴 파일') })
    await expect(page.getByRole('alertdialog')).toContainText('파일에서 표를 찾을 수 없습니다')
    await page.getByRole('button', { name: '확인' }).click()
    await file.setInputFiles({ name: 'c.csv', mimeType: '', buffer: Buffer.from('아이디,이름\r\na,b') })
    await page.getByRole('dialog', { name: '열 연결' }).getByRole('button', { name: '취소' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // The file was saved again since it was chosen, so the browser no longer reads it.
    const path = testInfo.outputPath('저장됨.csv')
    await writeFile(path, `${HEADER}\r\n${line('imp.saved', '하나', partner)}`)
    await file.setInputFiles(path)
    await expect(page.getByText('1행에 오류가 없습니다.')).toBeVisible()
    await writeFile(path, `${HEADER}\r\n${line('imp.saved', '하나둘', partner)}`)
    await page.getByRole('radio', { name: '신규 등록' }).press('ArrowRight')
    await expect(page.getByRole('alertdialog')).toContainText('읽을 수 없습니다')
  })
})

test('asks which field each column of a file fills, and remembers the answer (rules/users#columns-by-hand)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('hr')
  const partner = await server.createPartner({ affiliation: 'BEL001' })
  const file = (cells: string) => ({
    name: '인사.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`사번,성 명,휴대폰(업무),메일,비고,사내 코드,파트너\r\n${cells},${partner}`),
  })
  await page.goto('/user/import')
  const input = page.locator('input[type=file]')
  const dialog = page.getByRole('dialog', { name: '열 연결' })
  const field = (name: string) => dialog.getByRole('button', { name, exact: false })
  async function choose(name: string, option: string): Promise<void> {
    await field(name).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await input.setInputFiles(file('map-one,하나,010-1111-2222,map.one@example.com,메모,사원'))
  await expect(field('사번')).toHaveText('사번')
  // The company uses them as IDs, too. The dialog asks for the ID before the check.
  await expect(dialog.getByText('파일에서 찾지 못한 필수 항목입니다.')).toBeVisible()
  await dialog.getByRole('button', { name: '파일 검사' }).click()
  await expect(field('아이디')).toHaveAccessibleDescription(/필수 입력 항목입니다/)
  await choose('아이디', '사번 · 예: map-one')
  await expect(field('성 명')).toHaveText('사용자명')
  await expect(field('휴대폰(업무)')).toHaveText('전화번호')
  await expect(field('비고')).toHaveText('무시')
  await expectAccessible(page)
  // A field belongs to one column.
  await choose('비고', '사용자명')
  await expect(field('성 명')).toHaveText('무시')
  await choose('비고', '무시')
  await expect(field('사용자명')).toBeVisible()
  await choose('성 명', '사용자명')
  await choose('사내 코드', '직급')
  await choose('소속', '본사')
  await choose('권한', '일반 사용자')
  // A year from today is proposed.
  await expect(dialog.getByLabel('유효기간 시작일', { exact: true })).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  await expect(dialog.getByLabel('유효기간 종료일', { exact: true })).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  await dialog.getByLabel('유효기간 종료일', { exact: true }).fill('2087-12-31')
  await dialog.getByRole('button', { name: '파일 검사' }).click()
  await expect(page.getByRole('table', { name: '등록할 사용자' }).getByRole('row').nth(1)).toContainText(
    'map-one하나본사사원010-1111-2222map.one@example.com일반 사용자',
  )
  await expect(page.getByText('양식에 없는 열은 등록하지 않습니다: 비고')).toBeVisible()
  // The preview scrolls in its frame, and cuts off no button.
  for (const width of [390, 1200, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => documentWidth(page)).toBeLessThanOrEqual(width)
    const submit = await page.getByRole('button', { name: '1명 등록' }).boundingBox()
    expect((submit?.x ?? width) + (submit?.width ?? 0)).toBeLessThan(width)
  }

  await page.reload()
  await input.setInputFiles(file('map-two,둘,010-3333-4444,map.two@example.com,,대리'))
  await expect(field('사내 코드')).toHaveText('직급')
  await expect(field('아이디')).toContainText('사번')
  await page.keyboard.press('Escape')

  // Departments that are names of affiliations, and a preview that stays within its card.
  const rows = ['홍길동,a1', '김영희,a2'].map(
    (row, at) => `${row},010-1111-333${at},${row.slice(-2)}@example.com,본사`,
  )
  await input.setInputFiles({
    name: '부서.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['성명,계정,휴대폰,메일,부서', ...rows].join('\r\n')),
  })
  await expect(field('부서')).toHaveText('소속')
})

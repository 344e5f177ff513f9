import { writeXlsx } from 'hucre/xlsx'
import { readFile } from 'node:fs/promises'
import readXlsxFile from 'read-excel-file/node'
import { expect, test } from '../fixtures/test.ts'
import { closeToast } from '../fixtures/dialogs.ts'

const HEADER =
  '파트너 코드,파트너 유형,소속,시/도,시/군/구,파트너 이름,담당자 연락처,메모,일 최대 발급 수,주 최대 발급 수,월 최대 발급 수,총 최대 발급 수,유효기간 시작일,유효기간 종료일'

test('imports partner codes from a file once all of it is valid (rules/partners#import-partners, rules/partners#import-check, rules/partners#partner-template)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('admin')
  await page.goto('/main')
  await page.goto('/partner/import')
  await expect(page).toHaveTitle('파트너 코드 일괄 등록 | 마루')
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '양식 내려받기' }).click(),
  ])
  expect(template.suggestedFilename()).toBe('파트너_코드_등록_양식.xlsx')
  const [sheet, choices] = await readXlsxFile(await template.path())
  expect(sheet?.data[0]?.join(',')).toBe(HEADER)
  expect(choices?.data.slice(0, 2).map(([type, , province]) => [type, province])).toEqual([
    ['파트너 유형', '시/도'],
    ['패밀리', '서울특별시'],
  ])
  // Filled in below its examples, which stay: the first place of the file is its fourth row.
  const fill = (rows: unknown[][]) =>
    writeXlsx({ sheets: [{ name: '1', rows: [...(sheet?.data ?? []), ...rows] as string[][] }] })
  const [affiliation] = [sheet?.data[1]?.[2]]
  const row = (code: string, district: string) => [code, '파트너', affiliation, '서울특별시', district]
  const upload = async (rows: unknown[][]) =>
    page.locator('input[type=file]').setInputFiles({
      name: '새 파트너 코드.xlsx',
      mimeType: '',
      buffer: Buffer.from(await fill(rows)),
    })

  await upload([row('imp-one', '종로구'), row('imp-two', '해운대구'), row('IMP-ONE', '중구')])
  await expect(page.getByRole('status').filter({ hasText: '3행에 오류가 2개' })).toBeVisible()
  await expect(page.getByText('양식의 예시 행 2개는 등록하지 않습니다.')).toBeVisible()
  await expect(page.getByRole('table', { name: '오류' }).getByRole('row')).toHaveText([
    '행항목입력값내용',
    '5시/군/구해운대구존재하지 않는 지역입니다. 다시 선택해주세요.',
    '6파트너 코드IMP-ONE파일의 4행과 같습니다.',
  ])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '오류 내려받기' }).click(),
  ])
  expect(await readFile(await saved.path(), 'utf8')).toContain(
    '\r\n"6","파트너 코드","IMP-ONE","파일의 4행과 같습니다."',
  )
  await expectAccessible(page)

  await page.locator('input[type=file]').setInputFiles({
    name: 'wire.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'PARTNER_CODE,PARTNER_TYPE,BELONGTO_CODE,SIDO_NAME,SIGUNGU_NAME,MAX_KEY_NUM_DAY,TOTAL_KEY_NUM,EXPIRY_DATETIME_END\r\n' +
        'imp-one,pa,BEL001,서울특별시,종로구,"2,000",1000,2099-12-31 23:59:59\r\n' +
        'imp-two,fa,BEL001,부산광역시,해운대구,제한 없음,-1,\r\n',
    ),
  })
  await expect(page.getByText('2행에 오류가 없습니다.')).toBeVisible()
  await expect(page.getByRole('table', { name: '확인할 한도' }).getByRole('row').nth(1)).toHaveText(
    '2일 최대 발급 수2,000총 최대 발급 수(1,000개)보다 많이 발급할 수 없습니다.',
  )
  await expect(page.getByRole('table', { name: '등록할 파트너 코드' }).getByRole('row')).toContainText([
    '파트너 코드',
    /^IMP-ONE파트너.*서울특별시종로구2,000제한 없음제한 없음1,0002099-12-31$/,
    /^IMP-TWO패밀리.*부산광역시해운대구제한 없음제한 없음제한 없음제한 없음$/,
  ])
  await expectAccessible(page)
  const made = () =>
    server.db.selectFrom('partners').select('code').where('code', 'like', 'IMP-%').orderBy('code').execute()
  expect(await made()).toEqual([])
  const submit = page.getByRole('button', { name: '2개 등록' })
  await page.getByRole('button', { name: '다른 파일 선택' }).focus()
  for (let tab = 0; tab < 9 && !(await submit.evaluate((one) => one === document.activeElement)); tab += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await closeToast(page, '파트너 코드 2개를 등록했습니다.')
  expect(await made()).toEqual([{ code: 'IMP-ONE' }, { code: 'IMP-TWO' }])
})

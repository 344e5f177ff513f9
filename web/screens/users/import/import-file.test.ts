import { afterEach, describe, expect, it, vi } from 'vitest'
import { IMPORT_COLUMNS, type ImportColumn } from '../../../../contract/users/import.ts'
import { users as en } from '../../../../contract/messages/en/users.ts'
import { users as ko } from '../../../../contract/messages/ko/users.ts'
import {
  headingNames,
  headingSynonyms,
  importHeadings,
  readUserFile,
  updateFile,
  userFile,
} from './import-file.ts'
import type { ShownField } from '../../../forms/custom-fields.ts'
import { guessByValues, guessColumns, plainHeading } from '../../../imports/map-columns.ts'

const FIELDS: readonly ShownField[] = [
  {
    slot: 'custom2',
    name: '고용 형태',
    nameEn: 'Employment',
    kind: 'choice',
    choices: ['정규직'],
    editable: true,
  },
  { slot: 'custom3', name: '입사 기념일', nameEn: '', kind: 'date', choices: [], editable: true },
]

const guess = async (titles: string[], fields: readonly ShownField[] = []) => {
  const names = await headingNames(fields)
  const known = titles.map((title) => names.get(title.toLowerCase()))
  return guessColumns(titles, known, await headingSynonyms(fields))
}

const file = (...lines: string[]) => new File([lines.join('\r\n')], '인사.csv')

/** Fails the test, because the file needs no question. */
const neverAsks = () => Promise.reject(new Error('asked'))

describe('guessColumns (rules/users#columns-by-hand)', () => {
  it('recognizes usual headings in both languages', async () => {
    expect(await guess(['사용자 ID', '성명', '부서', '휴대폰', '메일', '직위', '지사', '입사일'])).toEqual([
      'userId',
      'name',
      'teamName',
      'phoneNumber',
      'email',
      'position',
      'affiliationCode',
      'validFrom',
    ])
    expect(await guess(['User ID', 'Full name', 'Department', 'Mobile', 'E-mail address'])).toEqual([
      'userId',
      'name',
      'teamName',
      'phoneNumber',
      'email',
    ])
  })

  it('ignores case, blanks, punctuation and remarks in parentheses', async () => {
    expect(await guess(['성 명*', '휴대폰 (필수)', '[업무] 메일', 'USER-ID', '?'])).toEqual([
      'name',
      'phoneNumber',
      'email',
      'userId',
      undefined,
    ])
    expect(plainHeading('(필수)')).toBe('')
  })

  it('recognizes employee numbers and the fields of the company (rules/users#custom-fields)', async () => {
    expect(await guess(['사번', 'Employment', '입사 기념일', '아이디'], FIELDS)).toEqual([
      'employeeNumber',
      'custom2',
      'custom3',
      'userId',
    ])
    const text = file('아이디,사번,고용 형태,입사 기념일', 'one,e-7,정규직,2020.01.05')
    const update = await readUserFile(text, updateFile(FIELDS), neverAsks, FIELDS)
    expect(update?.rows).toEqual([
      { line: 2, userId: 'one', employeeNumber: 'e-7', custom2: '정규직', custom3: '2020-01-05' },
    ])
    const old = await readUserFile(
      file('아이디,직급,고용 형태', 'one,과장,정규직'),
      updateFile([]),
      neverAsks,
      [],
    )
    expect(old?.unknown).toEqual(['고용 형태'])
  })

  it('prefers exact headings, and fills no column twice', async () => {
    expect(await guess(['계정', '아이디', '휴대폰', '연락처', '이름', '사용자명'])).toEqual([
      undefined,
      'userId',
      'phoneNumber',
      undefined,
      'name',
      undefined,
    ])
  })

  it('proposes nothing for the other columns of the export', async () => {
    for (const { columns } of [ko.search, en.search]) {
      const { rowNumber, registeredAt, approval, lastLoginAt, withdrawnAt, withdrawnBy } = columns
      const others = [rowNumber, registeredAt, approval, lastLoginAt, withdrawnAt, withdrawnBy]
      expect(await guess(others)).toEqual(others.map(() => undefined))
    }
  })

  it('recognizes affiliations by their names, unless a known heading is the affiliation', () => {
    const named = { column: 'affiliationCode' as const, names: new Set(['본사', '부산지사']) }
    const body = [['본사'], [' 부산지사'], [''], ['미정']].map(([place = '']) => ['회사', place])
    const byValues = (guessed: (ImportColumn | undefined)[], known: (ImportColumn | undefined)[] = []) =>
      guessByValues(guessed, known, body, named)
    expect(byValues(['affiliationCode', 'teamName'])).toEqual([undefined, 'affiliationCode'])
    expect(byValues(['name', undefined])).toEqual(['name', 'affiliationCode'])
    // Half of the names or fewer may be a coincidence.
    expect(guessByValues(['name', 'teamName'], [], [...body, ['', '영업'], ['', '개발']], named)).toEqual([
      'name',
      'teamName',
    ])
    expect(byValues(['affiliationCode', 'teamName'], ['affiliationCode'])).toEqual([
      'affiliationCode',
      'teamName',
    ])
    expect(byValues(['name', 'teamName'], [undefined, 'teamName'])).toEqual(['name', 'teamName'])
  })

  it('has no heading for two columns', async () => {
    const synonyms = await headingSynonyms([])
    const texts = [(await import('../../../../contract/messages/ko/user-import.ts')).userImport.synonyms]
    texts.push((await import('../../../../contract/messages/en/user-import.ts')).userImport.synonyms)
    for (const words of texts) {
      for (const [column, synonymsOf] of Object.entries(words)) {
        for (const word of synonymsOf)
          expect([word, synonyms.get(plainHeading(word))]).toEqual([word, column])
      }
    }
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('readUserFile (rules/users#columns-by-hand)', () => {
  it('reads a file with known headings without a question', async () => {
    const usual = IMPORT_COLUMNS.filter((column) => !column.startsWith('custom'))
    const headings = usual.map((column) => importHeadings(ko, [])[column])
    const text = file([...headings, '등록일'].join(','), 'one,하나')
    expect(await readUserFile(text, userFile([]), neverAsks, [])).toMatchObject({
      rows: [{ line: 2, userId: 'one', name: '하나' }],
      unknown: ['등록일'],
    })
    const update = await readUserFile(
      file('아이디,직급,마지막 로그인', 'one,과장,'),
      updateFile([]),
      neverAsks,
      [],
    )
    expect(update?.rows).toEqual([{ line: 2, userId: 'one', position: '과장' }])
  })

  it('fills two columns from one, if the user says so', async () => {
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
    const both = { columns: ['employeeNumber', 'name'] as const, copies: { userId: 0 }, shared: {} }
    const read = await readUserFile(
      file('사번,성명,비고', 'e-1,하나,x'),
      updateFile([]),
      () => Promise.resolve(both),
      [],
    )
    expect(read).toMatchObject({
      rows: [{ line: 2, userId: 'e-1', employeeNumber: 'e-1', name: '하나' }],
      unknown: ['비고'],
    })
  })

  it.each([
    ['one line', file('계정,성명')],
    ['one column', file('아무 글이나', '쓴 파일')],
  ])('refuses a text of %s', async (_what, text) => {
    await expect(readUserFile(text, userFile([]), neverAsks, [])).rejects.toMatchObject({
      reason: 'notTable',
    })
  })
})

import type { CustomSlot } from '../../custom-fields.ts'
import type { ImportColumn } from '../../users/import.ts'
import { fileImport } from './file-import.ts'

/** Texts of the import of users and of its template. They are not in the pages' catalog, because they load with the import. */
export const userImport = {
  ...fileImport,
  lead: '여러 사용자를 파일 하나로 등록합니다. 먼저 검사만 하고, 잘못된 행이 없을 때 한 번에 등록합니다.',
  templateName: '사용자_등록_양식',
  templateFailed: '양식에 넣을 소속과 권한을 불러오지 못했습니다. 잠시 후 다시 시도해주세요.',
  examples: [
    { name: '홍길동', position: '과장' },
    { name: '김영희', position: '사원' },
  ],
  columns: {
    userId: '아이디',
    name: '이름',
    affiliationCode: '소속',
    position: '직급',
    phoneNumber: '전화번호',
    email: '이메일',
    roleCode: '권한',
    partnerCode: '파트너 코드',
    validFrom: '유효기간 시작일',
    validTo: '유효기간 종료일',
    teamName: '팀',
    employeeNumber: '사번',
  },
  /** Other usual headings of each column. */
  synonyms: {
    userId: ['사용자ID', '로그인ID', '계정', 'ID'],
    name: ['성명', '성함', '사원명', '직원명', '한글이름'],
    affiliationCode: ['소속명', '회사', '회사명', '법인', '지사', '지사명', '지점', '사업장', '근무지'],
    position: ['직위', '직책', '호칭'],
    phoneNumber: ['휴대폰', '핸드폰', '휴대전화', '휴대폰번호', '핸드폰번호', '휴대전화번호', '연락처'],
    email: ['메일', '메일주소', '이메일주소', '회사메일', '전자우편'],
    roleCode: ['권한명', '권한그룹'],
    partnerCode: ['파트너'],
    validFrom: ['입사일', '입사일자', '시작일', '유효시작일'],
    validTo: ['퇴사예정일', '계약종료일', '종료일', '만료일', '유효종료일'],
    teamName: ['부서', '부서명', '소속부서', '팀명', '조직', '조직명'],
    employeeNumber: ['사원번호', '직원번호', '사원코드'],
  } as Record<Exclude<ImportColumn, CustomSlot>, readonly string[]>,
  drop: 'CSV 또는 엑셀(XLSX) 파일을 여기에 놓거나 선택해주세요. 10,000행, 5MB까지 등록할 수 있습니다.',
  tooManyRows: '한 번에 10,000행까지 등록할 수 있습니다. 파일을 나누어주세요.',
  passwordNote:
    '비밀번호는 등록하지 않습니다. 등록된 사용자에게 비밀번호를 만들 수 있는 초대 메일을 보냅니다.',
  submit: (rows: string) => `${rows}명 등록`,
  done: (rows: string) => `사용자 ${rows}명을 등록했습니다.`,
  toUsers: '사용자 목록 보기',
  errorsName: '사용자_등록_오류',
  preview: '등록할 사용자',
  noPreview: '등록할 사용자가 없습니다.',
  shownOf: (shown: string, total: string) => `${total}명 중 처음 ${shown}명을 표시합니다.`,
  twice: (row: number) => `${row}번째 사용자와 같습니다.`,
  noDefaultPartner: '이 소속에는 기본 파트너 코드가 없습니다. 파트너 코드를 입력해주세요.',
  partnerUnknown: '이 소속의 파트너 코드가 아닙니다.',
  partnerStopped: '중지된 파트너 코드입니다.',
  teamUnknown: '이 소속의 팀이 아닙니다. 상위 팀부터 “본부 > 팀”처럼 입력해주세요.',
}

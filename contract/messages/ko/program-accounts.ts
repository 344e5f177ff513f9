import type { PROGRAM_ACCOUNT_STATES } from '../../keys.ts'

/** Texts of /integration. They load with the page. */
export const programAccounts = {
  lead: '사람이 아닌 회사의 프로그램이 API를 사용하는 계정입니다. 담당자가 바뀌거나 퇴사해도 그대로 사용할 수 있습니다.',
  results: '프로그램 계정 목록',
  columns: {
    programName: '이름',
    state: '상태',
    roleName: '권한과 소속',
    scopes: 'API 권한',
    tokens: '토큰',
    lastUsedAt: '마지막 사용',
    actions: '작업',
  },
  states: { live: '사용 중', soon: '곧 만료', expired: '만료됨', off: '중지' } satisfies Record<
    (typeof PROGRAM_ACCOUNT_STATES)[number],
    string
  >,
  until: (day: string) => `${day}까지`,
  loading: '프로그램 계정을 불러오는 중입니다.',
  empty: '등록된 프로그램 계정이 없습니다.',
  failed: '프로그램 계정을 불러오지 못했습니다.',
  name: '이름',
  nameHint: '감사 기록에 이 이름이 표시됩니다.',
  role: '권한',
  roleHint: '내가 가진 권한 안에서만 부여할 수 있습니다.',
  affiliation: '소속',
  scopesHint: '프로그램은 위 권한 안에서 선택한 API만 사용할 수 있습니다.',
  validTo: '만료일',
  validToHint: '비워두면 만료되지 않습니다.',
  isEnabled: '사용',
  create: '프로그램 등록',
  edit: '수정',
  editOf: (name: string) => `${name} 수정`,
  save: '저장',
  saved: '저장되었습니다.',
  remove: '삭제',
  removeOf: (name: string) => `${name} 삭제`,
  removeText: (name: string) =>
    `${name}의 모든 토큰이 바로 종료되며, 되돌릴 수 없습니다. 남긴 기록은 그대로 보존됩니다. 삭제하시겠습니까?`,
  openTokens: (count: number) => `토큰 ${count}개`,
  openTokensOf: (name: string, count: number) => `${name} 토큰 ${count}개`,
  tokensOf: (name: string) => `${name}의 토큰`,
  tokenName: '토큰 이름',
}

/** The texts of program accounts that every language must have. */
export type ProgramAccountTexts = typeof programAccounts

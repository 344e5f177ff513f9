import type { TOKEN_STATES } from '../../keys.ts'
import { particleOf } from '../particles.ts'

/** Texts of the tokens of programs and services. They load with the sections that show them, not with every page. */
export const tokens = {
  days: (days: number) => `${days}일`,
  validDays: '유효기간',
  overlapDays: '이전 토큰',
  overlap: (days: number) => (days === 0 ? '바로 종료' : `${days}일 더 사용`),
  rollText:
    '새 토큰이 만들어지고 유효기간이 다시 시작됩니다. 토큰이 유출되었다면 이전 토큰을 바로 종료해주세요.',
  states: {
    live: '사용 중',
    soon: '곧 만료',
    expired: '만료됨',
    revoked: '종료됨',
    account: '계정과 함께 종료됨',
  } satisfies Record<(typeof TOKEN_STATES)[number], string> as Record<(typeof TOKEN_STATES)[number], string>,
  previousUntil: (time: string) => `이전 토큰 ${time}까지`,
  never: '사용 안 함',
  roll: '교체',
  once: '지금만 표시됩니다. 안전한 곳에 옮긴 후 닫아주세요.',
  token: '토큰',

  /** /key/services. */
  scopes: {
    'users:read': '사용자 조회',
    'users:write': '사용자 일괄 등록과 수정',
    'users:suspend': '사용자 정지와 해제',
    'colleagues:read': '임직원 조회',
    'approvals:read': '승인 요청 조회',
    'notices:read': '공지사항 조회',
    'notices:write': '공지사항 등록과 수정',
    'keys:read': '키 발급 이력과 통계 조회',
    'keys:issue': '키 발급',
    'keys:verify': '키 확인',
    'partners:read': '파트너 코드 조회',
    'partners:write': '파트너 코드 등록과 수정',
    'audit:read': '감사 기록과 접속기록 조회',
    'events:read': '이벤트 조회',
  },
  scopesLabel: 'API 권한',
  scopesHint:
    '프로그램이 내 권한 안에서 선택한 API만 사용할 수 있습니다. 선택하지 않으면 키만 발급할 수 있습니다.',
  scopesRequired: 'API 권한을 선택해주세요.',
  networks: '허용 IP 주소',
  networksHint: (max: number) =>
    `주소나 네트워크를 한 줄에 하나씩, 최대 ${max}개 입력합니다. 비워두면 모든 주소를 허용합니다.`,
  noScopes: '키 발급만',

  services: {
    lead: '키를 받는 서비스가 키의 유효 여부를 확인할 때 사용하는 토큰입니다. 토큰은 만들 때 한 번만 표시됩니다.',
    unlimited: '만료 없음',
    unlimitedHint: '만료일이 없는 토큰이 있습니다. 교체하면 만료일이 정해집니다.',
    results: '서비스 토큰 목록',
    columns: {
      serviceName: '서비스 이름',
      state: '상태',
      expiresAt: '만료일시',
      createdAt: '생성일시',
      createdBy: '생성자',
      lastUsedAt: '마지막 사용',
      actions: '작업',
    },
    loading: '서비스 토큰을 불러오는 중입니다.',
    empty: '만든 서비스 토큰이 없습니다.',
    failed: '서비스 토큰을 불러오지 못했습니다.',
    name: '서비스 이름',
    make: '토큰 만들기',
    makeTitle: '서비스 토큰 만들기',
    title: '서비스 토큰',
    rollTitle: (name: string) => `${name} 토큰 교체`,
    revoked: '폐기됨',
    revoke: '폐기',
    revokeOf: (name: string) => `${name} 토큰 폐기`,
    revokeTitle: '서비스 토큰 폐기',
    revokeText: (name: string) =>
      `${name}${particleOf(name, '은/는')} 더 이상 키를 확인할 수 없으며, 되돌릴 수 없습니다. 폐기하시겠습니까?`,
  },

  /** On the user's own page. */
  programs: {
    noPartner:
      '파트너 코드가 없어 키를 발급할 수 없습니다. 관리자에게 파트너 코드를 요청하거나 API 권한만 선택해주세요.',
    results: '프로그램 토큰 목록',
    columns: {
      programName: '프로그램 이름',
      scopes: 'API 권한',
      state: '상태',
      expiresAt: '만료일시',
      lastUsedAt: '마지막 사용',
      address: 'IP 주소',
      actions: '작업',
    },
    loading: '프로그램 토큰을 불러오는 중입니다.',
    empty: '만든 프로그램 토큰이 없습니다. 설치 프로그램은 이 토큰으로 키를 발급합니다.',
    failed: '프로그램 토큰을 불러오지 못했습니다.',
    name: '프로그램 이름',
    make: '토큰 만들기',
    makeTitle: '프로그램 토큰 만들기',
    title: '프로그램 토큰',
    rollTitle: (name: string) => `${name} 토큰 교체`,
    end: '종료',
    endOf: (name: string) => `${name} 토큰 종료`,
    endTitle: '프로그램 토큰 종료',
    endText: (name: string) =>
      `${name} 토큰은 더 이상 사용할 수 없으며, 되돌릴 수 없습니다. 종료하시겠습니까?`,
  },

  /** /key/programs. */
  allPrograms: {
    lead: '설치 프로그램이 사용자 대신 키를 발급할 때 사용하는, 현재 유효한 토큰입니다. 토큰은 사용자가 내 정보에서 만듭니다. 종료하면 사용자에게 사유와 함께 알립니다.',
    keyword: '이름, 아이디, 프로그램, 파트너 코드',
    total: (count: string) => `총 ${count}건`,
    results: '프로그램 토큰 목록',
    columns: {
      rowNumber: 'No.',
      name: '이름',
      partnerCode: '파트너 코드',
      programName: '프로그램 이름',
      scopes: 'API 권한',
      state: '상태',
      createdAt: '생성일시',
      expiresAt: '만료일시',
      lastUsedAt: '마지막 사용',
      actions: '작업',
    },
    loading: '프로그램 토큰을 불러오는 중입니다.',
    empty: '유효한 프로그램 토큰이 없습니다.',
    failed: '프로그램 토큰을 불러오지 못했습니다.',
    end: '종료',
    endOf: (name: string, program: string) => `${name}의 ${program} 토큰 종료`,
    endTitle: '프로그램 토큰 종료',
    person: '사용자',
    endText:
      '이 프로그램은 더 이상 키를 발급할 수 없으며, 되돌릴 수 없습니다. 이미 발급된 키는 그대로 유효합니다.',
    reason: '종료 사유',
    reasonHint: '사용자에게 전달됩니다.',
    done: '프로그램 토큰이 종료되었습니다.',
  },
}

/** The texts of tokens that every language must have. */
export type TokenTexts = typeof tokens

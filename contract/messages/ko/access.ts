import type { PersonalAct } from '../../endpoint.ts'

/** Texts of the access log. They load with the sections that show it, not with every page. */
export const access = {
  /** The kinds of access. */
  acts: {
    login: '로그인',
    read: '조회',
    search: '검색',
    change: '변경',
    export: '내보내기',
  } satisfies Record<PersonalAct, string> as Record<PersonalAct, string>,

  columns: {
    rowNumber: 'No.',
    accessedAt: '일시',
    user: '접속자',
    act: '구분',
    task: '수행업무',
    subjects: '정보주체',
    address: 'IP 주소',
    outcome: '결과',
    accessId: '접속기록 번호',
    userId: '접속자 아이디',
    name: '접속자 이름',
    searchedBy: '검색 조건',
    subjectCount: '정보주체 수',
    refusal: '거부한 이유',
    annotation: '잘못 기록된 이유',
    callId: '요청 번호',
    affiliationName: '소속',
  },
  filters: {
    accessedFrom: '시작일',
    accessedTo: '종료일',
    action: '수행업무',
    actor: '접속자',
    actorHint: '아이디 또는 이름',
    subject: '정보주체',
    subjectHint: '아이디 또는 이름',
    address: 'IP 주소',
    outcome: '결과',
  },
  /** Next to a row that names users whose data were not accessed. */
  inError: (reason: string) => `잘못 기록됨: ${reason}`,
  outcomes: { DONE: '처리', REFUSED: '거부' },
  allOf: (act: string) => `${act} 전체`,
  /** Number of data subjects after the first ones. */
  others: (count: number) => `외 ${count.toLocaleString()}명`,
  nobody: '로그인 안 함',
  /** An account that was removed or is unknown. */
  removed: '삭제된 계정',
  /** For a row without a data subject: a search that found no user. */
  noSubject: '없음',
  open: (time: string) => `${time} 접속기록 상세 보기`,
  total: (count: string) => `총 ${count}건`,
  results: '접속기록 목록',
  loading: '접속기록을 불러오는 중입니다.',
  empty: '검색된 접속기록이 없습니다.',
  failed: '접속기록을 불러오지 못했습니다.',
  detail: {
    title: '접속기록',
    subjects: (count: string) => `정보주체 ${count}명`,
    /** If more users exist than are listed. */
    shown: (shown: string) => `처음 ${shown}명만 표시합니다.`,
    personColumns: { userId: '아이디', name: '이름' },
    noSubjects: '이 접속기록에는 정보주체가 없습니다.',
    unknown: '등록되지 않은 아이디',
    list: '목록',
    loading: '접속기록을 불러오는 중입니다.',
    failed: '접속기록을 불러오지 못했습니다.',
  },
  own: {
    results: '내 정보를 본 사람 목록',
    loading: '기록을 불러오는 중입니다.',
    empty: '내 정보를 본 기록이 없습니다.',
    failed: '기록을 불러오지 못했습니다.',
    columns: {
      accessedAt: '일시',
      user: '이름',
      userId: '아이디',
      affiliationName: '소속',
      act: '구분',
      task: '수행업무',
    },
  },
}

/** The texts of the access log that every language must have. */
export type AccessTexts = typeof access

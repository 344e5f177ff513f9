/** Texts of the requests that wait for approval. */
export const approvals = {
  /** Titles of its pages; a menu item has the same text. */
  titles: {
    approvals: '승인 대기',
  },

  total: (count: string) => `총 ${count}건`,
  list: '승인 대기 목록',
  columns: {
    name: '이름',
    userId: '아이디',
    kind: '종류',
    affiliationName: '소속',
    position: '직급',
    phoneNumber: '전화번호',
    email: '이메일',
    requestedAt: '요청일시',
  },
  loading: '승인 대기 목록을 불러오는 중입니다.',
  empty: '승인을 기다리는 요청이 없습니다.',
  noMatches: '이 검색 조건에 맞는 요청이 없습니다.',
  failed: '승인 대기 목록을 불러오지 못했습니다.',
  open: (name: string) => `${name} 상세 보기`,
  likeRunner: '관리자로 보이는 이름',
  refusedBefore: (count: number) => `이전 거절 ${count}회`,
  select: '선택',
  selectAll: '이 페이지 모두 선택',
  selectOne: (name: string) => `${name} 선택`,
  selected: (count: number) => `${count}건 선택`,
  approve: '승인',
  refuse: '거절',

  approveTitle: '승인 요청 승인',
  approveLead:
    '승인하면 유효기간 동안 로그인할 수 있습니다. 메일 서버가 설정되어 있으면 신청자에게 메일로 알립니다.',
  refuseTitle: '승인 요청 거절',
  refuseLead:
    '거절하면 신청한 계정 정보가 삭제되고, 메일 서버가 설정되어 있으면 신청자는 아래 사유를 메일로 받습니다. 같은 아이디와 이메일로 다시 신청할 수 있습니다.',
  reason: '거절 사유',
  chosen: '신청자',
  people: (first: string, others: number) => (others === 0 ? first : `${first} 외 ${others}명`),
  kinds: { account: '가입', affiliation: '소속 변경' },
  from: (present: string, next: string) => `${present} → ${next}`,
  mixed: '종류가 같은 요청끼리 선택해주세요.',
  changeTitle: '소속 변경 승인',
  changeLead:
    '승인하면 소속과 파트너 코드가 변경됩니다. 메일 서버가 설정되어 있으면 요청한 사람에게 메일로 알립니다.',
  refuseChangeTitle: '소속 변경 거절',
  refuseChangeLead:
    '거절하면 소속은 그대로 남고, 메일 서버가 설정되어 있으면 요청한 사람은 아래 사유를 메일로 받습니다.',
  partnerOf: (affiliation: string) => `파트너 코드 (${affiliation})`,
  /** @param written the server's message if the email became a file instead of being sent */
  approved: (count: number, written: string) =>
    `${count}건을 승인했습니다. ${written || '신청자에게 메일로 알렸습니다.'}`,
  refused: (count: number, written: string) =>
    `${count}건을 거절했습니다. ${written || '신청자에게 사유를 메일로 알렸습니다.'}`,

  /** On a user's page: the result of each request. */
  toRequests: '승인 요청 처리하기',
  historyTitle: '승인 이력',
  historyColumns: {
    userId: '신청 아이디',
    requestedAt: '요청일시',
    kind: '종류',
    state: '결과',
    decider: '처리자',
    decidedAt: '처리일시',
    reason: '거절 사유',
  },
  states: { W: '대기', A: '승인', R: '거절', C: '취소' },
  historyLoading: '승인 이력을 불러오는 중입니다.',
  historyEmpty: '승인 요청 이력이 없습니다.',
  historyFailed: '승인 이력을 불러오지 못했습니다.',
}

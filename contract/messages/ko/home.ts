/** Texts of the home screen. They load with it, not with every page. */
export const home = {
  noticeHeading: '공지사항 조회',
  noticesLoading: '공지사항을 불러오는 중입니다.',
  noticesEmpty: '등록된 공지사항이 없습니다.',
  noticesFailed: '공지사항을 불러오지 못했습니다.',
  openNotice: (title: string) => `${title} 상세 보기`,

  more: '더보기',
  moreNotices: '공지사항 더보기',

  toDo: {
    heading: '할 일',
    loading: '할 일을 불러오는 중입니다.',
    failed: '할 일을 불러오지 못했습니다.',
    nothing: '지금 처리할 일이 없습니다.',
    cases: (count: string) => `${count}건`,
    accounts: (count: string) => `${count}명`,
    moreToRead: (count: string) => `읽음 확인을 기다리는 공지사항이 ${count}건 더 있습니다.`,
    requests: '승인 대기',
    factorResets: '2단계 인증 초기화 확인',
    ending: '30일 이내 만료되는 계정',
    nearLimit: '한도를 80% 이상 사용한 파트너',
    inspections: '점검할 접속기록',
    reviews: '검토할 권한',
    months: (count: string) => `${count}개월`,
    quarters: (count: string) => `${count}개 분기`,
    ownEnd: '내 계정의 유효기간이 곧 끝납니다.',
    lastDay: (day: string) => `오늘(${day})까지 사용할 수 있습니다.`,
    daysLeft: (day: string, days: number) => `${day}까지, ${days}일 남았습니다.`,
  },
  keys: {
    heading: '내 최근 발급 키',
    history: '내 키 발급 이력 더보기',
    revoked: '폐기',
  },
  drafts: {
    heading: '작성 중인 내용',
  },
  uploads: {
    heading: '업로드한 첨부파일',
    failed: '업로드한 첨부파일을 불러오지 못했습니다.',
    stored: '업로드 완료',
    unfinished: '업로드가 끝나지 않음',
    goOn: '이어서 하기',
    goOnWith: (name: string) => `이어서 하기: ${name}`,
    remove: '삭제',
    removeOne: (name: string) => `삭제: ${name}`,
    removeTitle: '첨부파일 삭제',
    question: (name: string) => `${name} 파일을 삭제하시겠습니까? 되돌릴 수 없습니다.`,
  },
  quick: {
    heading: '바로 가기',
    issueKey: '키 발급',
  },

  panelFailed: '권한 정보를 불러오지 못했습니다.',
  welcome: (name: string) => `${name} 님, 안녕하세요.`,
  welcomeText: '오늘도 좋은 하루 보내세요.',
  factorHint: (day: string) =>
    `${day}까지 2단계 인증을 등록해야 합니다. 그 뒤에는 등록을 마쳐야 포털을 사용할 수 있습니다.`,
  factorLink: '내 정보에서 등록',
}

/** The texts of the home screen that every language must have. */
export type HomeTexts = typeof home

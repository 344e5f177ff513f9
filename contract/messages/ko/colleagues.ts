/** Texts of the directory, the profile card and the user's own visibility. They load with the sections that show them. */
export const colleagues = {
  search: {
    keyword: '이름·전화번호·이메일',
    total: (count: string) => `총 ${count}명`,
    results: '임직원 목록',
    columns: {
      name: '이름',
      affiliationName: '소속',
      teamName: '팀',
      position: '직급',
      phoneNumber: '전화번호',
      email: '이메일',
    },
    loading: '임직원 목록을 불러오는 중입니다.',
    empty: '검색된 임직원이 없습니다.',
    failed: '임직원 목록을 불러오지 못했습니다.',
  },
  /** For a user who does not show a phone number or an email. */
  hidden: '비공개',
  card: {
    label: (name: string) => `${name} 프로필`,
    loading: '프로필을 불러오는 중입니다.',
    failed: '프로필을 불러오지 못했습니다.',
    withdrawn: '탈퇴한 사용자입니다.',
    call: '전화',
    mail: '메일',
    away: '지금은 이 사용자의 정보를 볼 수 없습니다.',
    toUser: '사용자 정보 보기',
    toWithdrawn: '탈퇴 계정 보기',
  },
  sharing: {
    title: '동료에게 보이는 정보',
    lead: '이름, 소속, 직급은 로그인한 모든 임직원에게 보입니다. 전화번호와 이메일을 누구에게 보일지 선택해주세요.',
    phoneShown: '전화번호 공개',
    emailShown: '이메일 공개',
    levels: { all: '모든 임직원', affiliation: '같은 소속만', none: '비공개' },
    loading: '공개 설정을 불러오는 중입니다.',
    failed: '공개 설정을 불러오지 못했습니다.',
    save: '공개 범위 저장',
    saved: '저장되었습니다.',
  },
}

/** The texts of the directory that every language must have. */
export type ColleagueTexts = typeof colleagues

/** Texts of the login screen, and the titles of the screens before a session. */
export const login = {
  /** Titles of its pages; a menu item has the same text. */
  titles: {
    login: '로그인',
    logout: '로그아웃',
    password: '비밀번호 변경',
    setUpFactor: '2단계 인증 등록',
    findId: '아이디 찾기',
    resetPassword: '비밀번호 재설정',
    signUp: '회원가입',
    invitation: '비밀번호 만들기',
    confirmEmail: '이메일 확인',
  },

  // Login.
  loginHeading: '로그인',
  loginLead: '사내 계정으로 로그인해주세요.',
  secondLead: '비밀번호를 확인했습니다. 이어서 2단계 인증을 진행해주세요.',
  id: '아이디',
  password: '비밀번호',
  showPassword: '비밀번호 표시',
  hidePassword: '비밀번호 숨기기',
  login: '로그인',
  ssoLogin: (provider: string) => `${provider} 계정으로 로그인`,
  rememberId: '아이디 저장',
  foundReset: '비밀번호가 기억나지 않으면 재설정할 수 있습니다.',
  attemptsLeft: (all: number, left: number, minutes: number) =>
    `${all}회 연속으로 잘못 입력하면 ${minutes}분 동안 로그인할 수 없습니다. 남은 횟수는 최대 ${left}회입니다.`,
  capsLock: 'Caps Lock이 켜져 있습니다.',
  findId: '아이디 찾기',
  resetPassword: '비밀번호 재설정',
  signUp: '회원가입',
  accountLinks: '계정 도움말',
  retryAfterSeconds: (seconds: number) => `${seconds}초 후에 다시 시도할 수 있습니다.`,
  retryAfterMinutes: (minutes: number) => `약 ${minutes}분 후에 다시 시도할 수 있습니다.`,
}

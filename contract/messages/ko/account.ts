/** Texts of the account screens: login, password; Korean to the letter where the spec gives it. */
export const account = {
  // Login.
  loginHeading: '로그인',
  loginLead: '사내 계정으로 로그인해주세요.',
  id: '아이디',
  password: '비밀번호',
  showPassword: '비밀번호 표시',
  hidePassword: '비밀번호 숨기기',
  login: '로그인',
  capsLock: 'Caps Lock이 켜져 있습니다.',
  findId: '아이디 찾기',
  resetPassword: '비밀번호 재설정',
  signUp: '회원가입',
  accountLinks: '계정 도움말',
  retryAfterSeconds: (seconds: number) => `${seconds}초 후에 다시 시도할 수 있습니다.`,
  retryAfterMinutes: (minutes: number) => `약 ${minutes}분 후에 다시 시도할 수 있습니다.`,
  retryNow: '이제 다시 시도할 수 있습니다.',

  // Forced change of a temporary password.
  passwordHeading: '비밀번호 변경',
  passwordLead: '임시 비밀번호로 로그인했습니다. 계속하려면 새 비밀번호로 변경해주세요.',
  oldPassword: '기존 비밀번호',
  newPassword: '새 비밀번호',
  newPasswordAgain: '새 비밀번호 확인',
  changePassword: '비밀번호 변경',
  logout: '로그아웃',
  ruleLength: '8자 이상 128자 이하',
  ruleKinds: '영문·숫자·기호 중 두 종류 이상 (10자 미만은 세 종류 모두)',
  ruleMatch: '새 비밀번호와 확인이 일치',
  rulePersonal: '아이디, 전화번호, 이메일을 포함하지 않음',
  ruleReuse: '최근에 사용한 비밀번호 3개와 다름',
  rules: '비밀번호 규칙',
  ruleMet: '충족',
  ruleUnmet: '미충족',
  ruleChecked: '변경할 때 확인합니다',

  /** The confirmation before a password changes (spec §5). */
  confirmTitle: '비밀번호 재설정',
  confirmText: '비밀번호를 재설정하시겠습니까?',
  passwordChanged: '비밀번호가 변경되었습니다.',
}

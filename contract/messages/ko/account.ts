import { login } from './login.ts'

/** Texts of the account screens: login, password, sign-up, find ID, reset password. */
export const account = {
  ...login,

  // Forced change of a temporary password.
  passwordHeading: '비밀번호 변경',
  passwordLead: '임시 비밀번호로 로그인했습니다. 계속하려면 새 비밀번호로 변경해주세요.',
  oldPassword: '기존 비밀번호',
  newPassword: '새 비밀번호',
  newPasswordAgain: '새 비밀번호 확인',
  changePassword: '비밀번호 변경',
  logout: '로그아웃',
  logoutLead: '이 기기에서 로그아웃하시겠습니까?',
  stayLoggedIn: '로그인 유지',
  ruleLength: '8자 이상 128자 이하',
  ruleKinds: '영문·숫자·기호 중 두 종류 이상 (10자 미만은 세 종류 모두)',
  ruleMatch: '새 비밀번호와 확인이 일치',
  ruleMatchPassword: '비밀번호와 비밀번호 확인이 일치',
  ruleCommon: '흔히 쓰는 비밀번호가 아님',
  rulePersonal: '아이디, 전화번호, 이메일을 포함하지 않음',
  ruleReuse: '최근에 사용한 비밀번호 3개와 다름',
  rules: '비밀번호 규칙',
  ruleMet: '충족',
  ruleUnmet: '미충족',
  ruleChecked: '변경할 때 확인합니다',
  ruleCheckedOnRequest: '요청할 때 확인합니다',
  ruleCheckedOnRegistration: '등록할 때 확인합니다',

  /** The question before a user changes a password (rules/account#password-change), also a temporary one. */
  changeQuestion: { title: '비밀번호 변경', message: '비밀번호를 변경하시겠습니까?' },
  passwordChanged: '비밀번호가 변경되었습니다.',

  // Email verification, shared by sign-up, find ID and reset password (rules/account#certification-screen).
  certify: '인증하기',
  certifying: '인증번호를 보내는 중입니다.',
  certifyNumber: '인증번호',
  codeWritten: '6자리 번호를 입력해주세요.',
  codeSent: '이메일로 보낸 6자리 번호를 입력해주세요.',
  /** Find ID and reset password do not reveal whether an account has this email (rules/account#account-enumeration). */
  codeSentIfKnown: '가입된 이메일이면 6자리 번호를 보내드립니다.',
  noMail: '메일이 없으면 스팸함도 확인해주세요.',
  codeAnnounced: '인증번호를 입력해주세요. 5분 안에 입력해야 합니다.',
  codeAnnouncedAgain: '새 인증번호를 만들었습니다. 이전 인증번호는 사용할 수 없습니다.',
  timeLeft: '남은 시간',
  secondsLeft: (seconds: number) => `인증 시간이 ${seconds}초 남았습니다.`,
  resend: '다시 받기',
  changeEmail: '다시 입력',
  certificationExpired: '인증 시간이 만료되었습니다. 다시 인증해주세요.',
  triesUsedUp: '5회 잘못 입력하여 이 인증번호는 사용할 수 없습니다. 인증번호를 다시 받아주세요.',
  backToLogin: '로그인으로 돌아가기',

  // Sign-up (rules/account#sign-up).
  signUpHeading: '회원가입',
  signUpLead: '이메일을 인증하고 승인을 요청하면, 관리자의 승인 후 로그인할 수 있습니다.',
  steps: '가입 순서',
  stepDetails: '정보 입력',
  stepEmail: '이메일 인증',
  stepApproval: '관리자 승인',
  accountSection: '계정 정보',
  personSection: '임직원 정보',
  passwordAgain: '비밀번호 확인',
  rank: '직급',
  emailHint: '인증번호를 이 이메일로 보냅니다.',
  idHint: '영문 소문자, 숫자, . _ - 로 4~20자',
  requestApproval: '승인 요청',
  signUpRecalled: '입력하던 내용을 다시 불러왔습니다. 비밀번호는 저장하지 않으므로 다시 입력해주세요.',

  // Find ID (rules/account#find-id).
  findIdLead: '가입한 이메일을 인증하면 아이디를 알려드립니다.',
  yourId: (id: string) => `회원님의 아이디는 ${id}입니다.`,

  // Reset password (rules/account#reset-password).
  resetLead: '인증한 이메일로 임시 비밀번호를 보내드립니다.',

  // Email links (rules/account#mailed-links).
  linkReading: '링크를 확인하는 중입니다.',
  linkFailed: '링크를 확인하지 못했습니다.',
  linkUnknown: '이 화면의 링크가 아닙니다. 메일의 링크를 다시 열어주세요.',
  linkCode: '메일의 코드',
  linkCodeHint: '메일에 있는 43자 코드를 붙여 넣어주세요.',
  linkContinue: '계속',
  invitationLead: (id: string) => `${id} 계정의 비밀번호를 만들어주세요.`,
  invitationSubmit: '비밀번호 만들기',
  invitationDone: '비밀번호를 만들었습니다. 로그인해주세요.',
  ruleCheckedOnInvitation: '만들 때 확인합니다',
  confirmEmailLead: (id: string, email: string) =>
    `${id} 계정의 이메일을 ${email} 주소로 변경합니다. 본인의 계정이 맞으면 확인해주세요.`,
  confirmEmailSubmit: '이메일 확인',
  confirmEmailDone: '이메일이 변경되었습니다.',
}

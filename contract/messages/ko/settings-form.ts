import type { MailSecurity } from '../../settings/mail.ts'

/** Texts of the settings page. They load with it, not with every page. */
export const settingsForm = {
  loading: '설정을 불러오는 중입니다.',
  failed: '설정을 불러오지 못했습니다.',
  fixed: (variable: string) => `서버의 환경 변수 ${variable}에 설정되어 있어 여기에서 변경할 수 없습니다.`,

  company: '회사와 로고',
  companyHint: '화면 아래와 메일 제목에 표시됩니다.',
  logoTextHint: '화면 왼쪽 위와 브라우저 탭에 표시됩니다.',
  englishHint: '비워두면 영어 화면에도 한글로 표시됩니다.',
  logoAlt: '현재 로고 이미지',
  logoNone: '이미지가 없으면 기본 표시가 나타납니다.',
  logoHint: 'PNG, JPEG, WebP, 100KB 이하. 정사각형에 가까운 이미지가 잘 보입니다.',
  logoChoose: '이미지 선택',
  logoChange: '이미지 변경',
  logoRemove: '이미지 삭제',

  portal: '포털 주소',
  portalHint:
    '모든 메일에 이 주소로 가는 링크가 들어갑니다. 비워두면 메일에 링크가 없습니다. 패스키는 https 주소에서만 사용할 수 있고, 도메인이 바뀌면 다시 등록해야 합니다.',
  portalReach: '관리자를 관리할 수 있는 사람만 변경할 수 있습니다.',
  portalPlaceholder: 'https://portal.company.kr',
  portalHere: (address: string) => `지금 접속한 주소 사용 (${address})`,

  positionsHint:
    '한 줄에 하나씩 순서대로 적으면 이 가운데에서만 직급을 선택합니다. 비워두면 자유롭게 입력합니다. 이미 입력한 직급은 그대로 둡니다.',
  offices: '사업장',
  officesLead:
    '화면 아래에 이 순서로 표시됩니다. 첫 번째가 본사입니다. 영문을 비워두면 영어 화면에도 한글로 표시됩니다.',
  officeAdd: '사업장 추가',
  officeName: '사업장 이름',
  officeOf: (position: number, name: string) => (name === '' ? `${position}번째 사업장` : name),
  officeUp: (name: string) => `${name} 위로`,
  officeDown: (name: string) => `${name} 아래로`,
  officeRemove: (name: string) => `${name} 삭제`,

  notices: '공지사항',
  noticesLead:
    '끄면 모든 공지사항에서 숨기고 더 이상 받지 않습니다. 켜면 작성자가 허용한 공지사항에 다시 나타납니다.',

  mailServer: '메일 서버',
  mailLead: '인증번호와 알림을 보내는 메일 서버입니다. 저장하면 다음 메일부터 사용합니다.',
  mailHostHint: '비워두면 메일을 보내지 않고 서버의 파일로 저장합니다.',
  mailSecurity: { starttls: 'STARTTLS (보통 587)', tls: 'TLS (보통 465)' } satisfies Record<
    MailSecurity,
    string
  >,
  mailUserHint: '로그인이 필요 없는 서버라면 비워두면 됩니다. 입력하면 암호화된 연결로만 보냅니다.',
  mailPasswordKept: '저장되어 있으며 표시하지 않습니다. 변경할 때만 입력해주세요.',
  mailPasswordNew: '암호화해 저장하며 다시 표시하지 않습니다.',
  mailFromHint: '예: 마루 <no-reply@company.kr>',
  mailSaved: '메일 서버를 저장했습니다. 테스트 메일로 확인해주세요.',
  mailRemoved: '저장했습니다. 메일 서버가 없어 메일은 서버의 파일로만 저장됩니다.',
  mailReach: '관리자를 관리할 수 있는 사람만 메일 서버를 변경할 수 있습니다.',
  mailSave: '메일 서버 저장',
  mailTestTitle: '테스트 메일',
  mailTest: '테스트 메일 발송',
  mailTestTo: '받는 사람',
  mailTesting: '테스트 메일을 보내는 중입니다.',
  mailSent: (email: string) =>
    `메일 서버가 ${email} 주소로 보낼 테스트 메일을 받았습니다. 받은 편지함을 확인해주세요.`,
  mailWritten: (path: string) =>
    `메일 서버가 설정되지 않아 메일을 보내지 않고 서버의 파일로 저장했습니다. 실제로 보내려면 메일 서버를 저장해주세요.\n${path}`,
  mailFailed: (email: string) => `${email} 주소로 테스트 메일을 보내지 못했습니다.`,
  mailDetail: (detail: string) => `오류 원문: ${detail}`,

  save: '저장',
  saving: '설정을 저장하는 중입니다.',
  saved: '설정을 저장했습니다.',
  empty: '없음',
  on: '사용',
  off: '사용 안 함',
}

/** The texts of the settings page that every language must have. */
export type SettingsTexts = typeof settingsForm

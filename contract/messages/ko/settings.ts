import type { SetupLack, SetupStep } from '../../settings.ts'

/** Texts of the settings and of the guide through setting the portal up. */
export const settings = {
  /** Titles of its pages; a menu item says the same. */
  titles: {
    settingManage: '포털 설정',
    setup: '설정 안내',
  },

  loading: '설정을 불러오고 있습니다.',
  failed: '설정을 불러오지 못했습니다.',
  fixed: (variable: string) => `서버의 환경 변수 ${variable}에 설정되어 있어 여기에서 변경할 수 없습니다.`,

  company: '회사와 로고',
  companyHint: '화면 아래와 메일 제목에 표시됩니다.',
  logoTextHint: '화면 왼쪽 위와 브라우저 탭에 표시됩니다.',
  logoAlt: '지금의 로고 이미지',
  logoNone: '이미지가 없으면 기본 표시가 나타납니다.',
  logoHint: 'PNG, JPEG, WebP, 100KB 이하. 정사각형에 가까운 이미지가 잘 보입니다.',
  logoChoose: '이미지 선택',
  logoChange: '이미지 변경',
  logoRemove: '이미지 삭제',

  portal: '포털 주소',
  portalHint: '모든 메일에 이 주소로 가는 링크가 들어갑니다. 비워두면 메일에 링크가 없습니다.',
  portalPlaceholder: 'https://portal.company.kr',
  portalHere: (address: string) => `지금 접속한 주소 사용 (${address})`,

  offices: '사업장',
  officesLead: '화면 아래에 이 순서로 표시됩니다. 첫 번째가 본사입니다.',
  officeAdd: '사업장 추가',
  officeName: '사업장 이름',
  officeOf: (position: number, name: string) => (name === '' ? `${position}번째 사업장` : name),
  officeUp: (name: string) => `${name} 위로`,
  officeDown: (name: string) => `${name} 아래로`,
  officeRemove: (name: string) => `${name} 삭제`,

  mail: '메일',
  mailLead: '보내는 사람과 메일 서버는 서버의 환경 변수 MAIL_FROM과 SMTP_URL에서 정합니다.',
  mailFrom: '보내는 사람',
  mailServer: '메일 서버',
  mailServerNone: '설정되지 않음: 메일이 전송되지 않고 서버의 파일로 저장됩니다.',
  mailTest: '테스트 메일 보내기',
  mailTestTo: '받는 사람',
  mailTesting: '테스트 메일을 보내고 있습니다.',
  mailSent: (email: string) =>
    `메일 서버가 ${email} 주소의 테스트 메일을 받았습니다. 받은 편지함을 확인해주세요.`,
  mailWritten: (path: string) =>
    `SMTP_URL이 설정되지 않아 메일을 보내지 않고 서버의 파일로 저장했습니다. 실제로 보내려면 서버에 SMTP_URL을 설정하고 다시 시작해주세요.\n${path}`,
  mailFailed: (email: string) => `${email} 주소로 테스트 메일을 보내지 못했습니다.`,
  mailDetail: (detail: string) => `메일 서버의 응답: ${detail}`,

  save: '저장',
  saving: '설정을 저장하고 있습니다.',
  saved: '설정을 저장했습니다.',
  changedTitle: '다른 사람이 변경했습니다',
  changedText: '저장하지 않았습니다. 아래는 다른 사람이 저장한 내용입니다. 확인한 후 다시 저장해주세요.',
  empty: '없음',

  guide: {
    lead: '포털을 시작하기 전에 필요한 것들입니다. 순서는 자유이며, 끝낸 항목은 자동으로 완료로 표시됩니다.',
    loading: '설정 상태를 확인하고 있습니다.',
    failed: '설정 상태를 확인하지 못했습니다.',
    progress: (done: number, all: number) => `${all}개 중 ${done}개 완료`,
    done: '완료',
    open: '미완료',
    go: '설정하기',
    look: '확인하기',
    goTo: (title: string) => `${title} 열기`,
    steps: {
      company: ['회사 이름과 로고', '화면과 메일 제목에 표시되는 회사 이름과 로고를 정합니다.'],
      portalUrl: ['포털 주소', '메일의 링크가 열 주소입니다. 없으면 메일에 링크가 들어가지 않습니다.'],
      mail: ['메일 보내기', '받을 수 있는 주소로 테스트 메일을 보내 인증번호와 알림이 나가는지 확인합니다.'],
      ownAccount: ['내 이메일과 비밀번호', '알림을 받을 본인의 이메일과 본인만 아는 비밀번호입니다.'],
      offices: ['사업장', '화면 아래에 표시되는 본사와 지사의 주소와 연락처입니다.'],
      affiliations: [
        '소속과 기본 파트너 코드',
        '회사의 조직을 소속으로 등록하고, 소속마다 기본 파트너 코드를 정합니다. 파트너 코드가 없으면 사용자를 승인하거나 등록할 수 없습니다.',
      ],
      hr: ['인사 담당자 계정', '사용자를 등록하고 승인할 인사 관리자의 계정을 만듭니다.'],
    } satisfies Record<SetupStep, [title: string, text: string]> as Record<
      SetupStep,
      [title: string, text: string]
    >,
    lacks: {
      ownEmail:
        '비밀번호는 정했고, 이메일은 아직 임시 주소입니다. 알림을 받을 본인의 이메일을 등록해주세요. 새 주소로 보내는 인증번호가 필요합니다.',
      mailServer:
        '서버에 SMTP_URL을 설정하고 다시 시작한 후 테스트 메일을 보내주세요. 그때까지 인증번호와 알림은 나가지 않고 서버의 파일로 저장됩니다.',
    } satisfies Record<SetupLack, string> as Record<SetupLack, string>,
    later: '나중에 하기',
    finish: '안내 끝내기',
    finishTitle: '설정 안내 끝내기',
    finishText: (left: string) =>
      `아직 남은 항목이 있습니다: ${left}\n안내를 끝내도 메뉴의 포털 설정에서 언제든지 계속할 수 있습니다. 끝내시겠습니까?`,
    ready: '포털을 사용할 준비가 되었습니다.',
    readyText: '이제 사용자가 회원가입을 신청할 수 있고, 관리자가 승인하면 바로 로그인할 수 있습니다.',
    next: '이어서 할 일',
    notReady: (count: number) => `아직 ${count}개 항목이 남아 있습니다.`,
    finished: '설정 안내를 마쳤습니다.',
    toMain: '홈으로',
    back: '설정 안내로 돌아가기',
    inSetup: '포털을 설정하고 있습니다.',
    hint: '아직 끝내지 않은 포털 설정이 있습니다.',
    hintLink: '설정 안내 열기',
  },
}

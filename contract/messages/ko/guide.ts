import type { SetupLack, SetupStep } from '../../settings.ts'

/** Texts of the setup guide. They load with its page, not with every page. */
export const guide = {
  lead: '포털을 시작하기 전에 설정할 항목입니다. 끝낸 항목은 자동으로 완료 표시됩니다.',
  loading: '설정 상태를 확인하는 중입니다.',
  failed: '설정 상태를 확인하지 못했습니다.',
  progress: (done: number, all: number) => `${all}개 중 ${done}개 완료`,
  done: '완료',
  open: '미완료',
  go: '설정하기',
  look: '확인하기',
  goTo: (title: string, what: string) => `${title} ${what}`,
  steps: {
    company: ['회사 이름과 로고', '화면과 메일 제목에 표시되는 회사 이름과 로고를 정합니다.'],
    portalUrl: ['포털 주소', '메일의 링크에 사용할 주소입니다. 비워두면 메일에 링크가 없습니다.'],
    mail: ['메일 발송', '받을 수 있는 주소로 테스트 메일을 보내 인증번호와 알림이 발송되는지 확인합니다.'],
    ownAccount: ['내 이메일과 비밀번호', '알림을 받을 본인의 이메일과 본인만 아는 비밀번호입니다.'],
    offices: ['사업장', '화면 아래에 표시되는 본사와 지사의 주소와 연락처입니다.'],
    affiliations: [
      '소속과 기본 파트너 코드',
      '회사의 조직을 소속으로 추가하고, 소속마다 기본 파트너 코드를 정합니다. 파트너 코드가 없으면 사용자를 승인하거나 등록할 수 없습니다.',
    ],
    profiles: [
      '이름과 직급 관리',
      '이름과 직급을 사용자가 직접 수정할지, 인사 담당자만 수정할지 정합니다. 그대로 두어도 한 번 저장해주세요.',
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
      '메일 서버를 저장한 후 테스트 메일을 보내주세요. 그때까지 인증번호와 알림은 발송되지 않고 서버의 파일로 저장됩니다.',
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
}

/** The texts of the setup guide that every language must have. */
export type GuideTexts = typeof guide

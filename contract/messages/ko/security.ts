import type { SecurityNumber, SessionBinding } from '../../settings/security.ts'

/** Texts of the page of the security settings. They load with it. */
export const security = {
  loading: '보안 설정을 불러오고 있습니다.',
  failed: '보안 설정을 불러오지 못했습니다.',

  factors: '2단계 인증',
  factorRolesHint:
    '선택한 권한의 사용자는 유예 기간 안에 2단계 인증을 등록해야 합니다. 비밀번호가 유출되어도 휴대전화 없이는 로그인할 수 없습니다.',
  /** Hints of the settings that are numbers. */
  numberHints: {
    factorGraceDays: (max: number) =>
      `0~${max}일. 설정을 저장한 날이나 그 권한을 받은 날 중 늦은 날부터 셉니다. 기간이 지나면 로그인한 뒤 등록을 마칠 때까지 다른 화면을 사용할 수 없습니다. 0이면 바로 등록해야 합니다.`,
    sessionLimit: (max: number) =>
      `0~${max}, 0이면 제한하지 않습니다. 넘으면 가장 먼저 로그인한 기기가 로그아웃됩니다. 계정을 여럿이 함께 쓰거나 쓰지 않는 기기에 로그인이 남는 것을 막습니다.`,
    uploadQuotaMb: (max: number) =>
      `0~${max.toLocaleString('ko')}, 0이면 제한하지 않습니다. 공지사항의 첨부파일과 본문 사진을 합해 셉니다. 파일을 지워도 그날의 한도는 늘어나지 않고, 자정(한국 시간)에 다시 시작됩니다. 한 사람이 저장 공간을 모두 채우는 것을 막습니다.`,
  } satisfies Record<SecurityNumber, (max: number) => string>,
  days: (days: number) => `${days}일`,

  sessions: '세션',
  bindings: {
    off: '어디서나',
    network: '로그인한 대역에서만 (IPv4 /24, IPv6 /64)',
    exact: '로그인한 IP 주소에서만',
  } satisfies Record<SessionBinding, string> as Record<SessionBinding, string>,
  sessionBindingHint:
    '다른 곳에서 사용된 세션은 바로 종료되고 본인에게 알림이 갑니다. 세션을 가로채도 다른 곳에서는 쓸 수 없지만, 주소가 자주 바뀌는 모바일 회선에서는 다시 로그인해야 합니다.',
  choose: '선택해주세요',

  admins: '관리자',
  adminNetworksHint: (max: number) =>
    `한 줄에 하나씩, ${max}개까지. 예: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32. 비워두면 제한하지 않습니다. 관리 권한이 있는 계정은 다른 주소에서 로그인하거나 포털을 사용할 수 없으므로, 비밀번호가 유출되어도 사무실 밖에서는 쓸 수 없습니다.`,
  adminNetworksLead:
    '사용자·권한·설정·감사 기록을 관리하거나 개인정보를 내보내는 권한이 하나라도 있는 계정에 적용됩니다. 지금 접속한 주소가 없는 목록은 저장되지 않습니다.',
  here: (address: string) => `지금 접속한 주소 추가 (${address})`,
  networkLine: (line: string) => `${line}: 주소나 대역이 아닙니다.`,

  uploads: '파일 업로드',
  reach: '관리자를 관리할 수 있는 사람만 보안 설정을 변경할 수 있습니다.',

  save: '저장',
  saving: '보안 설정을 저장하고 있습니다.',
  saved: '보안 설정을 저장했습니다.',
  none: '없음',
}

/** The texts of the security settings that every language must have. */
export type SecurityTexts = typeof security

/** Texts of the page of the security settings. They load with it. */
export const security = {
  loading: '보안 설정을 불러오는 중입니다.',
  failed: '보안 설정을 불러오지 못했습니다.',

  fixed: (variable: string) => `서버의 환경 변수 ${variable}에 설정되어 있어 여기에서 변경할 수 없습니다.`,
  ground: (hint: string, laws: string) => (laws === '' ? hint : `${hint} 근거: ${laws}`),

  profiles: '사용자와 계정',

  factors: '2단계 인증',
  factorRolesHint:
    '선택한 권한의 사용자는 유예 기간 안에 2단계 인증을 등록해야 합니다. 비밀번호가 유출되어도 휴대전화 없이는 로그인할 수 없습니다.',
  sso: '통합 로그인',
  ssoRolesHint:
    '선택한 권한의 사용자는 비밀번호로 로그인할 수 없습니다. 사용 중인 통합 로그인이 있는 동안에만 적용되며, 이미 로그인한 사용자는 그대로 이용합니다.',
  emergencyAccountsHint: (most: number) =>
    `통합 로그인 서버에 문제가 있어도 비밀번호와 2단계 인증으로 로그인할 관리자의 아이디를 한 줄에 하나씩, ${most}개까지 입력하세요. 로그인할 때마다 모든 관리자에게 알립니다.`,
  trustRolesHint:
    '선택한 권한의 사용자는 로그인할 때 “이 기기에서 30일 동안 묻지 않기”를 선택할 수 있습니다. 중요한 작업 전의 본인 확인은 그대로 묻습니다. 외부에서 개인정보를 다루는 권한은 선택하지 않는 것이 좋습니다. 선택을 해제하면 등록된 기기가 바로 삭제됩니다.',
  days: (days: number) => `${days}일`,

  sessions: '세션',
  choose: '선택해주세요',

  admins: '관리자',
  adminNetworksHint: (max: number) =>
    `한 줄에 하나씩, ${max}개까지. 예: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32. 비워두면 제한하지 않습니다. 관리 권한이 있는 계정은 다른 주소에서 로그인하거나 포털을 사용할 수 없으므로, 비밀번호가 유출되어도 사무실 밖에서는 사용할 수 없습니다.`,
  adminNetworksLead:
    '사용자·권한·설정·감사 기록을 관리하거나 개인정보를 내보내는 권한이 하나라도 있는 계정에 적용됩니다. 지금 접속한 주소가 없는 목록은 저장되지 않습니다.',
  here: (address: string) => `지금 접속한 주소 추가 (${address})`,
  networkLine: (line: string) => `${line}: 주소나 대역이 아닙니다.`,

  records: '접속기록',
  backups: '백업',
  uploads: '파일 업로드',
  reach: '관리자를 관리할 수 있는 사람만 보안 설정을 변경할 수 있습니다.',

  save: '저장',
  saving: '보안 설정을 저장하는 중입니다.',
  saved: '보안 설정을 저장했습니다.',
  none: '없음',
}

/** The texts of the security settings that every language must have. */
export type SecurityTexts = typeof security

/** Texts of single sign-on. They load with its screens, not with every page. */
export const sso = {
  // The page /sso.
  finishing: '로그인을 확인하는 중입니다.',
  notBegun: '이 창에서 시작한 로그인이 아닙니다. 로그인 화면에서 다시 시작해주세요.',
  secondLead: '통합 로그인을 확인했습니다. 이어서 2단계 인증을 진행해주세요.',
  linked: (name: string) => `${name} 계정을 연결했습니다.`,
  back: '돌아가기',
  tryHeading: '시험 로그인 결과',
  tryDone: (name: string) =>
    `${name} 계정으로 로그인할 수 있습니다. 시험 로그인은 아무것도 변경하지 않았습니다.`,
  tryMatched: (id: string) => `연결된 포털 계정은 ${id}입니다.`,
  tryRefused: (id: string, reason: string) =>
    `연결된 포털 계정 ${id}은(는) 지금 로그인할 수 없습니다. ${reason}`,
  tryUnmatched: '연결된 포털 계정이 없습니다. 이 사람은 내 정보에서 연결한 뒤 로그인할 수 있습니다.',

  // The section of /mypage.
  none: '사용할 수 있는 통합 로그인이 없습니다.',
  list: '통합 로그인 목록',
  notLinked: '연결하지 않음',
  since: (time: string) => `${time}부터 연결`,
  lastUsed: (time: string) => (time === '' ? '사용한 적 없음' : `마지막 사용 ${time}`),
  unusable: '지금은 사용할 수 없습니다.',
  link: '연결',
  linkOf: (name: string) => `${name} 연결`,
  unlink: '연결 해제',
  unlinkOf: (name: string) => `${name} 연결 해제`,
  unlinkTitle: '통합 로그인 연결 해제',
  unlinkText: (name: string) =>
    `${name} 계정으로 더 이상 로그인할 수 없고, 그 계정으로 로그인한 다른 기기에서 로그아웃됩니다. 연결을 해제하시겠습니까?`,
  unlinked: '연결을 해제했습니다.',
  loading: '통합 로그인을 불러오는 중입니다.',
  failed: '통합 로그인을 불러오지 못했습니다.',

  // The page /setting/sso.
  lead: '회사의 로그인 서버(OpenID Connect)로 포털에 로그인합니다. 사용자는 내 정보에서 자기 계정을 직접 연결하며, 이메일이 같다고 연결되지 않습니다. 비밀번호 로그인은 계속 사용할 수 있습니다.',
  off: '환경변수 SSO=off로 통합 로그인을 사용하지 않습니다.',
  noUrl: '포털 설정에서 포털 주소를 먼저 저장해주세요.',
  redirectUri: '리디렉션 URI',
  redirectHint: '로그인 서버에 등록할 주소입니다.',
  copied: '복사했습니다.',
  add: '통합 로그인 추가',
  empty: '추가한 통합 로그인이 없습니다.',
  reachHint: '관리자를 관리할 수 있는 사람만 변경할 수 있습니다.',
  enabled: '사용 중',
  ready: '시험 완료',
  untried: '시험 필요',
  linkCount: '연결된 사용자',
  people: (count: number) => `${count.toLocaleString()}명`,
  allDomains: '모든 도메인',
  secondFactor: '2단계 인증',
  factorOfPortal: '포털에서 확인',
  factorOfProvider: '통합 로그인의 인증을 인정',
  edit: '수정',
  editOf: (name: string) => `${name} 수정`,
  try: '시험하기',
  tryOf: (name: string) => `${name} 시험하기`,
  enable: '사용',
  enableOf: (name: string) => `${name} 사용`,
  disable: '사용 중지',
  disableOf: (name: string) => `${name} 사용 중지`,
  remove: '삭제',
  removeOf: (name: string) => `${name} 삭제`,
  removeTitle: '통합 로그인 삭제',
  removeText: (name: string, count: number) =>
    `${name} 통합 로그인을 삭제하면 사용자 ${count.toLocaleString()}명의 연결이 사라지고, 이것으로 로그인한 기기에서 로그아웃됩니다. 삭제하시겠습니까?`,
  disableText: (name: string) =>
    `${name} 계정으로 로그인할 수 없게 됩니다. 비밀번호로는 로그인할 수 있습니다.`,
  save: '저장',
  saved: '저장했습니다.',
  savedTry: '저장했습니다. 사용하려면 시험 로그인을 해주세요.',
  preset: '종류',
  presets: {
    other: '기타',
    entra: 'Microsoft Entra ID',
    google: 'Google Workspace',
    keycloak: 'Keycloak',
    okta: 'Okta',
    works: 'NAVER WORKS',
  },
  issuerHint: '/.well-known/openid-configuration 앞까지의 주소입니다. { } 부분을 바꿔주세요.',
  secretKept: '비워두면 저장된 값을 유지합니다.',
  claims: { sub: 'sub (일반)', oid: 'oid (Microsoft Entra ID)' },
  domainsHint: '이 도메인의 계정만 허용합니다. 한 줄에 하나씩 입력하고, 비워두면 모두 허용합니다.',
  factorHint: '인정하면 포털의 2단계 인증을 등록한 사람도 로그인할 때 확인하지 않습니다.',
}

/** The texts of single sign-on that every language must have. */
export type SsoTexts = typeof sso

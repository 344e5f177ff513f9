/** Names of an account that a provider wants to create. */
interface Candidate {
  name: string
  userId: string
  email: string
  scimName: string
}

/** Texts of provisioning. They load with its dialog, not with every page. */
export const scim = {
  provisioning: '프로비저닝',
  titleOf: (name: string) => `${name} 프로비저닝`,
  loading: '프로비저닝을 불러오는 중입니다.',
  failed: '프로비저닝을 불러오지 못했습니다.',
  disabled: '통합 로그인을 사용하지 않고 있어 요청을 처리하지 않습니다.',
  managed: (count: number) => `이 통합 로그인이 관리하는 계정은 ${count.toLocaleString()}개입니다.`,
  stopped: (time: string) =>
    `${time}부터 정지와 탈퇴를 멈췄습니다. 한 시간에 너무 많은 계정을 정지하거나 탈퇴시켰습니다. 통합 로그인 서버를 확인한 뒤 계속해주세요.`,
  release: '계속',
  released: '한 시간 동안 제한 없이 계속합니다.',
  noUrl: '포털 설정에서 포털 주소를 먼저 저장해주세요.',
  url: 'SCIM 주소',
  affiliation: '새 계정의 소속',
  affiliationHint: '소속을 알 수 없는 새 계정에 지정합니다.',
  saved: '저장했습니다.',
  tokens: 'SCIM 토큰',
  token: 'SCIM 토큰',
  tokenLead: '이 토큰은 지금만 볼 수 있습니다. 복사하여 통합 로그인 서버에 입력해주세요.',
  tokenOf: (created: string, by: string, used: string) =>
    `${created} ${by} 발급 · ${used === '' ? '사용한 적 없음' : `마지막 사용 ${used}`}`,
  create: '토큰 발급',
  end: '폐기',
  endOf: (created: string) => `${created}에 발급한 토큰 폐기`,
  endTitle: 'SCIM 토큰 폐기',
  endText: '통합 로그인 서버가 이 토큰으로 더 이상 계정을 관리할 수 없습니다. 폐기하시겠습니까?',
  ended: '폐기했습니다.',
  candidates: '연결할 계정',
  candidatesHint:
    '통합 로그인 서버가 만들려고 했지만 이미 있는 계정입니다. 연결하면 통합 로그인 서버가 수정, 정지, 탈퇴할 수 있습니다.',
  candidateOf: ({ name, userId, email, scimName }: Candidate) =>
    `${name} (${userId}) · ${email} · 서버의 이름 ${scimName}`,
  privileged: '(관리 기능이 있어 연결할 수 없음)',
  adopt: '연결',
  adoptTitle: '계정 연결',
  adoptText: (count: number) =>
    `계정 ${count.toLocaleString()}개를 통합 로그인 서버가 관리합니다. 연결하시겠습니까?`,
  adopted: '연결했습니다.',
}

/** The texts of provisioning that every language must have. */
export type ScimTexts = typeof scim

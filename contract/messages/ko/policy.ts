import type { Requirement, RequirementStatus } from '../../audit/policy.ts'

/** The texts of a requirement: its name, its present value, and its source with the place in that source. */
export interface RequirementTexts {
  name: string
  value: (...values: string[]) => string
  rule: string
}

const backup = (at: string, tested: string) =>
  at === ''
    ? '받은 백업 없음'
    : `마지막 백업 ${at.slice(0, 16)} · ${tested === '' ? '복구 시험 없음' : `복구 시험 ${tested.slice(0, 16)}`}`

/** Texts of the policy page. They load with it. */
export const policy = {
  lead: '개인정보 보호 규정이 요구하는 설정을 현재 값과 비교합니다. 값은 실제 설정에서 읽습니다.',
  basis:
    '‘기준’은 개인정보의 안전성 확보조치 기준(2023년 고시 체계), ‘ISMS-P’는 인증기준 항목입니다. 조문은 공개된 해설을 기준으로 적었으니 시행 중인 고시와 대조해주세요. 수치가 없는 규정은 마루의 기본값 이내면 적합으로 봅니다.',
  loading: '정책 점검을 불러오는 중입니다.',
  failed: '정책 점검을 불러오지 못했습니다.',
  print: '인쇄',
  list: '정책 점검 목록',
  empty: '점검할 항목이 없습니다.',
  summary: (met: string, all: string) => `${all}개 항목 중 ${met}개가 적합합니다.`,
  columns: { name: '항목', value: '현재 값', standing: '판정', rule: '근거', where: '변경하는 곳' },
  standings: { MET: '적합', UNMET: '확인 필요', UNKNOWN: '알 수 없음' } satisfies Record<
    RequirementStatus,
    string
  >,
  variable: (name: string) => `환경 변수 ${name}`,
  fixed: '변경할 수 없음',
  report: {
    title: '개인정보 보호 정책 점검표',
    portal: '포털',
    version: '마루 버전',
    madeAt: '작성일시',
    result: '결과',
    signature: '확인',
  },
  requirements: {
    passwordLook: {
      name: '비밀번호 작성 규칙',
      value: (min, long) => `${min}자 이상, 3종류 조합 (${long}자 이상은 2종류)`,
      rule: '기준 제5조 · ISMS-P 2.5.4 · KISA 패스워드 선택 및 이용 안내서',
    },
    passwordHash: {
      name: '비밀번호 일방향 암호화',
      value: (memory, passes) => `argon2id (${memory} MiB, ${passes}회), 토큰은 SHA-256`,
      rule: '기준 제7조 · ISMS-P 2.7.1',
    },
    loginLock: {
      name: '로그인 실패 시 잠금',
      value: (tries, minutes) => `${tries}회 실패하면 ${minutes}분`,
      rule: '기준 제5조 (인증 실패 시 접근 제한) · ISMS-P 2.5.3',
    },
    secondFactor: {
      name: '관리자의 2단계 인증',
      value: (having, all) => `관리자 ${all}명 중 ${having}명 사용`,
      rule: '기준 제6조 (외부 접속 시 안전한 인증수단) · ISMS-P 2.5.3',
    },
    factorRequired: {
      name: '2단계 인증 의무화',
      value: (required, all, days) => `관리 권한이 있는 권한 ${all}개 중 ${required}개 · 유예 ${days}일`,
      rule: '기준 제6조 (외부 접속 시 안전한 인증수단) · ISMS-P 2.5.3 (강화된 인증)',
    },
    sessionIdle: {
      name: '미사용 시 자동 로그아웃',
      value: (minutes) => `${minutes}분`,
      rule: '기준 제6조 (자동 접속 차단, 수치 없음) · ISMS-P 2.6.3',
    },
    sessionEnd: {
      name: '로그인 유지 시간',
      value: (hours) => `최대 ${hours}시간`,
      rule: 'ISMS-P 2.6.3 (수치 없음)',
    },
    sessionLimit: {
      name: '동시 접속 제한',
      value: (count) => (count === '0' ? '제한 없음' : `한 사람당 ${count}개`),
      rule: 'ISMS-P 2.6.3 (동시 세션 제한)',
    },
    sessionBinding: {
      name: '로그인한 주소에서만 세션 사용',
      value: (binding) =>
        ({ network: '로그인한 대역 (IPv4 /24, IPv6 /64)', exact: '로그인한 IP 주소' })[binding] ??
        '제한 없음',
      rule: '기준 제6조 (IP 주소 등으로 제한) · ISMS-P 2.6.3 (세션 보호의 한 방법이며 의무는 아님)',
    },
    confirmation: {
      name: '위험한 작업 전 본인 재확인',
      value: (minutes) => `로그인이나 확인 뒤 ${minutes}분이 지나면 비밀번호, 2단계 인증을 쓰면 그 인증`,
      rule: 'ISMS-P 2.5.3 (필요 시 강화된 인증) · OWASP ASVS 5.0 7.5.3',
    },
    adminNetworks: {
      name: '관리자 접속 IP 제한',
      value: (count) => (count === '0' ? '제한 없음' : `허용한 주소 ${count}개`),
      rule: '기준 제6조 (IP 주소 등으로 제한) · ISMS-P 2.6.2',
    },
    disuse: {
      name: '장기 미사용 계정 정지',
      value: (days) => (days === '0' ? '정지하지 않음' : `${days}일`),
      rule: 'ISMS-P 2.5.1, 2.5.6 (수치 없음)',
    },
    rightsAtOnce: {
      name: '권한 변경·말소의 반영',
      value: () => '바로 (다음 요청부터)',
      rule: '기준 제5조 (지체 없이 변경 또는 말소) · ISMS-P 2.5.1',
    },
    rightsRecords: {
      name: '권한 부여·변경·말소 기록 보관',
      value: (months) => `${months}개월`,
      rule: '기준 제5조 (최소 3년) · ISMS-P 2.5.1',
    },
    rightsReview: {
      name: '분기별 권한 검토',
      value: (due, signed) =>
        `${due === '0' ? '밀린 검토 없음' : `검토할 분기 ${due}개`} · ${signed === '' ? '완료한 검토 없음' : `마지막 완료 ${signed}`}`,
      rule: 'ISMS-P 2.5.6 (정기 검토)',
    },
    accessLog: {
      name: '접속기록 보관',
      value: (months) => `${months}개월 뒤 파일로 계속 보관`,
      rule: '기준 제8조 (1년, 5만 명 이상이거나 고유식별정보·민감정보를 처리하면 2년) · ISMS-P 2.9.4',
    },
    inspection: {
      name: '접속기록 월간 점검',
      value: (due, signed) =>
        `${due === '0' ? '밀린 점검 없음' : `점검할 달 ${due}개`} · ${signed === '' ? '완료한 점검 없음' : `마지막 완료 ${signed}`}`,
      rule: '기준 제8조 (월 1회 이상) · ISMS-P 2.9.5',
    },
    trailGuard: {
      name: '기록의 위·변조 방지',
      value: () => '추가만 가능한 감사 기록, 해시로 이어진 접속기록',
      rule: '기준 제8조 (위·변조, 도난, 분실 방지) · ISMS-P 2.9.4',
    },
    portalTls: {
      name: '포털 주소의 전송 암호화',
      value: (address) => address || '포털 주소를 정하지 않음',
      rule: '기준 제7조 (송신 시 암호화) · ISMS-P 2.7.1',
    },
    mailTls: {
      name: '메일 서버의 전송 암호화',
      value: (host) => host || '메일 서버 없음',
      rule: '기준 제7조 (송신 시 암호화) · ISMS-P 2.7.1',
    },
    databaseTls: {
      name: '데이터베이스 연결의 암호화',
      value: (kind) => (kind === 'own' ? '이 서버 안에서만 연결' : '외부 데이터베이스'),
      rule: '기준 제7조 (송신 시 암호화) · ISMS-P 2.7.1',
    },
    backups: { name: '백업과 복구 시험', value: backup, rule: '기준 제11조 · ISMS-P 2.9.3' },
    jobs: {
      name: '자동 작업',
      value: () => '점검, 파기, 백업 등 예정된 작업',
      rule: 'ISMS-P 2.9.2',
    },
    clock: { name: '시각 동기화', value: () => '서버와 데이터베이스의 시계', rule: 'ISMS-P 2.9.6' },
    erasing: {
      name: '보유 기간이 지난 개인정보 파기',
      value: (days) => `탈퇴 후 ${days}일`,
      rule: '개인정보 보호법 제21조 · 기준 제13조 · ISMS-P 3.4.1',
    },
  } satisfies Record<Requirement, RequirementTexts> as Record<Requirement, RequirementTexts>,
}

/** The texts of the policy page that every language must have. */
export type PolicyTexts = typeof policy

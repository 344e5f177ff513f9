import type { Requirement, RequirementStatus } from '../../audit/policy.ts'
import type { LawKind } from '../../laws.ts'

/** The texts of a requirement: its name and its current value. Its sources are entries of the register of laws. */
export interface RequirementTexts {
  name: string
  value: (...values: string[]) => string
}

const backup = (at: string, tested: string) =>
  at === ''
    ? '받은 백업 없음'
    : `마지막 백업 ${at.slice(0, 16)} · ${tested === '' ? '복구 시험 없음' : `복구 시험 ${tested.slice(0, 16)}`}`

/** Texts of the policy page. They load with it. */
export const policy = {
  lead: '개인정보 보호 규정이 요구하는 설정을 현재 값과 비교합니다. 값은 실제 설정에서 읽습니다.',
  basis:
    '근거는 아래 법령 대장에서 가져옵니다. 수치가 없는 규정은 마루의 기본값 이내면 적합으로 봅니다. 포털이 확인할 수 없는 값은 ‘알 수 없음’입니다.',
  loading: '정책 점검을 불러오는 중입니다.',
  failed: '정책 점검을 불러오지 못했습니다.',
  print: '인쇄',
  list: '정책 점검 목록',
  empty: '점검할 항목이 없습니다.',
  summary: (met: string, all: string) =>
    `${all}개 항목 중 ${met}개가 적합합니다. 포털의 설정과 기록만 점검하며, 법령 준수를 보증하지 않습니다.`,
  columns: { name: '항목', value: '현재 값', standing: '판정', rule: '근거', where: '변경하는 곳' },
  standings: { MET: '적합', UNMET: '확인 필요', UNKNOWN: '알 수 없음' } satisfies Record<
    RequirementStatus,
    string
  >,
  variable: (name: string) => `환경 변수 ${name}`,
  fixed: '변경할 수 없음',
  laws: {
    title: '법령 대장',
    lead: '포털과 관련된 의무와 그 출처입니다. 출처를 확인한 날과 확인한 판을 함께 적으며, 인용한 판을 확인하지 못한 항목은 ‘확인되지 않음’으로 표시합니다. 감사 전에 시행 중인 조문과 대조해주세요.',
    list: '법령 대장 목록',
    columns: {
      duty: '의무',
      source: '출처',
      kind: '구분',
      dates: '시행·확인',
      met: '충족하는 기능',
      company: '회사의 근거와 비고',
    },
    edit: '수정',
    editOf: (duty: string) => `회사의 근거와 비고 수정: ${duty}`,
    editTitle: '회사의 근거와 비고',
    save: '저장',
    saved: '회사의 근거와 비고를 저장했습니다.',
    kinds: {
      duty: '의무',
      criterion: '인증 기준',
      practice: '모범 사례',
      outside: '포털 밖',
    } satisfies Record<LawKind, string>,
    inForce: (day: string) => (day === '' ? '시행일 확인되지 않음' : `${day} 시행`),
    verified: (day: string) => `${day} 확인`,
    unverified: '확인되지 않음',
    earlier: '이전 판의 본문만 확인',
    outside: '포털 기능으로 충족하지 못합니다. 회사가 따로 갖춰주세요.',
    builtIn: '포털에 내장된 기능',
    unverifiedCount: (count: string, all: string) =>
      `${all}개 중 ${count}개는 인용한 판을 확인하지 못했습니다.`,
  },
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
    },
    passwordHash: {
      name: '비밀번호 일방향 암호화',
      value: (memory, passes) => `argon2id (${memory} MiB, ${passes}회), 토큰은 SHA-256`,
    },
    loginLock: {
      name: '로그인 실패 시 잠금',
      value: (tries, minutes) => `${tries}회 실패하면 ${minutes}분`,
    },
    secondFactor: {
      name: '2단계 인증 사용',
      value: (having, all, admins, allAdmins) =>
        `로그인할 수 있는 ${all}명 중 ${having}명 사용 (관리자는 ${allAdmins}명 중 ${admins}명)`,
    },
    factorRequired: {
      name: '2단계 인증 의무화',
      value: (required, all, days, everyRequired, every) =>
        `전체 권한 ${every}개 중 ${everyRequired}개 (관리 권한이 있는 권한은 ${all}개 중 ${required}개) · 유예 ${days}일`,
    },
    sessionIdle: {
      name: '미사용 시 자동 로그아웃',
      value: (minutes) => `${minutes}분`,
    },
    sessionEnd: {
      name: '로그인 유지 시간',
      value: (hours) => `최대 ${hours}시간`,
    },
    sessionLimit: {
      name: '동시 접속 제한',
      value: (count) => (count === '0' ? '제한 없음' : `한 사람당 ${count}개`),
    },
    sessionBinding: {
      name: '로그인한 주소에서만 세션 사용',
      value: (binding) =>
        ({ network: '로그인한 대역 (IPv4 /24, IPv6 /64)', exact: '로그인한 IP 주소' })[binding] ??
        '제한 없음',
    },
    confirmation: {
      name: '위험한 작업 전 본인 재확인',
      value: (minutes) => `로그인이나 확인 뒤 ${minutes}분이 지나면 비밀번호, 2단계 인증을 쓰면 그 인증`,
    },
    adminNetworks: {
      name: '관리자 접속 IP 제한',
      value: (count) => (count === '0' ? '제한 없음' : `허용한 주소 ${count}개`),
    },
    disuse: {
      name: '장기 미사용 계정 정지',
      value: (days) => (days === '0' ? '정지하지 않음' : `${days}일`),
    },
    rightsAtOnce: {
      name: '권한 변경·말소의 반영',
      value: () => '바로 (다음 요청부터). 퇴직·직무 변경을 제때 반영하는지는 포털이 알 수 없음',
    },
    rightsRecords: {
      name: '권한 부여·변경·말소 기록 보관',
      value: (months) => `${months}개월`,
    },
    rightsGrants: {
      name: '권한 신청자·사유·승인자 기록',
      value: (reasons) =>
        `변경한 사람, 일시, 전후 값은 모두 기록 · 부여 사유 ${reasons === 'required' ? '필수' : '선택'} · 신청과 승인을 나누는 절차는 포털 밖`,
    },
    rightsReview: {
      name: '분기별 권한 검토',
      value: (due, missed, signed) =>
        `${due === '0' ? '밀린 검토 없음' : `검토할 분기 ${due}개`}${missed === '0' ? '' : ` · 검토하지 않고 지난 분기 ${missed}개`} · ${signed === '' ? '완료한 검토 없음' : `마지막 완료 ${signed}`}`,
    },
    accessLog: {
      name: '접속기록 보관',
      value: (months) => `데이터베이스에 ${months}개월, 그 뒤에는 파일`,
    },
    accessLogEnd: {
      name: '접속기록의 최대 보관 기간',
      value: (months) => `그 달이 끝난 뒤 ${months}개월`,
    },
    inspection: {
      name: '접속기록 점검',
      value: (due, missed, signed, months, stated) =>
        `${months === '1' ? '매월' : `${months}개월마다`} · ${due === '0' ? '밀린 점검 없음' : `점검할 달 ${due}개`}${missed === '0' ? '' : ` · 점검하지 않고 파일로 옮긴 달 ${missed}개`} · ${signed === '' ? '완료한 점검 없음' : `마지막 완료 ${signed}`} · ${stated === 'Y' ? '방법과 사후조치 정함' : '방법이나 사후조치를 적지 않음'}`,
    },
    trailGuard: {
      name: '기록의 위·변조 방지',
      value: (at, copy) =>
        `${at === '' ? '접속기록을 검증한 적 없음' : `마지막 검증 ${at}`} · ${{ none: '서명을 다른 곳에 보관하지 않음', disk: '서명을 다른 폴더에 보관 (다른 서버인지 확인 필요)' }[copy] ?? '서명을 외부 저장소에 보관'}`,
    },
    portalTls: {
      name: '포털 주소의 전송 암호화',
      value: (address) =>
        address.startsWith('https:')
          ? `${address} (프록시의 암호화는 확인하지 못함)`
          : address || '포털 주소를 정하지 않음',
    },
    mailTls: {
      name: '메일 서버의 전송 암호화',
      value: (host) => host || '메일 서버 없음',
    },
    databaseTls: {
      name: '데이터베이스 연결의 암호화',
      value: (kind) => (kind === 'own' ? '이 서버 안에서만 연결' : '외부 데이터베이스'),
    },
    backups: { name: '백업과 복구 시험', value: backup },
    jobs: {
      name: '자동 작업',
      value: () => '점검, 파기, 백업 등 예정된 작업',
    },
    clock: { name: '시각 동기화', value: () => '서버와 데이터베이스의 시계' },
    erasing: {
      name: '보유 기간이 지난 개인정보 파기',
      value: (days) => `탈퇴 후 ${days}일`,
    },
    erasureRequest: {
      name: '요구에 따른 즉시 파기',
      value: () => '탈퇴 후 30일이 지나기 전에 파기하는 기능 없음',
    },
  } satisfies Record<Requirement, RequirementTexts> as Record<Requirement, RequirementTexts>,
}

/** The texts of the policy page that every language must have. */
export type PolicyTexts = typeof policy

import type { ErasureMethod, KeptElsewhere, RetentionKind } from '../../settings/retention.ts'

/** Texts of the retention page. They load with it, not with every page. */
export const retention = {
  lead: '보관 기간이 지난 개인정보는 자동으로 파기합니다. 무엇을 몇 건, 언제, 어떤 기간에 따라 파기했는지 아래 파기 내역에 남습니다.',
  notYet: (day: string) =>
    `업데이트 뒤 처음으로 ${day}부터 파기를 시작합니다. 그 전에 보관 기간을 확인해주세요.`,
  title: '보관 기간',
  results: '보관 기간 목록',
  loading: '보관 기간을 불러오는 중입니다.',
  failed: '보관 기간을 불러오지 못했습니다.',
  empty: '보관 기간이 없습니다.',
  change: '보관 기간 변경',
  save: '저장',
  saved: '보관 기간을 저장했습니다.',
  dialogLead: '다음 파기부터 적용합니다. 이미 파기한 정보는 되돌릴 수 없습니다.',
  bounds: (unit: string, min: number, max: number, usual: number) =>
    `단위: ${unit}, ${min}~${max} (기본 ${usual})`,
  units: { days: '일', months: '개월' },
  kept: { days: (n: number) => `${n}일`, months: (n: number) => `${n}개월` },
  keptSince: (since: string, kept: string) => `${since} ${kept}`,
  columns: { kind: '개인정보', keptFor: '보관 기간', method: '파기 방법', reason: '기간의 근거' },
  officer: '개인정보 보호책임자',
  officerHint: '파기 확인서와 점검표에 표시할 소속, 직위와 이름',
  officerContact: '책임자 연락처',
  officerContactHint: '유출 통지문에 넣을 부서, 전화번호와 이메일',
  noOfficer: '정하지 않음',
  kinds: {
    withdrawnAccounts: '탈퇴한 계정',
    closedRequests: '거절되거나 취소된 요청',
    refusedMails: '보내지 못한 메일',
    notifications: '알림',
    programTokens: '끝난 프로그램·서비스 토큰',
    trail: '감사 기록',
    accessLogFiles: '접속기록',
    privacyRecords: '점검, 권한 검토와 유출 사고 기록',
  } satisfies Record<RetentionKind, string>,
  since: {
    withdrawnAccounts: '탈퇴한 때부터',
    closedRequests: '거절하거나 취소한 때부터',
    refusedMails: '발송을 포기한 때부터',
    notifications: '알린 때부터',
    programTokens: '토큰이 끝난 때부터',
    trail: '기록한 때부터',
    accessLogFiles: '그 달이 끝난 때부터',
    privacyRecords: '그 달이나 분기가 끝나거나 사고를 종결한 때부터',
  } satisfies Record<RetentionKind, string>,
  ground: (reason: string, laws: string) => (laws === '' ? reason : `${reason} (${laws})`),
  methods: {
    DELETED: '삭제',
    ANONYMIZED: '익명 처리',
  } satisfies Record<ErasureMethod, string>,
  reasons: {
    withdrawnAccounts:
      '탈퇴는 30일 동안 취소할 수 있어 그동안 보관하고, 그 뒤에는 지체 없이 파기합니다. 본인이 삭제를 요구하면 더 일찍 파기해야 합니다. 공지사항, 댓글, 발급된 키와 기록에는 “탈퇴한 사용자”로 남으며, 아이디는 알아볼 수 없게 바꾸어 다른 사람이 쓰지 못하게만 합니다.',
    closedRequests:
      '거절에 대한 문의와 거듭된 신청을 확인하는 동안 보관합니다. 승인된 요청은 그 계정과 함께 파기합니다.',
    refusedMails:
      '발송 장애를 확인하는 동안 받는 주소와 제목만 보관합니다. 본문은 발송을 포기할 때 바로 지웁니다.',
    notifications: '화면에 보이는 기간까지만 보관합니다.',
    programTokens:
      '어떤 프로그램과 서비스가 언제 어디에서 쓰였는지 사고 때 확인하는 동안 보관합니다. 토큰 자체는 저장하지 않습니다.',
    trail: '권한을 주고 바꾸고 없앤 내역은 3년 이상 보관해야 하므로 36개월보다 짧게 할 수 없습니다.',
    accessLogFiles:
      '데이터베이스에 두는 동안과 그 뒤의 파일을 합한 기간입니다. 접속기록도 개인정보를 담고 있으므로 기간이 지나면 파일을 삭제합니다. 24개월보다 짧게 할 수 없습니다.',
    privacyRecords:
      '접속기록 점검, 분기별 권한 검토, 종결한 유출 사고를 증빙으로 보관합니다. 36개월보다 짧게 할 수 없으며, 종결하지 않은 사고는 파기하지 않습니다.',
  } satisfies Record<RetentionKind, string>,
  erasures: {
    title: '파기 내역',
    results: '파기 내역 목록',
    loading: '파기 내역을 불러오는 중입니다.',
    failed: '파기 내역을 불러오지 못했습니다.',
    empty: '아직 파기한 개인정보가 없습니다.',
    columns: { rowNumber: 'No.', erasedOn: '파기일', erasedKinds: '파기한 개인정보', erasedCount: '건수' },
    open: (day: string) => `${day} 파기 확인서 열기`,
  },
  certificate: {
    title: '개인정보 파기 확인서',
    statement: (laws: string) =>
      `아래 개인정보의 보관 기간이 지나 다음 근거에 따라 파기하였음을 확인합니다: ${laws}`,
    overview: '파기 개요',
    rows: '파기한 개인정보',
    empty: '이 기간에 파기한 개인정보가 없습니다.',
    loading: '파기 내역을 불러오는 중입니다.',
    failed: '파기 내역을 불러오지 못했습니다.',
    print: '확인서 인쇄',
    months: '이 달 전체 보기',
    period: (from: string, to: string) => (from === to ? from : `${from} ~ ${to}`),
    count: (n: string) => `${n}건`,
    facts: {
      company: '개인정보처리자',
      period: '파기일',
      count: '파기 건수',
      officer: '개인정보 보호책임자',
    },
    columns: {
      kind: '개인정보',
      erasedCount: '건수',
      erasureMethod: '파기 방법',
      keptFor: '보관 기간',
      reason: '근거',
      firstAt: '시작',
      lastAt: '끝',
    },
    methods: {
      DELETED: '복구할 수 없도록 데이터베이스에서 영구 삭제',
      ANONYMIZED: '개인을 알아볼 수 없도록 익명 처리 (복구할 수 없음)',
    } satisfies Record<ErasureMethod, string>,
    signature: '확인자 (서명)',
  },
  elsewhereTitle: '따로 정해진 보관 기간',
  elsewhereLead: '서버가 자동으로 삭제하거나 서버 설정에서 정합니다.',
  elsewhereResults: '따로 정해진 보관 기간 목록',
  elsewhere: {
    sessions: '로그인 세션',
    codes: '인증번호와 확인 링크',
    sentMails: '보낸 메일과 본문',
    loginTries: '로그인 실패 횟수',
    loginNetworks: '로그인한 네트워크',
    accessLog: '데이터베이스의 접속기록',
  } satisfies Record<KeptElsewhere, string>,
  elsewhereKept: {
    sessions: () => '로그아웃하거나 만료되면 바로',
    codes: () => '사용하거나 유효 시간이 지나면 바로',
    sentMails: () => '보내는 즉시',
    loginTries: (n) => `마지막 실패 후 ${n}일`,
    loginNetworks: (n) => `마지막 로그인 후 ${n}일`,
    accessLog: (n) => `${n}개월, 그 뒤에는 파일`,
  } satisfies Record<KeptElsewhere, (n: number) => string>,
  elsewhereReasons: {
    sessions: '지난 세션은 남기지 않습니다. 로그인과 로그아웃은 접속기록에 있습니다.',
    codes: '확인한 뒤에는 필요하지 않습니다.',
    sentMails: '보낸 뒤에는 필요하지 않습니다.',
    loginTries: '비밀번호 추측을 막는 데 씁니다.',
    loginNetworks: '새로운 네트워크에서 로그인하면 본인에게 알리는 데 씁니다.',
    accessLog:
      '1년 이상, 5만 명 이상이나 고유식별정보·민감정보를 처리하거나 기간통신사업자이면 2년 이상 보관해야 합니다. 보안 설정에서 정하며, 그 뒤에는 파일로 보관합니다.',
  } satisfies Record<KeptElsewhere, string>,
}

/** The texts of the retention page that every language must have. */
export type RetentionTexts = typeof retention

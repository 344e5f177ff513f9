import type {
  INCIDENT_STATES,
  IncidentRecord,
  LEAK_CERTAINTIES,
  LeakOrigin,
  PERSON_STATES,
} from '../../audit/leaks.ts'

/** Values that fill the drafts of an incident; texts, ready to be shown. */
export interface DraftFacts {
  portal: string
  title: string
  knownAt: string
  firstAt: string
  lastAt: string
  people: string
  tasks: string
  notes: string
  officer: string
  contact: string
  /** Notices and reports so far. */
  notices: string
  isConfirmed: boolean
  /** Citations of the duties. */
  law: string
}

/** The drafts of an incident. In Korean only: the data subjects and the authority read them. */
export const leakDrafts = {
  noticeText: (d: DraftFacts) => `개인정보 유출${d.isConfirmed ? ' 등' : ' 등의 가능성'} 안내

${d.portal}에서 귀하의 개인정보가 ${d.isConfirmed ? '유출된 사실을' : '유출되었을 가능성이 있어 이를'} 알려드리며 깊이 사과드립니다. 현재까지 확인한 내용이며, 추가로 확인되는 사항은 바로 다시 알려드리겠습니다.

1. 유출 등이 된 개인정보의 항목
   (직접 적어주세요. 접속기록의 수행업무: ${d.tasks})

2. 유출 등이 된 시점과 경위
   - 접속기록에서 확인한 기간: ${d.firstAt} ~ ${d.lastAt}
   - 알게 된 일시: ${d.knownAt}
   - 경위: ${d.notes}

3. 피해를 줄이기 위해 할 수 있는 일
   - 비밀번호를 바꾸고, 출처를 알 수 없는 전화와 메일에 주의해주세요.

4. 회사의 대응조치
   (직접 적어주세요.)

5. 피해 구제 방법
   - 손해배상: 개인정보 보호법에 따라 손해배상을 청구할 수 있습니다. 청구 방법과 접수처: (직접 적어주세요.)
   - 분쟁조정: 개인정보 분쟁조정위원회(1833-6972, www.kopico.go.kr)에 조정을 신청할 수 있습니다.
   - 침해 신고·상담: 개인정보침해신고센터(국번 없이 118)

6. 피해 신고 접수 부서와 연락처
   - 부서, 전화, 이메일: ${d.contact}
   - 개인정보 보호책임자: ${d.officer}

근거: ${d.law}
`,
  reportText: (d: DraftFacts) => `개인정보 유출 등 신고서

받는 기관: (개인정보보호위원회 또는 한국인터넷진흥원)

1. 기관명·사업자등록번호·주소·대표자: ${d.portal} (직접 적어주세요.)
2. 사고와 신고 사유: ${d.title}${d.isConfirmed ? '' : ' (유출 등의 가능성)'} (1천 명 이상 / 민감정보·고유식별정보 / 외부의 불법적인 접근 가운데 적어주세요.)
3. 유출 등이 된 항목과 규모
   - 항목: (직접 적어주세요. 접속기록의 수행업무: ${d.tasks})
   - 접속기록으로 확인한 정보주체: ${d.people}
   - 그 밖에 확인되거나 추정되는 규모: (직접 적어주세요.)
4. 시점과 경위
   - 접속기록에서 확인한 기간: ${d.firstAt} ~ ${d.lastAt}
   - 알게 된 일시: ${d.knownAt}
   - 경위: ${d.notes}
5. 피해를 줄이기 위한 대책과 조치, 그 결과: (직접 적어주세요.)
6. 정보주체 통지: ${d.notices}
7. 정보주체가 피해를 줄이는 방법과 구제 절차: (직접 적어주세요.)
8. 개인정보 보호책임자와 담당자: ${d.officer} · ${d.contact}

근거: ${d.law}
`,
  notice: (at: string, method: string, people: string) => `${at} ${method} ${people}명`,
  noNotice: '(통지하지 않았습니다. 예정일과 이유를 적어주세요.)',
  blank: '(직접 적어주세요.)',
}

/** Texts of leak incidents. They load with their pages. */
export const leak = {
  lead: '개인정보가 유출되었을 때 누구의 정보인지 접속기록에서 찾고, 통지와 신고를 준비합니다.',
  states: {
    OPEN: '확인 중',
    NOTIFIED: '통지함',
    REPORTED: '신고함',
    CLOSED: '종결',
  } satisfies Record<(typeof INCIDENT_STATES)[number], string>,
  columns: {
    rowNumber: 'No.',
    title: '사고 이름',
    incidentState: '상태',
    knownAt: '알게 된 일시',
    dueAt: '통지·신고 기한',
    creatorName: '등록한 사람',
  },
  results: '유출 사고 목록',
  loading: '유출 사고를 불러오는 중입니다.',
  empty: '등록된 유출 사고가 없습니다.',
  failed: '유출 사고를 불러오지 못했습니다.',
  open: (title: string) => `${title} 열기`,
  create: '유출 사고 등록',
  created: '유출 사고를 등록했습니다.',
  edit: '내용 변경',
  saved: '저장했습니다.',
  save: '저장',
  timeHint: '예: 2026-11-27 09:30',

  clock: {
    left: (hours: number, minutes: number) => `기한까지 ${hours}시간 ${minutes}분 남음`,
    over: (hours: number, minutes: number) => `기한이 ${hours}시간 ${minutes}분 지남`,
    done: '통지와 신고를 결정함',
  },
  overview: '사고 개요',
  facts: {
    clock: '남은 시간',
    created: '등록',
    people: '접속기록에서 찾은 사람',
    period: '처음과 마지막 접속',
    tasks: '수행업무',
    notes: '경위와 조치',
    certainty: '유출 여부',
  },
  by: (time: string, name: string) => `${time} ${name}`,
  peopleOf: (all: string, withdrawn: string, erased: string) =>
    `${all}명 (탈퇴 ${withdrawn}명, 파기·삭제 ${erased}명 포함)`,
  certainties: {
    POSSIBLE: '유출 등의 가능성 있음',
    CONFIRMED: '유출 등을 확인함',
  } satisfies Record<(typeof LEAK_CERTAINTIES)[number], string>,
  records: {
    title: '경과 기록',
    lead: '통지와 신고, 하지 않기로 한 결정, 알게 된 일시의 정정을 기록합니다. 통지와 신고에는 그때의 초안이 함께 남습니다. 기록은 고치거나 지울 수 없습니다.',
    add: '기록 추가',
    results: '경과 기록 목록',
    empty: '기록이 없습니다.',
    kinds: {
      KNOWN: '알게 된 일시',
      NOTICE: '정보주체 통지',
      NO_NOTICE: '통지하지 않음',
      REPORT: '기관 신고',
      NO_REPORT: '신고하지 않음',
      CLOSED: '종결',
    } satisfies Record<IncidentRecord, string>,
    columns: { incidentRecord: '기록', happenedAt: '일시', detail: '내용', recorded: '입력', text: '원문' },
    hints: {
      KNOWN: '사고를 알게 된 일시를 정정합니다. 이유를 적어주세요. 기한도 바뀝니다.',
      NOTICE: '지금의 통지문 초안을 함께 보관합니다.',
      NO_NOTICE: '통지하지 않기로 한 이유를 적어주세요.',
      REPORT: '지금의 신고서 초안을 함께 보관합니다. 접수 번호를 나중에 받으면 한 번 더 기록해주세요.',
      NO_REPORT: '신고하지 않기로 한 이유를 적어주세요.',
      CLOSED: '종결하면 이 사고를 더 바꿀 수 없습니다.',
    } satisfies Record<IncidentRecord, string>,
    noticeMethod: '통지 방법',
    reportMethod: '신고한 기관과 방법',
    notifiedCount: '통지한 사람 수',
    receiptNumber: '접수 번호',
    remark: '내용과 이유',
    people: (count: string) => `${count}명`,
    receipt: (number: string) => `접수 번호 ${number}`,
    download: (kind: string, at: string) => `${kind} 원문 내려받기 (${at})`,
  },
  duties: '관련 의무',

  searches: {
    title: '검색',
    lead: '계정, IP 주소, 토큰, 내보내기 가운데 하나가 누구의 정보에 접근했는지 찾습니다. 파일로 보관된 달은 찾지 않으므로 사람이 더 많을 수 있습니다. 검색은 지울 수 없습니다.',
    search: '사람 찾기',
    searching: '접속기록에서 사람을 찾는 중입니다. 1분까지 걸릴 수 있습니다.',
    found: (people: string, records: string) => `접속기록 ${records}건에서 ${people}명을 찾았습니다.`,
    origins: {
      ACCOUNT: '계정',
      ADDRESS: 'IP 주소',
      TOKEN: '토큰',
      EXPORT: '내보내기',
    } satisfies Record<LeakOrigin, string>,
    values: {
      ACCOUNT: '아이디',
      ADDRESS: 'IP 주소',
      TOKEN: '토큰 이름',
      EXPORT: '접속기록 번호',
    } satisfies Record<LeakOrigin, string>,
    hints: {
      ACCOUNT: '지금의 아이디나, 다른 사람이 쓰지 않는 이전 아이디',
      ADDRESS: '예: 203.0.113.7',
      TOKEN: '프로그램 토큰, 서비스 토큰, 프로비저닝 제공자의 이름',
      EXPORT: '내보내기 접속기록의 번호 (예: 202611-1234). 기간은 그 내보내기 전체입니다.',
    } satisfies Record<LeakOrigin, string>,
    columns: {
      leakOrigin: '대상',
      period: '기간',
      searchedAt: '검색일시',
      searcherName: '검색한 사람',
      personCount: '사람',
      recordCount: '접속기록',
    },
    searchedFrom: '시작 일시',
    searchedTo: '종료 일시 (포함하지 않음)',
    results: '검색 목록',
    empty: '아직 검색하지 않았습니다.',
    period: (from: string, to: string) => `${from} ~ ${to}`,
  },
  people: {
    title: '접속기록에서 찾은 사람',
    columns: {
      rowNumber: 'No.',
      userId: '아이디',
      name: '이름',
      personState: '상태',
      email: '이메일',
      phoneNumber: '전화번호',
      tasks: '수행업무',
      touchCount: '횟수',
      firstTouchedAt: '처음',
      lastTouchedAt: '마지막',
    },
    states: {
      PRESENT: '가입 중',
      WITHDRAWN: '탈퇴',
      ERASED: '파기·삭제',
    } satisfies Record<(typeof PERSON_STATES)[number], string>,
    show: '사람 목록 보기',
    hide: '사람 목록 닫기',
    showLead: '사람 목록을 열면 접속기록에 남습니다.',
    results: '접속기록에서 찾은 사람 목록',
    loading: '사람 목록을 불러오는 중입니다.',
    empty: '찾은 사람이 없습니다.',
    failed: '사람 목록을 불러오지 못했습니다.',
    total: (count: string) => `총 ${count}명`,
  },
  drafts: {
    notice: '통지문 초안',
    report: '신고서 초안',
    lead: '초안만 만듭니다. 메일로 발송하지 않습니다.',
    fill: '기록으로 채우기',
    fillAsk: '지금의 내용을 지우고 기록으로 다시 채울까요?',
    print: '인쇄',
    download: '내려받기',
    write: '작성',
    editOf: (title: string) => `${title} 작성`,
  },
}

/** The texts of leak incidents that every language must have. */
export type LeakTexts = typeof leak

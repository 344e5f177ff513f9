import type { ByLanguage, Language } from './messages/language.ts'

/** The texts that entries cite, with number and date of the cited edition, and the day since which it is in force. */
export const LAW_SOURCES = {
  act: {
    short: { ko: '개인정보 보호법', en: 'PIPA' },
    name: { ko: '개인정보 보호법', en: 'Personal Information Protection Act (개인정보 보호법)' },
    number: '법률 제21445호',
    date: '2026-03-10',
    inForce: '2026-09-11',
  },
  decree: {
    short: { ko: '개인정보 보호법 시행령', en: 'PIPA Decree' },
    name: { ko: '개인정보 보호법 시행령', en: 'Enforcement Decree of the Act (개인정보 보호법 시행령)' },
    number: '대통령령',
    date: '2026-09-10',
    inForce: '',
  },
  safety: {
    short: { ko: '안전성 확보조치 기준', en: 'Safety Standard' },
    name: { ko: '개인정보의 안전성 확보조치 기준', en: 'Safety Standard (개인정보의 안전성 확보조치 기준)' },
    number: '개인정보보호위원회고시 제2026-9호',
    date: '2026-07-01',
    inForce: '2026-07-01',
  },
  safety2025: {
    short: { ko: '안전성 확보조치 기준', en: 'Safety Standard' },
    name: { ko: '개인정보의 안전성 확보조치 기준', en: 'Safety Standard (개인정보의 안전성 확보조치 기준)' },
    number: '개인정보보호위원회고시 제2025-9호',
    date: '2025-10-31',
    inForce: '2026-10-31',
  },
  guidelines: {
    short: { ko: '표준 개인정보 보호지침', en: 'Standard Guidelines' },
    name: { ko: '표준 개인정보 보호지침', en: 'Standard Guidelines (표준 개인정보 보호지침)' },
    number: '개인정보보호위원회고시',
    date: '',
    inForce: '',
  },
  ismsp: {
    // A word joiner, so that no line ends after the hyphen.
    short: { ko: 'ISMS-\u2060P', en: 'ISMS-\u2060P' },
    name: { ko: 'ISMS-P 인증기준 안내서', en: 'Guide to the ISMS-P certification (ISMS-P 인증기준 안내서)' },
    number: '',
    date: '2023-11',
    inForce: '2023-11',
  },
  asvs: {
    short: { ko: 'OWASP ASVS 5.0', en: 'OWASP ASVS 5.0' },
    name: { ko: 'OWASP ASVS', en: 'OWASP ASVS' },
    number: '5.0.0',
    date: '2025-05',
    inForce: '2025-05',
  },
} as const

/** The kinds of entries: a legal duty, a criterion of certification, good practice, or a duty that the product cannot meet. */
export const LAW_KINDS = ['duty', 'criterion', 'practice', 'outside'] as const
/** See `LAW_KINDS`. */
export type LawKind = (typeof LAW_KINDS)[number]

/** An entry of the register of legal bases. */
export interface Law {
  source: keyof typeof LAW_SOURCES
  /** Article, paragraph and subparagraph, or the number of an item. */
  place: readonly (number | string)[] | string
  /** The duty in one sentence. */
  duty: ByLanguage
  kind: LawKind
  /** Day since which the cited text is in force; '' if unknown. */
  inForce: string
  /** Day of the last check against a source. */
  checked: string
  /** The text that was seen at the last check: the cited edition, an earlier one, or none. Only the first verifies the entry. */
  seen: 'edition' | 'earlier' | 'none'
  /** Rules that meet it (`page#anchor`). */
  rules: readonly string[]
  /** Settings and environment variables that meet it. */
  settings: readonly string[]
}

/** Properties of an entry that differ from the defaults. */
type Given = Pick<Law, 'duty'> & Partial<Law>

/** Day of the first check of the register, the default of `entry`. */
const CHECKED = '2026-11-26'
/** Day of the check of entries that were added later. */
const CHECKED_LATER = '2026-11-27'

/** Creates an entry that is a duty, was checked on CHECKED against the cited edition, and is in force as its source is. */
const entry = (source: Law['source'], place: Law['place'], given: Given): Law => ({
  source,
  place,
  kind: 'duty',
  inForce: LAW_SOURCES[source].inForce,
  checked: CHECKED,
  seen: 'edition',
  rules: [],
  settings: [],
  ...given,
})
/** Creates an entry for a paragraph of the Personal Information Protection Act. */
const act = (article: number, paragraph: number, given: Given) => entry('act', [article, paragraph], given)
/** Creates an entry for a paragraph of the Safety Standard. */
const safety = (article: number, paragraph: number, given: Given) =>
  entry('safety', [article, paragraph], given)
/** Creates an entry for a part of the Safety Standard of which only the text of 2023 was seen. */
const safety2023 = (place: readonly number[], given: Given) =>
  entry('safety', place, { seen: 'earlier', ...given })
/** Creates an entry for a part of the Safety Standard that was deferred to 2026-10-31. */
const deferred = (article: number, paragraph: number, given: Given) =>
  entry('safety', [article, paragraph], { inForce: LAW_SOURCES.safety2025.inForce, ...given })
/** Creates an entry for an item of the certification, a duty only of certified companies. Only the guide of 2022-04 was seen. */
const certified = (item: string, given: Given) =>
  entry('ismsp', item, { kind: 'criterion', seen: 'earlier', ...given })
/**
 * Creates an entry for a duty of the company that no feature meets. Its text was not seen.
 * @param rules features that help with it
 */
const company = (
  source: Law['source'],
  place: Law['place'],
  ko: string,
  en: string,
  rules: readonly string[] = [],
) => entry(source, place, { kind: 'outside', seen: 'none', checked: CHECKED_LATER, duty: { ko, en }, rules })
/** Creates an entry for a criterion of the certification that a feature meets. */
const criterion = (item: string, ko: string, en: string, rules: readonly string[]) =>
  certified(item, { checked: CHECKED_LATER, duty: { ko, en }, rules })
/** Creates an entry for a criterion of the certification that no feature meets. */
const companyCriterion = (item: string, ko: string, en: string, rules: readonly string[] = []) =>
  certified(item, { kind: 'outside', checked: CHECKED_LATER, duty: { ko, en }, rules })

/**
 * The register of laws (rules/audit#laws): the only place that cites articles. Pages, print-outs and docs name an entry, docs as
 * `law/accessLogKept`.
 */
export const LAWS = {
  minimalData: act(3, 1, {
    duty: {
      ko: '처리 목적에 필요한 최소한의 개인정보만 수집합니다.',
      en: 'Collect only the personal data that the purpose needs.',
    },
    rules: ['users#personal-fields', 'retention#kinds'],
  }),
  collection: company(
    'act',
    [15, 1],
    '동의, 법률의 규정, 계약의 이행 등 법이 정한 근거가 있을 때만 개인정보를 수집하고 그 목적 안에서 이용합니다.',
    'Collect personal data only on a legal ground such as consent, a law or a contract, and use them for its purpose.',
    ['settings#privacy-notice'],
  ),
  thirdParties: company(
    'act',
    [17, 1],
    '동의나 법이 정한 근거가 있을 때만 개인정보를 제3자에게 제공합니다.',
    'Give personal data to third parties only with consent or on another legal ground.',
    ['settings#privacy-template'],
  ),
  consent: company(
    'act',
    [22, 1],
    '동의를 받을 때 동의 사항을 구분해 알리고 각각 동의를 받습니다. 포털은 처리방침을 읽었음을 확인할 뿐 동의를 받지 않습니다.',
    'Ask for each consent separately and clearly. The portal confirms that the privacy policy was read; it asks for no consent.',
    ['account#privacy-acceptance'],
  ),
  furtherUse: company(
    'decree',
    ['14-2', 1],
    '동의 없이 처음의 목적과 관련된 범위에서 더 이용하거나 제공하려면 관련성과 예측 가능성 등을 판단합니다.',
    'Before data are used or given for a related purpose without consent, weigh the relation and what people may expect.',
  ),
  processors: company(
    'act',
    [26, 1],
    '처리를 위탁할 때 문서로 계약하고, 위탁 업무와 수탁자를 공개하며, 수탁자를 교육하고 감독합니다.',
    'Entrust processing by a written contract, publish the processors, and train and supervise them.',
    ['settings#privacy-template'],
  ),
  handlers: company(
    'act',
    [28, 1],
    '개인정보취급자의 범위를 최소한으로 하고 관리·감독하며 정기적으로 교육합니다.',
    'Keep the number of people who handle personal data small, supervise them and train them regularly.',
    ['audit#reviews', 'audit#inspections'],
  ),
  transferAbroad: company(
    'act',
    ['28-8', 1],
    '동의나 법이 정한 근거가 있을 때만 개인정보를 국외로 이전합니다. 클라우드와 메일 서버의 위치도 확인합니다.',
    'Transfer personal data abroad only on a legal ground. Check where cloud services and mail servers are.',
    ['settings#privacy-template'],
  ),
  destruction: act(21, 1, {
    duty: {
      ko: '보유 기간이 지나거나 필요 없게 된 개인정보를 지체 없이 파기합니다. 접속기록도 개인정보를 담고 있으므로 최대 보관 기간이 필요합니다.',
      en: 'Destroy personal data without delay when it is no longer needed. The access log contains personal data, so it needs a maximum retention, too.',
    },
    rules: ['retention#erasing', 'retention#kinds', 'retention#withdrawn-people'],
    settings: [
      'withdrawnAccounts',
      'closedRequests',
      'refusedMails',
      'notifications',
      'programTokens',
      'trail',
    ],
  }),
  destructionMethod: entry('decree', [16, 1], {
    seen: 'earlier',
    duty: {
      ko: '전자 파일은 복원할 수 없는 방법으로 영구 삭제하고, 삭제가 어려우면 알아볼 수 없는 정보로 처리합니다.',
      en: 'Delete electronic files so that they cannot be restored, or anonymize them if deletion is not possible.',
    },
    rules: ['retention#withdrawn-people', 'retention#erasing'],
  }),
  destructionSteps: safety2023([13, 1], {
    duty: {
      ko: '파기할 때 데이터가 복원되지 않도록 초기화하거나 덮어쓰고, 일부만 파기하면 복구되지 않도록 관리합니다. 폐기하는 디스크의 초기화는 운영자의 몫입니다.',
      en: 'Wipe or overwrite destroyed data; if only a part is destroyed, keep it from being restored. Wiping discarded disks is up to the operator.',
    },
    rules: ['retention#erasing'],
  }),
  destructionDelay: entry('guidelines', [10, 1], {
    seen: 'none',
    duty: {
      ko: '보유 기간이 끝나면 정당한 사유가 없는 한 5일 안에 파기합니다.',
      en: 'Destroy data within 5 days after its retention ended, unless there is good reason.',
    },
    rules: ['retention#erasing'],
  }),
  erasureOnRequest: act(36, 2, {
    duty: {
      ko: '본인이 삭제를 요구하면 다른 법령에 정함이 없는 한 지체 없이 삭제하고 결과를 알립니다. 탈퇴를 취소할 수 있는 30일을 기다리지 않습니다.',
      en: 'On the request of the data subject, erase the data without delay and report the result, unless another law says otherwise. Do not wait for the 30 days in which a withdrawal can be undone.',
    },
    kind: 'outside',
    rules: ['users#removal', 'retention#withdrawn-people'],
  }),
  accessByPerson: act(35, 3, {
    seen: 'earlier',
    duty: {
      ko: '본인이 자신의 개인정보의 열람을 요구하면 정한 기간 안에 열람하게 합니다. 계정이 없는 사람의 요구는 회사가 따로 처리합니다.',
      en: 'Give data subjects access to their data within the period. The company answers people without an account itself.',
    },
    rules: ['retention#own-data', 'audit#own-access'],
  }),
  accessPeriod: entry('decree', [41, 4], {
    seen: 'none',
    duty: {
      ko: '열람 요구에는 10일 안에 응합니다.',
      en: 'Answer a request for access within 10 days.',
    },
    rules: ['retention#own-data'],
  }),
  stopProcessing: company(
    'act',
    [37, 1],
    '본인이 처리정지를 요구하거나 동의를 철회하면 지체 없이 처리를 멈춥니다.',
    'Stop processing without delay when the data subject demands it or withdraws consent.',
    ['users#withdrawal', 'users#suspension-by-hand'],
  ),
  rightsProcedure: company(
    'act',
    [38, 4],
    '열람·정정·삭제·처리정지를 요구하는 방법과 절차를 마련해 공개하고, 거절에 이의를 제기할 수 있게 합니다.',
    'Provide and publish a procedure for requests for access, correction, erasure and stop, and for objections.',
    ['settings#privacy-template'],
  ),
  safetyMeasures: entry('act', [29], {
    duty: {
      ko: '내부 관리계획 수립, 접속기록 보관 등 안전성 확보에 필요한 기술적·관리적·물리적 조치를 합니다.',
      en: 'Take the technical, organizational and physical measures that keep personal data safe, such as a management plan and access records.',
    },
    rules: ['audit#policy'],
  }),
  privacyPolicy: act(30, 2, {
    duty: {
      ko: '개인정보 처리방침을 정하고, 정하거나 바꿀 때 정보주체가 쉽게 확인할 수 있도록 공개합니다.',
      en: 'Have a privacy policy and publish it and its changes where data subjects easily find it.',
    },
    rules: ['settings#privacy-notice', 'settings#privacy-versions'],
  }),
  privacyPolicyPublished: entry('decree', [31, 2], {
    seen: 'none',
    duty: {
      ko: '처리방침을 홈페이지에 계속 게재합니다.',
      en: 'Publish the privacy policy permanently on the website.',
    },
    rules: ['settings#privacy-notice'],
  }),
  privacyNoticeContents: act(30, 1, {
    seen: 'earlier',
    duty: {
      ko: '개인정보 처리방침에 처리 목적, 처리·보유 기간, 제3자 제공, 파기 절차와 방법, 민감정보의 공개 가능성, 처리 위탁, 가명정보의 처리, 정보주체의 권리와 행사 방법, 보호책임자의 연락처, 자동 수집 장치, 항목과 안전조치를 넣습니다.',
      en: 'State in the privacy policy the purposes, the retention, recipients, destruction, disclosure of sensitive data, processors, pseudonymous data, rights of data subjects, contact of the officer, automatic collection, the data and the safety measures.',
    },
    rules: ['settings#privacy-template'],
  }),
  privacyOfficer: act(31, 1, {
    duty: {
      ko: '개인정보의 처리와 보호를 총괄하는 개인정보 보호책임자를 지정합니다.',
      en: 'Appoint a privacy officer who is responsible for the processing and protection of personal data.',
    },
    rules: ['retention#settings', 'audit#inspection-report'],
    settings: ['officerName'],
  }),
  leakNotice: act(34, 1, {
    seen: 'earlier',
    duty: {
      ko: '개인정보의 유출·위조·변조·훼손 등을 알게 되면 지체 없이 정보주체에게 항목, 시점과 경위, 피해를 줄이는 방법, 대응조치, 손해배상 청구·분쟁조정 신청 등 피해 구제 방법, 신고를 접수하는 부서와 연락처를 알립니다.',
      en: 'When personal data leaked, or was forged, altered or damaged, tell the data subjects without delay what, when and how, how to limit harm, the response, remedies such as damages and mediation, and a contact.',
    },
    rules: ['audit#leak-records', 'audit#leak-search'],
  }),
  leakSuspicion: act(34, 2, {
    duty: {
      ko: '유출 등의 가능성이 있음을 알게 되면 해당할 수 있는 모든 정보주체에게 지체 없이 알립니다.',
      en: 'When a leak is possible, tell all data subjects who may be affected without delay.',
    },
    rules: ['audit#leak-records', 'audit#leak-search'],
  }),
  leakNoticeHours: entry('decree', [39, 1], {
    seen: 'earlier',
    duty: {
      ko: '유출 등을 알게 된 때부터 72시간 안에 통지합니다.',
      en: 'Notify within 72 hours of learning of a leak.',
    },
    rules: ['audit#leak-incident', 'audit#leak-records'],
  }),
  leakReport: entry('decree', [40, 1], {
    seen: 'earlier',
    duty: {
      ko: '1천 명 이상이거나, 한 명이라도 민감정보·고유식별정보이거나 외부의 불법적인 접근에 의한 유출 등은 72시간 안에 보호위원회나 한국인터넷진흥원에 신고합니다. 회수·삭제 등으로 권익 침해 가능성이 현저히 낮아지면 신고하지 않을 수 있습니다.',
      en: 'Report leaks of 1,000 people or more, and of even one person if the data are sensitive or unique or the access was illegal and from outside, to the authority within 72 hours, unless recovery or deletion made harm very unlikely.',
    },
    rules: ['audit#leak-incident', 'audit#leak-records'],
  }),
  managementPlan: entry('decree', [30, 1, 1], {
    seen: 'earlier',
    duty: {
      ko: '교육, 책임자, 안전조치의 세부 사항을 담은 내부 관리계획을 세우고 시행하고 점검합니다.',
      en: 'Write, apply and check an internal management plan: training, officers and details of all measures.',
    },
    kind: 'outside',
  }),
  intrusionDetection: entry('decree', [30, 1, 3], {
    seen: 'earlier',
    duty: {
      ko: '개인정보처리시스템에 대한 침입을 탐지하고 차단합니다. 포털은 거부한 시도를 기록하고 접속기록에서 이상을 찾을 뿐이며, 침입 탐지·차단 시스템은 따로 갖춥니다.',
      en: 'Detect and block intrusions. The portal only records refused attempts and finds unusual activity in the access log; an intrusion detection system is separate.',
    },
    kind: 'outside',
    rules: ['audit#refusals', 'audit#inspection-rules'],
  }),
  managementPlanContents: company(
    'safety',
    [4, 1],
    '내부 관리계획에 책임자의 자격과 역할, 취급자 교육, 접근 권한, 접속기록, 암호화, 유출 대응, 위험 분석, 수탁자 관리 등을 정하고 이행 실태를 해마다 점검합니다.',
    'The management plan covers officer, training, permissions, access records, encryption, leaks, risks and processors. Check every year how it is applied.',
  ),
  physicalMeasures: company(
    'safety',
    [10, 1],
    '전산실 등 개인정보를 보관하는 장소의 출입을 통제하고, 문서와 저장매체를 잠금장치가 있는 곳에 보관합니다.',
    'Control the access to places where personal data are kept, and lock away documents and media.',
  ),
  leastPermissions: deferred(5, 1, {
    duty: {
      ko: '접근 권한을 업무에 필요한 최소한의 범위로 차등 부여합니다.',
      en: 'Grant permissions by task, and no more than the work needs.',
    },
    rules: ['roles#deny-by-default', 'roles#functions', 'roles#branch-roles'],
  }),
  permissionsEnded: safety(5, 2, {
    duty: {
      ko: '취급자나 업무가 바뀌면 지체 없이 접근 권한을 변경하거나 말소합니다.',
      en: 'Change or revoke permissions without delay when people or their tasks change.',
    },
    rules: ['roles#effect-of-changes', 'users#withdrawal'],
  }),
  permissionRecords: safety(5, 3, {
    duty: {
      ko: '권한을 부여·변경·말소한 내역을 기록하고 최소 3년간 보관합니다.',
      en: 'Record granted, changed and revoked permissions, and keep the records for at least 3 years.',
    },
    rules: ['audit#rights', 'retention#least'],
    settings: ['trail'],
  }),
  ownAccounts: safety(5, 4, {
    duty: {
      ko: '정당한 사유가 없는 한 취급자마다 계정을 발급하고 함께 쓰지 않게 합니다.',
      en: 'Give each user an account of their own, and keep accounts from being shared unless there is good reason.',
    },
    rules: ['users#user-id', 'settings#session-limit', 'account#devices'],
    settings: ['sessionLimit'],
  }),
  authentication: safety(5, 5, {
    duty: {
      ko: '취급자와 정보주체의 인증수단을 안전하게 적용하고 관리합니다. 비밀번호의 조합은 정하지 않습니다.',
      en: 'Use and manage means of authentication safely. The standard does not prescribe the composition of passwords.',
    },
    rules: ['account#password-rules', 'account#second-factor', 'account#temporary-password'],
  }),
  loginLimit: deferred(5, 6, {
    duty: {
      ko: '일정 횟수 이상 인증에 실패하면 접근을 제한합니다.',
      en: 'Limit access after a number of failed authentications.',
    },
    rules: ['account#login-lock', 'account#address-limit'],
  }),
  addressLimit: safety2023([6, 1, 1], {
    duty: {
      ko: '접속 권한을 IP 주소 등으로 제한해 인가받지 않은 접근을 막습니다.',
      en: 'Limit access by IP address or similar against unauthorized access.',
    },
    rules: ['settings#admin-networks'],
    settings: ['adminNetworks'],
  }),
  outsideAccess: entry('safety2025', [6, 2], {
    seen: 'none',
    duty: {
      ko: '정보주체를 제외하고 정당한 접근 권한을 가진 누구든 외부에서 접속하면 인증서, 보안토큰, 일회용 비밀번호 등 안전한 인증수단을 적용합니다.',
      en: 'Everyone with legitimate access except data subjects needs a safe means of authentication from outside, such as a certificate, a security key or a one-time password.',
    },
    rules: ['account#second-factor', 'settings#required-factors'],
    settings: ['factorRoles', 'factorGraceDays'],
  }),
  idleEnd: safety2023([6, 4], {
    duty: {
      ko: '일정 시간 업무처리를 하지 않으면 자동으로 접속을 차단합니다. 시간은 정하지 않습니다.',
      en: 'End a session automatically after a time without work. No number is given.',
    },
    rules: ['account#session', 'account#session-end'],
    settings: ['sessionIdleMinutes'],
  }),
  passwordHash: safety(7, 1, {
    duty: {
      ko: '인증정보를 암호화해 저장하고 송수신하며, 비밀번호는 복호화할 수 없게 일방향 암호화합니다.',
      en: 'Encrypt authentication data at rest and in transit, and store passwords as one-way hashes.',
    },
    rules: ['account#password-storage'],
  }),
  transmission: safety(7, 4, {
    duty: {
      ko: '개인정보를 인터넷망으로 송수신할 때 안전한 암호 알고리즘으로 암호화합니다.',
      en: 'Encrypt personal data that is sent over the internet.',
    },
    rules: ['settings#portal-address', 'running#smtp'],
    settings: ['portalUrl', 'DATABASE_URL'],
  }),
  keyManagement: safety(7, 6, {
    duty: {
      ko: '10만 명 이상을 처리하는 대기업·중견기업·공공기관이나 100만 명 이상을 처리하는 중소기업·단체는 암호 키의 생성, 이용, 보관, 배포, 파기 절차를 정해 시행합니다.',
      en: 'Large companies and public bodies with 100,000 people, or small ones with 1,000,000, need procedures to create, use, store, distribute and destroy encryption keys.',
    },
    rules: ['keys#key-secret', 'keys#changed-secret', 'running#encrypted-backup'],
    settings: ['KEY_SECRET'],
  }),
  accessLogKept: deferred(8, 1, {
    duty: {
      ko: '정보주체를 제외한 접속자의 접속기록을 1년 이상, 5만 명 이상을 처리하거나 고유식별정보·민감정보를 처리하거나 등록·신고한 기간통신사업자이면 2년 이상 보관합니다.',
      en: 'Keep access records of everyone but data subjects for 1 year; for 2 years with 50,000 people or more, with unique or sensitive data, or as a registered telecommunications carrier.',
    },
    rules: ['audit#access-log'],
    settings: ['accessLogMonths'],
  }),
  accessLogInspected: deferred(8, 2, {
    duty: {
      ko: '접속기록과 다운로드를 점검하는 주기, 방법, 사후조치 절차를 내부 관리계획으로 정하고 이행합니다. 월 1회라는 수치는 없습니다.',
      en: 'Set cycle, method and follow-up of inspecting access records and downloads in the management plan, and carry them out. The text no longer says monthly.',
    },
    rules: ['audit#inspections', 'audit#inspection-practice', 'audit#inspection-sign-off'],
  }),
  accessLogSafe: safety(8, 3, {
    duty: {
      ko: '접속기록이 위·변조되거나 도난, 분실되지 않도록 안전하게 보관합니다.',
      en: 'Keep access records safe from forgery, theft and loss.',
    },
    rules: ['audit#access-log', 'running#check-log', 'running#database-role'],
    settings: ['ACCESS_LOG_COPY_URL', 'logCheckDays'],
  }),
  malware: safety2023([9, 1], {
    duty: {
      ko: '악성프로그램을 막고 치료하는 보안 프로그램을 설치해 최신으로 유지합니다. 포털은 첨부파일만 설정한 검사 프로그램으로 검사합니다.',
      en: 'Run security software against malware and keep it up to date. The portal only scans attachments, with the configured scanner.',
    },
    kind: 'outside',
    rules: ['files#scan'],
    settings: ['SCAN_COMMAND'],
  }),
  disasters: safety2023([11], {
    duty: {
      ko: '10만 명 이상을 처리하는 대기업·중견기업·공공기관이나 100만 명 이상을 처리하는 중소기업·단체는 재해 대응절차를 점검하고 백업과 복구 계획을 마련합니다. 그 밖에는 모범 사례입니다.',
      en: 'Large companies and public bodies with 100,000 people, or small ones with 1,000,000, need tested procedures for disasters and a plan for backup and restore. For others this is good practice.',
    },
    rules: ['running#scheduled-backup', 'settings#backups', 'running#restore'],
    settings: ['backupKeep', 'backupTestDays', 'BACKUP_DIR'],
  }),
  output: safety(12, 1, {
    duty: {
      ko: '개인정보를 인쇄, 화면 표시, 파일로 출력할 때 용도를 특정하고 항목을 최소화합니다.',
      en: 'Name the purpose of every output of personal data (print, screen, file) and minimize its fields.',
    },
    rules: ['lists#export-record', 'lists#masking', 'lists#columns'],
  }),
  copies: safety(12, 2, {
    duty: {
      ko: '종이 인쇄물과 외부 저장매체 등 출력·복사물을 안전하게 관리합니다.',
      en: 'Manage printed and copied personal data safely.',
    },
    kind: 'outside',
    rules: ['lists#export-record'],
  }),
  leavers: criterion(
    '2.2.5',
    '퇴직과 직무 변경 때 자산을 반납받고 계정과 권한을 지체 없이 회수합니다.',
    'When people leave or change their tasks, take back assets and revoke accounts and permissions without delay.',
    ['users#withdrawal', 'users#before-a-withdrawal', 'users#ending-accounts'],
  ),
  accountProcedure: certified('2.5.1', {
    duty: {
      ko: '계정과 권한의 등록·변경·삭제 절차를 정하고 승인을 거쳐 최소한으로 부여합니다.',
      en: 'Register, change and remove accounts and permissions by a procedure with approval, with as few permissions as possible.',
    },
    rules: ['approvals#who-decides', 'users#suspension', 'roles#four-eyes'],
    settings: ['suspendAfterDays'],
  }),
  identification: criterion(
    '2.5.2',
    '사용자마다 유일한 식별자를 할당하고 추측하기 쉬운 식별자를 막으며, 함께 쓰면 사유와 승인을 남깁니다.',
    'Give each user a unique identifier that is not easily guessed; sharing one needs a reason and approval.',
    ['users#user-id', 'users#reserved-names', 'running#first-administrator'],
  ),
  strongerAuthentication: certified('2.5.3', {
    duty: {
      ko: '로그인 횟수 제한 등 안전한 인증 절차와 필요에 따라 강화된 인증을 적용합니다. 특정 주소에서만 쓰게 하는 것은 한 가지 예입니다.',
      en: 'Authenticate safely, with limited attempts, and more strongly where needed. Binding to an address is one example.',
    },
    rules: ['account#confirmation', 'settings#session-binding', 'account#second-factor'],
    settings: ['sessionBinding'],
  }),
  passwordRules: certified('2.5.4', {
    duty: {
      ko: '비밀번호 작성규칙을 정해 시행합니다. 예: 2종류 10자 이상이나 3종류 8자 이상.',
      en: 'Have and enforce rules for passwords, for example 10 characters of 2 kinds or 8 of 3 kinds.',
    },
    rules: ['account#password-rules'],
  }),
  privilegedAccounts: criterion(
    '2.5.5',
    '관리자 등 특수 권한은 최소한으로 부여하고 별도로 식별해 통제합니다.',
    'Grant privileged permissions as little as possible, and identify and control them separately.',
    ['roles#functions', 'roles#four-eyes', 'roles#grant-records'],
  ),
  accessReview: certified('2.5.6', {
    duty: {
      ko: '권한 이력에 신청자, 승인자, 사유를 남기고 정기적으로(분기 1회 이상 권고) 검토합니다.',
      en: 'Keep requester, approver and reason of permissions, and review them regularly (each quarter is advised).',
    },
    rules: ['audit#reviews', 'audit#review-decisions', 'approvals#approval-history'],
  }),
  networkAccess: companyCriterion(
    '2.6.1',
    '네트워크를 분리하고 접근을 통제합니다.',
    'Separate networks and control access to them.',
    ['settings#admin-networks'],
  ),
  systemAccess: companyCriterion(
    '2.6.2',
    '서버와 네트워크 장비에 접근하는 사용자, 수단과 시간을 제한합니다.',
    'Restrict who accesses servers and network devices, how and how long.',
  ),
  applicationAccess: certified('2.6.3', {
    duty: {
      ko: '입력이 없는 세션을 차단하고 동시 세션 수를 제한하며, 관리자 화면은 IP 주소 등으로 접근을 통제합니다.',
      en: 'End idle sessions, limit concurrent ones, and control access to administration, for example by IP address.',
    },
    rules: ['settings#session-limit', 'settings#admin-networks', 'account#session'],
    settings: ['sessionLimit', 'adminNetworks', 'sessionIdleMinutes'],
  }),
  databaseAccess: criterion(
    '2.6.4',
    '데이터베이스의 정보를 식별하고 응용프로그램과 사용자의 접근을 통제합니다. 운영자의 직접 접근은 회사가 통제합니다.',
    'Control the access of applications and users to the database. The company controls the access of its operators.',
    ['running#database-role'],
  ),
  remoteAccess: criterion(
    '2.6.6',
    '외부에서 접속할 때 강화된 인증과 접속 제한 등의 대책을 적용합니다.',
    'Protect remote access by stronger authentication and restrictions.',
    ['account#second-factor', 'settings#required-factors', 'settings#admin-networks'],
  ),
  encryptionPolicy: certified('2.7.1', {
    duty: {
      ko: '암호화 대상과 강도를 정하고 저장, 전송, 전달할 때 암호화합니다.',
      en: 'Define what is encrypted and how, and encrypt data stored, sent and handed over.',
    },
    rules: ['account#password-storage', 'settings#portal-address'],
  }),
  keyLifecycle: criterion(
    '2.7.2',
    '암호 키를 안전하게 생성하고 보관하며, 바꾸고 복구하는 절차를 둡니다.',
    'Create and store encryption keys safely, with procedures to change and recover them.',
    ['keys#key-secret', 'keys#changed-secret'],
  ),
  faults: certified('2.9.2', {
    duty: { ko: '장애를 즉시 알고 대응합니다.', en: 'Notice faults immediately and respond.' },
    rules: ['settings#system', 'running#metrics'],
  }),
  backupTests: certified('2.9.3', {
    duty: {
      ko: '백업 대상, 주기, 방법을 정하고 정기적으로 복구를 시험합니다.',
      en: 'Define what is backed up, when and how, and test the restore regularly.',
    },
    rules: ['running#scheduled-backup', 'settings#backups'],
    settings: ['backupTestDays'],
  }),
  logStorage: certified('2.9.4', {
    duty: {
      ko: '로그의 보존 기간과 방법을 정하고 별도 저장장치에 백업하며 접근을 최소화합니다.',
      en: 'Define how long and how logs are kept, back them up to separate storage, and minimize access.',
    },
    rules: ['audit#access-log', 'running#database-role'],
    settings: ['accessLogMonths', 'ACCESS_LOG_COPY_URL'],
  }),
  logReview: certified('2.9.5', {
    duty: {
      ko: '로그 검토의 주기, 대상, 방법, 책임자를 정하고 결과를 책임자에게 보고합니다.',
      en: 'Define cycle, scope, method and officer of log reviews, and report the results to the officer.',
    },
    rules: ['audit#inspection', 'audit#inspection-report', 'audit#inspection-practice'],
    settings: ['officerName'],
  }),
  clocks: certified('2.9.6', {
    duty: {
      ko: '시각을 표준시각에 맞추고 점검합니다.',
      en: 'Synchronize clocks with standard time, and check them.',
    },
    rules: ['running#clock'],
  }),
  mediaDisposal: companyCriterion(
    '2.9.7',
    '저장매체를 재사용하거나 폐기할 때 복구되지 않게 지웁니다.',
    'Wipe media before they are reused or discarded.',
  ),
  patches: companyCriterion(
    '2.10.8',
    '운영체제와 소프트웨어의 패치를 관리합니다. 포털은 업그레이드와 되돌리기를 지원합니다.',
    'Keep systems and software patched. The portal supports upgrades and roll-back.',
    ['running#upgrade'],
  ),
  malwareControl: companyCriterion(
    '2.10.9',
    '악성코드를 예방하고 탐지해 대응합니다. 포털은 첨부파일만 검사합니다.',
    'Prevent, detect and respond to malware. The portal scans attachments only.',
    ['files#scan'],
  ),
  incidentReadiness: companyCriterion(
    '2.11.1',
    '침해와 유출에 대응하는 절차, 연락망과 조직을 마련합니다.',
    'Have procedures, contacts and an organization for incidents and leaks.',
    ['audit#leak-incidents'],
  ),
  vulnerabilities: companyCriterion(
    '2.11.2',
    '취약점을 정기적으로 점검하고 조치합니다.',
    'Check regularly for vulnerabilities and fix them.',
  ),
  anomalies: criterion(
    '2.11.3',
    '이상행위를 분석하고 모니터링해 대응합니다.',
    'Analyze and monitor unusual activity, and respond to it.',
    ['audit#inspection-rules', 'audit#refusals'],
  ),
  incidentResponse: criterion(
    '2.11.5',
    '유출 등의 사고에 절차대로 대응하고, 법에 따라 통지·신고하며, 재발을 막습니다.',
    'Respond to incidents by procedure, notify and report as the law says, and prevent a repetition.',
    ['audit#leak-incident', 'audit#leak-records'],
  ),
  inventory: companyCriterion(
    '3.2.1',
    '수집해 보유하는 개인정보의 항목, 양, 목적과 기간을 파악해 관리합니다.',
    'Keep an inventory of the personal data that are held: kinds, amount, purpose and period.',
    ['retention#kinds'],
  ),
  processorsPublished: companyCriterion(
    '3.3.2',
    '위탁 업무와 수탁자를 최신으로 공개합니다.',
    'Publish the processors and their work, and keep the list current.',
    ['settings#privacy-template'],
  ),
  destructionCriterion: criterion(
    '3.4.1',
    '보유 기간과 파기 기준을 정하고 목적이 끝나면 지체 없이 파기합니다.',
    'Define retention and destruction, and destroy data without delay when their purpose has ended.',
    ['retention#erasing', 'retention#certificate'],
  ),
  noticePublished: criterion(
    '3.5.1',
    '처리방침을 알기 쉽게 작성해 공개하고 이전 버전도 확인할 수 있게 합니다.',
    'Publish a clear privacy policy, with its earlier versions.',
    ['settings#privacy-notice', 'settings#privacy-versions'],
  ),
  personRights: criterion(
    '3.5.2',
    '정보주체가 열람, 정정·삭제, 처리정지를 쉽게 요구할 수 있게 하고 기록을 남깁니다. 접수와 회신의 기록은 회사의 몫입니다.',
    'Make it easy to demand access, correction, erasure and stop, and record the requests. The records of requests are up to the company.',
    ['retention#own-data', 'audit#own-access', 'users#own-page'],
  ),
  sessionLifetime: entry('asvs', '7.3.2', {
    kind: 'practice',
    seen: 'none',
    duty: { ko: '세션의 최대 수명을 둡니다.', en: 'End each session after a maximum lifetime.' },
    rules: ['account#session'],
    settings: ['SESSION_ABSOLUTE_HOURS'],
  }),
  reauthentication: entry('asvs', '7.5.3', {
    kind: 'practice',
    seen: 'none',
    duty: {
      ko: '위험한 작업 전에 본인을 다시 확인합니다.',
      en: 'Authenticate again before sensitive actions.',
    },
    rules: ['account#confirmation'],
  }),
} as const satisfies Record<string, Law>

/** The name of an entry of the register of legal bases. */
export type LawName = keyof typeof LAWS
/** The names of all entries, in the order of the register. */
export const LAW_NAMES = Object.keys(LAWS) as [LawName, ...LawName[]]

/** Returns whether the text of the cited edition was seen at the last check of an entry. */
export const isVerified = ({ seen }: Pick<Law, 'seen'>) => seen === 'edition'

/** Returns the place of an entry in its source: 제8조제2항, art. 8(2), or the number of an item. */
function placeOf(place: Law['place'], language: Language): string {
  if (typeof place === 'string') return place
  const [article = 0, ...parts] = place
  const [main, branch] = String(article).split('-')
  return language === 'ko'
    ? [
        `제${main}조${branch === undefined ? '' : `의${branch}`}`,
        ...parts.map((part, level) => `제${part}${level === 0 ? '항' : '호'}`),
      ].join('')
    : `art. ${article}${parts.map((part) => `(${part})`).join('')}`
}

/** Returns the short citation of an entry: the short name of its source and the place, such as 'PIPA art. 21(1)'. */
export function citationOf(name: LawName, language: Language): string {
  const { source, place }: Law = LAWS[name]
  // No line ends between source and place.
  return `${LAW_SOURCES[source].short[language]}\u00A0${placeOf(place, language)}`
}

/** Returns the short citations of entries, in their order, with ' · ' between them; '' for none. */
export const citationsOf = (names: readonly LawName[], language: Language) =>
  names.map((name) => citationOf(name, language)).join(' · ')

/** Returns the full source of an entry, with number and date of the edition. */
export function sourceOf(name: LawName, language: Language): string {
  const { source, place }: Law = LAWS[name]
  const { name: title, number, date } = LAW_SOURCES[source]
  const edition = [number, date].filter((part) => part !== '').join(', ')
  return `${title[language]} ${placeOf(place, language)}${edition === '' ? '' : ` (${edition})`}`
}

/**
 * Returns the names of the entries whose last check was more than 90 days before a day.
 * @param today YYYY-MM-DD
 */
export const overdueLaws = (laws: Readonly<Record<string, Law>>, today: string): string[] =>
  Object.entries(laws)
    .filter(([, { checked }]) => Date.parse(today) - Date.parse(checked) > 90 * 86_400_000)
    .map(([name]) => name)

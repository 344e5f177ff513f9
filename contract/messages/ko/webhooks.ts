import { particleOf } from '../particles.ts'
import type { DELIVERY_STATES, WEBHOOK_STATES } from '../../events.ts'

/** Texts of /integration/webhooks. They load with the page. */
export const webhooks = {
  lead: '포털에서 일어난 일을 다른 서버에 바로 알립니다. 이벤트에는 종류, 시각, 실행한 사람과 대상의 아이디만 있고 변경된 값이나 연락처는 없습니다.',
  results: '웹훅 목록',
  columns: {
    webhookName: '이름',
    state: '상태',
    eventKinds: '이벤트',
    waitingCount: '대기',
    deadCount: '실패',
    createdBy: '등록자',
    actions: '작업',
  },
  states: { live: '사용 중', failing: '재시도 중', off: '중지', stopped: '자동 중지' } satisfies Record<
    (typeof WEBHOOK_STATES)[number],
    string
  >,
  since: (time: string) => `${time}부터 실패`,
  previousUntil: (time: string) => `이전 비밀값 ${time}까지`,
  allKinds: '모든 이벤트',
  addKind: '이벤트 추가',
  removeKind: (name: string) => `${name} 제외`,
  loading: '웹훅을 불러오는 중입니다.',
  empty: '등록한 웹훅이 없습니다.',
  failed: '웹훅을 불러오지 못했습니다.',
  name: '이름',
  url: '주소',
  urlHint: 'https:// 로 시작하는 주소입니다.',
  kinds: '이벤트',
  isEnabled: '사용',
  create: '웹훅 등록',
  edit: '수정',
  editOf: (name: string) => `${name} 수정`,
  save: '저장',
  saved: '저장되었습니다.',
  roll: '비밀값 교체',
  rollOf: (name: string) => `${name} 비밀값 교체`,
  rollText: '새 비밀값이 만들어집니다. 이전 비밀값을 더 사용하는 동안에는 두 비밀값으로 모두 서명합니다.',
  overlapDays: '이전 비밀값',
  secretTitle: '웹훅 비밀값',
  secret: '비밀값',
  remove: '삭제',
  removeOf: (name: string) => `${name} 삭제`,
  removeText: (name: string) =>
    `${name}${particleOf(name, '은/는')} 더 이상 이벤트를 받을 수 없고, 발송 기록도 삭제됩니다. 삭제하시겠습니까?`,
  deliveries: {
    open: '발송 기록',
    openOf: (name: string) => `${name} 발송 기록`,
    results: '발송 기록 목록',
    columns: {
      eventId: '번호',
      action: '이벤트',
      occurredAt: '일시',
      state: '상태',
      attempts: '시도',
      answer: '마지막 응답',
      actions: '작업',
    },
    states: { waiting: '대기', delivered: '완료', dead: '실패' } satisfies Record<
      (typeof DELIVERY_STATES)[number],
      string
    >,
    state: '상태',
    next: (time: string) => `다음 시도 ${time}`,
    loading: '발송 기록을 불러오는 중입니다.',
    empty: '최근 30일 동안 발송한 이벤트가 없습니다.',
    failed: '발송 기록을 불러오지 못했습니다.',
    resend: '다시 보내기',
    resendOf: (id: string) => `이벤트 ${id} 다시 보내기`,
    resendDead: '실패한 이벤트 모두 다시 보내기',
    resent: (count: string) => `이벤트 ${count}건을 다시 보냅니다.`,
  },
}

/** The texts of webhooks that every language must have. */
export type WebhookTexts = typeof webhooks

/** Texts of the card 'account' on a user's page, and of what is done there for somebody. */
export const accountCard = {
  title: '계정 관리',
  state: '계정 상태',
  states: {
    inUse: '사용 중',
    notApproved: '미승인',
    suspended: '정지',
    notYet: (from: string) => `${from}부터 사용`,
    expired: (to: string) => `${to}에 만료`,
    ends: (to: string) => `${to}까지 사용`,
  },
  suspendedFor: {
    DISUSE: '장기 미사용',
    LEAVE: '휴직',
    INCIDENT: '보안 사고',
    OTHER: '기타',
  },
  since: (time: string, why: string) => `${time}부터, ${why}`,
  actions: '처리',
  reason: '사유',
  reasonHint: '200자까지. 처리 이력에 남습니다.',
  suspend: {
    open: '사용 정지',
    title: '사용 정지',
    lead: (name: string) =>
      `${name} 님은 바로 로그아웃되고, 정지를 해제할 때까지 로그인할 수 없습니다. 계정과 데이터는 그대로 있습니다.`,
    why: '정지 사유',
    words: '상세 사유',
    submit: '정지',
    done: (name: string) => `${name} 님의 계정을 정지했습니다.`,
  },
  lift: {
    open: '정지 해제',
    title: '정지 해제',
    lead: (name: string) => `${name} 님은 다시 로그인할 수 있습니다.`,
    submit: '해제',
    done: (name: string) => `${name} 님의 정지를 해제했습니다.`,
  },
}

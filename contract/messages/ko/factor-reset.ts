/** Texts of somebody's second factors, on their page for administrators. They come with what shows them. */
export const factorReset = {
  loading: '2단계 인증을 불러오고 있습니다.',
  failed: '2단계 인증을 불러오지 못했습니다.',
  has: '2단계 인증을 사용하고 있습니다.',
  hasNone: '등록한 2단계 인증이 없습니다.',
  alone: (userId: string) =>
    `초기화를 확인할 수 있는 다른 관리자가 없습니다. 서버를 운영하는 사람이 npm run admin -- reset ${userId} 명령으로 초기화할 수 있습니다.`,
  state: '초기화 요청',
  waitsForOther: '다른 관리자의 확인을 기다립니다.',
  waitsForYou: '확인하거나 거절해주세요.',
  asker: '요청한 사람',
  reason: '사유',
  askedAt: '요청 시간',
  expiresAt: '요청이 끝나는 시간',
  ask: {
    open: '초기화 요청',
    title: '2단계 인증 초기화 요청',
    lead: '휴대전화와 복구 코드를 모두 잃어버린 본인이 맞는지 전화나 대면으로 확인해주세요. 다른 관리자가 확인하면 초기화됩니다. 본인에게 메일로 알립니다.',
    done: '초기화를 요청했습니다. 다른 관리자가 확인하면 초기화됩니다.',
  },
  withdraw: {
    open: '요청 취소',
    title: '2단계 인증 초기화 요청 취소',
    lead: '이 요청을 취소합니다. 2단계 인증은 그대로 남습니다.',
    done: '초기화 요청을 취소했습니다.',
  },
  confirm: {
    open: '초기화 확인',
    title: '2단계 인증 초기화 확인',
    lead: '모든 2단계 인증과 복구 코드를 삭제하고 모든 기기에서 로그아웃합니다. 본인은 비밀번호만으로 로그인하여 다시 등록합니다. 본인이 맞는지 따로 확인한 뒤 진행해주세요.',
    done: '2단계 인증을 초기화했습니다.',
  },
  refuse: {
    open: '초기화 거절',
    title: '2단계 인증 초기화 거절',
    lead: '2단계 인증은 그대로 남고, 본인에게 메일로 알립니다.',
    done: '초기화 요청을 거절했습니다.',
  },
}

/** What every language says of them. */
export type FactorResetTexts = typeof factorReset

/** Texts of a user's sessions, on the user's page for administrators. They load with that section. */
export const userSessions = {
  list: '로그인한 기기 목록',
  columns: {
    device: '기기',
    address: 'IP 주소',
    placeKnown: '접속 위치',
    loggedInAt: '로그인 일시',
    lastUsedAt: '마지막 사용',
    actions: '처리',
  },
  known: '접속한 적 있는 곳',
  unknownPlace: '처음 접속한 곳',
  unknown: '알 수 없는 기기',
  loading: '로그인한 기기를 불러오는 중입니다.',
  empty: '로그인한 기기가 없습니다.',
  failed: '로그인한 기기를 불러오지 못했습니다.',
  end: '로그아웃',
  endOf: (device: string, address: string) => `${device} (${address}) 로그아웃`,
  title: '기기 로그아웃',
  question: (device: string, address: string) =>
    `${device} (${address})에서 바로 로그아웃합니다. 본인에게 알림이 갑니다.`,
  ended: '기기에서 로그아웃했습니다.',
}

/** The texts of a user's sessions that every language must have. */
export type UserSessionTexts = typeof userSessions

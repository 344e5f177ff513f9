/** Texts of 'my devices' on the user's own page. */
export const devices = {
  title: '내 기기',
  lead: '현재 로그인되어 있는 기기입니다. 모르는 기기가 있으면 다른 기기를 로그아웃하고 비밀번호를 변경해주세요.',
  list: '로그인한 기기 목록',
  columns: {
    device: '기기',
    address: 'IP 주소',
    loggedInAt: '로그인 일시',
    lastUsedAt: '마지막 사용',
  },
  current: '현재 기기',
  unknown: '알 수 없는 기기',
  loading: '로그인한 기기를 불러오는 중입니다.',
  empty: '로그인한 기기가 없습니다.',
  failed: '로그인한 기기를 불러오지 못했습니다.',
  endOthers: '다른 기기 로그아웃',
  endTitle: '다른 기기 로그아웃',
  endText: '이 기기를 제외한 모든 기기에서 로그아웃하시겠습니까?',
  ending: '다른 기기를 로그아웃하는 중입니다.',
  ended: (count: number) => `다른 기기 ${count}대에서 로그아웃했습니다.`,
}

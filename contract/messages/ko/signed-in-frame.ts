import { frame } from './frame.ts'

/** Texts of the layout with a session: those of every page, the main menu, the user's menu, and the permission gate. */
export const signedInFrame = {
  ...frame,

  crumbs: '현재 위치',

  // Header.
  menu: '주 메뉴',
  menuLoading: '메뉴를 불러오는 중입니다.',
  menuFailed: '메뉴를 불러오지 못했습니다.',
  myInfo: '내 정보',
  logout: '로그아웃',
  logoutEverywhere: '모든 기기에서 로그아웃',
  signedInAs: (name: string) => `${name} 님`,
  account: '내 계정',
  find: '찾기',
  accountMenu: '계정 메뉴',
  bell: { label: '알림', unread: (count: string) => `읽지 않은 알림 ${count}건` },
  functionChecking: '권한을 확인하는 중입니다.',
  functionFailed: '권한을 확인하지 못했습니다.',
}

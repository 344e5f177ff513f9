/** Texts of the home screen. */
export const home = {
  noticeHeading: '공지사항 조회',
  noticesLoading: '공지사항을 불러오는 중입니다.',
  noticesEmpty: '등록된 공지사항이 없습니다.',
  noticesFailed: '공지사항을 불러오지 못했습니다.',
  openNotice: (title: string) => `${title} 상세 보기`,

  panelFailed: '권한 정보를 불러오지 못했습니다.',
  welcome: (name: string) => `${name} 님, 안녕하세요.`,
  welcomeText: '오늘도 좋은 하루 보내세요.',
}

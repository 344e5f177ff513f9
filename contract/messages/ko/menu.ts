/** Texts of the header's menu: its groups, and the items whose text is not the title of their page. */
export const menu = {
  groups: { notices: '공지사항', users: '사용자', keys: '키 발급', partners: '파트너', settings: '설정' },
  items: { keySearch: '키 발급 이력 조회', partnerSearch: '파트너 코드 정보 조회' },
}

/** Texts of the layout that every page has, including the login page. */
export const frame = {
  productName: '마루',
  productLine: '임직원 업무 포털',
  pageTitle: (title: string, product: string) => `${title} | ${product}`,
  skipToContent: '본문으로 건너뛰기',
  toMain: '홈으로 이동',
  building: '사옥 그림',
  retry: '다시 시도',
  language: '언어',
  languages: { ko: '한국어', en: 'English' },
  languageFailed: '언어를 변경하지 못했습니다. 잠시 후 다시 시도해주세요.',
  theme: '화면 테마',
  themes: { light: '밝게', dark: '어둡게', system: '시스템 설정' },

  // Buttons of the dialogs (rules/frame#questions).
  confirm: '확인',
  notLoaded: '화면의 일부를 불러오지 못했습니다. 잠시 후 페이지를 새로고침하고 다시 시도해주세요.',
  yes: '네',
  no: '아니오',

  /** Shown before a page that the role may not open redirects to / (rules/roles#function-check). */
  noPermission: '권한이 없습니다.',

  // Footer.
  privacy: '개인정보 처리방침',
  offices: '사업장 안내',
  tel: '전화',
  fax: '팩스',
  copyright: (company: string, year: number) =>
    `© ${year} ${company.replace(/\.$/, '')}. All rights reserved.`,
  backToTop: '맨 위로',

  // Alerts of the global error handling.
  unreachable: '서버에 연결할 수 없습니다. 입력한 내용은 그대로 있으니 잠시 후 다시 시도해주세요.',

  // Screens that all parts of the product share.
  notFoundTitle: '존재하지 않는 페이지',
  notFoundHeading: '존재하지 않는 페이지입니다',
  notFoundText: '주소가 올바른지 확인해주세요. 페이지가 이동했거나 삭제되었을 수 있습니다.',
  brokenHeading: '화면을 표시하지 못했습니다',
  brokenText: '잠시 후 다시 시도해주세요. 같은 문제가 계속되면 관리자에게 문의해주세요.',
  goHome: '홈으로',
  goLogin: '로그인 화면으로',
}

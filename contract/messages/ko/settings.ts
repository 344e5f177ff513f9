/** Titles of the settings pages, and the link to the setup guide. */
export const settings = {
  /** Titles of its pages; a menu item has the same text. */
  titles: {
    settingManage: '포털 설정',
    settingSecurity: '보안 설정',
    settingSso: '통합 로그인',
    settingMail: '메일 문구',
    settingPrivacy: '개인정보 처리방침',
    settingPolicy: '정책 점검',
    settingSystem: '시스템',
    settingRetention: '보관과 파기',
    settingErasure: '파기 확인서',
    setup: '설정 안내',
  },

  /** The links to the setup guide; its page loads its other texts. */
  guide: {
    back: '설정 안내로 돌아가기',
    inSetup: '포털을 설정하고 있습니다.',
    hint: '아직 끝내지 않은 포털 설정이 있습니다.',
    hintLink: '설정 안내 열기',
  },
}

/** Texts about affiliations in other forms; the affiliations screen loads its own. */
export const affiliations = {
  /** Titles of its pages; a menu item has the same text. */
  titles: {
    affiliationManage: '소속 관리',
  },

  /** Help in a form that lacks an affiliation or partner code: who may create it, or a link. */
  help: {
    makePartner: '파트너 코드 만들기',
    addAffiliation: '소속 추가',
    missingAffiliation: '찾는 소속이 없습니까?',
    partnerBy: (roles: string) => `파트너 코드는 ${roles} 권한이 있는 사용자가 만들 수 있습니다.`,
    affiliationBy: (roles: string) => `찾는 소속이 없으면 ${roles} 권한이 있는 사용자에게 요청해주세요.`,
    missingInFile: {
      affiliation: '파일에 있는 소속이 아직 없으면 추가한 후 다시 검사할 수 있습니다.',
      affiliationOrPartner:
        '파일에 있는 소속이나 파트너 코드가 아직 없으면 추가한 후 다시 검사할 수 있습니다.',
    },
    again: '다시 검사',
  },
}

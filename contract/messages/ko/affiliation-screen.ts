/** Texts of the affiliations screen and its dialogs. They load with these, not with every page. */
export const affiliationScreen = {
  lead: '회원가입과 사용자 등록에서 선택하는 소속입니다. 사용을 종료한 소속은 기존 정보에 그대로 남고 새로 선택할 수 없습니다.',
  lacking: (count: number) =>
    `기본 파트너 코드가 없는 소속이 ${count}개 있습니다. 소속마다 기본 파트너 코드를 정해주세요.`,
  samples: '처음에 예시로 만들어진 소속 중 회사에 없는 소속은 사용을 종료할 수 있습니다.',
  list: '소속 목록',
  columns: {
    affiliationCode: '코드',
    name: '한글 이름',
    nameEn: '영문 이름',
    closed: '상태',
    userCount: '사용자',
    partnerCount: '파트너 코드',
    keyCount: '발급 키',
    partnerCode: '기본 파트너 코드',
    actions: '관리',
  },
  loading: '소속 목록을 불러오는 중입니다.',
  empty: '소속이 없습니다.',
  failed: '소속 목록을 불러오지 못했습니다.',
  open: '사용',
  closed: '종료',
  usersOf: (name: string, count: string) => `${name} 사용자 조회: ${count}`,
  partnersOf: (name: string, count: string) => `${name} 파트너 코드 조회: ${count}`,
  keysOf: (name: string, count: string) => `${name} 발급 키 조회: ${count}`,

  add: '소속 추가',
  addLead: '소속 코드는 자동으로 정해집니다. 이 소속에서 기본으로 선택될 파트너 코드를 함께 만듭니다.',
  addMany: '여러 개 추가',
  added: (name: string) => `소속을 추가했습니다: ${name}`,
  name: '한글 이름',
  nameEn: '영문 이름',
  nameEnHint: '비워두면 한글 이름을 함께 사용합니다.',
  save: '저장',

  rename: '이름 변경',
  renameOf: (name: string) => `${name} 이름 변경`,

  parent: '상위 소속',
  parentOf: (name: string) => `${name} 상위 소속 변경`,
  external: '다른 회사(외부)',
  externalHint:
    '이 소속과 하위 소속의 사용자는 같은 회사의 동료와 키, 공지사항, 그리고 이 소속을 대상으로 지정한 공지사항만 볼 수 있습니다. 전체를 관리하는 권한은 사용할 수 없습니다.',
  externalBadge: '외부',
  parentTitle: '상위 소속',
  parentLead: (name: string) =>
    `‘${name}’와(과) 그 하위 소속을 어느 소속 아래에 둘지 선택해주세요. 지사 권한을 가진 상위 소속의 사용자가 하위 소속까지 관리합니다.`,
  noParent: '없음 (최상위)',

  order: '순서 변경',
  orderLead: '목록과 선택 항목에 보이는 순서입니다. 버튼으로 옮긴 후 저장해주세요.',
  orderList: '소속 순서',
  moveUp: (name: string) => `${name} 위로`,
  moveDown: (name: string) => `${name} 아래로`,
  moved: (name: string, place: number) => `${name}: ${place}번째`,

  close: '사용 종료',
  closeOf: (name: string) => `${name} 사용 종료`,
  closeText: (name: string, people: string) =>
    `‘${name}’의 사용을 종료하시겠습니까?\n사용자 ${people}명은 그대로 남고, 새로 선택할 수 없습니다.`,
  closeMany: {
    open: '여러 소속 종료',
    title: '여러 소속의 사용 종료',
    lead: '종료한 소속은 기존 정보에 그대로 남고 새로 선택할 수 없습니다. 나중에 다시 사용할 수 있습니다.',
    uses: (users: string, partners: string) => `사용자 ${users}명 · 파트너 코드 ${partners}건`,
    ask: (names: string, count: number, users: string) =>
      `소속 ${count}개의 사용을 종료하시겠습니까? 사용자 ${users}명은 그대로 남습니다.\n${names}`,
    submit: (count: number) => `${count}개 사용 종료`,
    done: (count: number) => `소속 ${count}개의 사용을 종료했습니다.`,
  },
  reopen: '다시 사용',
  reopenOf: (name: string) => `${name} 다시 사용`,
  reopenText: (name: string) => `이 소속을 다시 사용하시겠습니까?\n${name}`,

  missing: '없음',
  makeOf: (name: string) => `${name} 기본 파트너 코드 지정`,
  make: '지정',
  changeOf: (name: string) => `${name} 기본 파트너 코드 변경`,
  change: '변경',
  partnerTitle: '기본 파트너 코드',
  partnerLead: (name: string) => `‘${name}’에서 파트너 코드를 선택할 때 먼저 표시되는 코드입니다.`,
  choosePartner: '등록된 파트너 코드',
  makeNew: '새로 만들기',
  makeTitle: '파트너 코드 만들기',
  makeLead: '유효기간 없이 만들어지며, 나중에 파트너 코드 상세에서 변경할 수 있습니다.',
  made: (code: string) => `파트너 코드를 만들었습니다: ${code}`,
}

/** The texts of the affiliations screen that every language must have. */
export type AffiliationTexts = typeof affiliationScreen

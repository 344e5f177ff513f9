/** Texts of the command palette. They load with it, not with every page. */
export const palette = {
  label: '화면, 사람, 공지사항 찾기',
  pages: '화면',
  commands: '명령',
  otherLayout: '한/영 변환',
  searchFor: (text: string) => `‘${text}’ 찾기`,
  issueKey: '키 발급',
  people: '사람',
  notices: '공지사항',
  allPeople: (count: string) => `${count}명 모두 보기`,
  allNotices: (count: string) => `${count}건 모두 보기`,
  searching: '찾는 중입니다.',
  found: (count: number) => `결과 ${count}건`,
  empty: (text: string) => `‘${text}’에 대한 결과가 없습니다.`,
  shortPeople: '사람은 두 글자부터 찾습니다.',
  failed: '결과를 모두 불러오지 못했습니다.',
  /** Words that also find a page. */
  words: {
    '/setting/manage': '메일 서버, SMTP, 직급 목록, 추가 항목, 로고, 사업장 안내',
    '/setting/security': '자동 로그아웃, 세션, 접속 IP, 미사용 계정, 접속기록 조회 기간',
    '/setting/retention': '로그 보관 기간, 접속기록',
    '/setting/system': '백업, 디스크, 인증서',
  } as Readonly<Record<string, string>>,
  keys: { move: '이동', open: '열기', close: '닫기' },
}

/** The texts of the command palette that every language must have. */
export type PaletteTexts = typeof palette

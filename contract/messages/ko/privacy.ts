/** Texts of the pages of the privacy notice. They load with these pages. */
export const privacy = {
  reading: '개인정보 처리방침을 불러오는 중입니다.',
  unread: '개인정보 처리방침을 불러오지 못했습니다.',
  versionOf: (version: number, publishedAt: string) => `버전 ${version} · ${publishedAt} 게시`,
  others: '모든 버전',

  // Sign-up.
  accept: '개인정보 처리방침을 확인했습니다.',
  read: '개인정보 처리방침 보기',
  newWindow: '새 창',

  // Before the portal is used.
  publicLead: '회사가 이 포털에서 개인정보를 처리하는 방법입니다.',
  acceptLead:
    '포털을 계속 사용하려면 개인정보 처리방침을 확인해주세요. 이 확인은 개인정보 수집·이용에 대한 동의가 아닙니다.',
  acceptSubmit: '확인하고 계속',

  // Settings.
  lead: '게시하면 모든 화면 아래에 링크가 생기고, 회원가입할 때와 처음 로그인할 때 확인을 받습니다. 동의가 필요한 처리(선택 항목, 민감정보, 제3자 제공 등)는 따로 동의를 받아주세요. 게시하기 전에는 아무것도 묻지 않습니다.',
  legal: (citations: string) => `처리방침에 넣을 내용: ${citations}`,
  versions: '게시한 버전',
  loading: '버전을 불러오는 중입니다.',
  failed: '버전을 불러오지 못했습니다.',
  empty: '아직 게시하지 않았습니다.',
  columns: {
    privacyVersion: '버전',
    publishedAt: '게시 일시',
    isMaterial: '다시 확인',
    name: '게시한 사람',
    acceptedCount: '확인한 사람',
  },
  again: '받음',
  notAgain: '받지 않음',
  people: (count: number) => `${count}명`,
  edit: '새 버전',
  korean: '한국어 (Markdown)',
  english: '영어 (Markdown)',
  englishHint: '비워두면 영어 화면에도 한국어 처리방침이 나옵니다.',
  template: '템플릿 넣기',
  templateLead:
    '템플릿은 예시입니다. 【 】 안을 회사의 내용으로 바꾸고, 모든 내용을 회사의 실제 처리와 비교한 뒤 게시해주세요.',
  preview: '미리 보기',
  isMaterial: '중요한 변경: 모든 사용자가 다음 로그인에서 다시 확인합니다.',
  publish: '게시',
  publishQuestion: {
    title: '개인정보 처리방침 게시',
    message: '게시한 버전은 수정하거나 삭제할 수 없습니다. 게시하시겠습니까?',
  },
  published: (version: number) => `개인정보 처리방침 버전 ${version}을 게시했습니다.`,
}

/** The type that the texts of every language have. */
export type PrivacyTexts = typeof privacy

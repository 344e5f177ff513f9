/** Texts of mentions in comments. They load with the form of a comment. */
export const mentions = {
  hint: '@를 입력하면 동료를 언급할 수 있습니다.',
  told: (people: string) => `알림 대상: ${people}`,
  list: '언급할 사람',
  found: (count: string) => `${count}명을 찾았습니다. 위아래 화살표로 이동하고 Enter로 선택해주세요.`,
}

/** The texts of mentions that every language must have. */
export type MentionTexts = typeof mentions

/** The page's own messages for a failed call, on every page (rules/frame#session-failure). */
export const failures = {
  UNEXPECTED: '관리자에게 문의해주세요.',
  UNAVAILABLE: '지금은 서비스를 이용할 수 없습니다. 잠시 후 다시 시도해주세요.',
  SESSION_REQUIRED: '로그인을 다시 해주세요.',
  FORBIDDEN: '권한이 없습니다.',
}

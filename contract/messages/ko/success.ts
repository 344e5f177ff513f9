/** The server's `msg` on success (rules/wire#success). */
export const success = {
  signUp: '승인 요청이 완료되었습니다. 관리자의 승인 후 로그인해주세요.',
  resetPassword: '임시 비밀번호를 이메일로 보냈습니다. 로그인한 후 비밀번호를 변경해주세요.',
}

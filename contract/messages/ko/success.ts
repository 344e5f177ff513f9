/** The server's `msg` on success (rules/wire#success). */
export const success = {
  signUp: '승인 요청이 완료되었습니다. 관리자의 승인 후 로그인해주세요.',
  resetPassword: '임시 비밀번호를 이메일로 보냈습니다. 로그인한 후 비밀번호를 변경해주세요.',
  // Without a mail server the server writes the email to a file.
  mailWritten:
    '메일 서버가 설정되지 않아 메일을 보내지 않고 서버의 파일로 저장했습니다. 서버 담당자에게 요청해주세요.',
  codeWritten:
    '메일 서버가 설정되지 않아 인증번호 메일을 보내지 않고 서버의 파일로 저장했습니다. 서버 담당자에게 요청해주세요.',
  invitationWritten:
    '메일 서버가 설정되지 않아 초대 메일을 보내지 않고 서버의 파일로 저장했습니다. 서버 담당자에게 요청해주세요.',
  passwordWritten:
    '메일 서버가 설정되지 않아 임시 비밀번호 메일을 보내지 않고 서버의 파일로 저장했습니다. 서버 담당자에게 요청해주세요.',
}

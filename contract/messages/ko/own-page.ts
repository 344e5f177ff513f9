/** Texts of the sections of /mypage. */
export const ownPage = {
  nav: '내 정보 항목',
  profile: '프로필',
  security: '보안',
  sharing: '공개 범위',
  programs: '프로그램',
  data: '데이터',
  passwordLead: '비밀번호를 변경하면 다른 기기에서는 로그아웃됩니다.',
  withdrawLead: '탈퇴하면 바로 로그아웃되고 다시 로그인할 수 없습니다.',
  asksAffiliation: '소속 변경 요청 중',
  noFactor: '2단계 인증 없음',
  app: '인증 앱',
  passkeys: (count: number) => `패스키 ${count}개`,
  codes: (count: number) => `복구 코드 ${count}개`,
  phoneAndEmail: (phone: string, email: string) => `전화번호 ${phone} · 이메일 ${email}`,
  tokens: (count: number) => (count === 0 ? '사용 중인 토큰 없음' : `사용 중인 토큰 ${count}개`),
}

/** Texts of the export of all data that the portal stores of the user. */
export const ownData = {
  title: '내 정보 내려받기',
  lead: '포털에 있는 내 정보를 파일(JSON) 하나로 받습니다. 계정, 요청, 작성한 공지사항과 댓글, 확인, 발급한 키, 알림, 로그인 기록, 내 정보를 본 사람이 들어 있고 비밀번호와 발급 키의 값은 들어 있지 않습니다.',
  start: '내려받기',
  busy: '내 정보를 모으는 중입니다.',
  fileName: '내_정보',
}

/** Words that every form of the product shares. */
export const forms = {
  calendar: '달력',
  close: '닫기',
  cancel: '취소',
  choose: '선택해주세요.',
  loading: '불러오는 중…',
  nothingToChoose: '선택할 항목이 없습니다.',
  listFailed: '목록을 불러오지 못했습니다.',
  leaveTitle: '저장하지 않은 내용',
  leaveText: '저장하지 않은 내용이 사라집니다. 이동하시겠습니까?',
  checkId: '중복확인',
  idChecked: '확인',
  idFree: '사용할 수 있는 아이디입니다.',
  phoneHint: '숫자 11자리를 입력해주세요.',
}

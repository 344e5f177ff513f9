/** Texts that every form of the product shares. */
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
  closeText: '입력한 내용이 사라집니다. 닫으시겠습니까?',
  draft: (time: string) => `${time}에 저장하지 못한 내용이 있습니다. 이어서 작성할 수 있습니다.`,
  draftRestore: '이어서 작성',
  draftDiscard: '버리기',
  draftDiscarded: '임시 저장한 내용을 버렸습니다.',
  draftLabel: '임시 저장',
  conflictTitle: '다른 사용자가 먼저 저장한 내용',
  conflictText:
    '아직 저장하지 않았고, 입력한 내용은 그대로 있습니다. 저장하면 아래에 있는 다른 사용자의 내용이 사라집니다. ‘이 내용으로 바꾸기’를 누르면 입력한 내용이 사라집니다.',
  conflictMerged:
    '아직 저장하지 않았습니다. 다른 사용자가 고친 항목은 화면에 반영했고, 함께 고친 항목은 없습니다. 다시 저장하면 모두 남습니다.',
  conflictTake: '이 내용으로 바꾸기',
  overwriteText: '다른 사용자가 먼저 저장한 내용이 사라지고 입력한 내용으로 바뀝니다. 덮어쓰시겠습니까?',
  checkId: '중복확인',
  idChecked: '확인',
  idFree: '사용할 수 있는 아이디입니다.',
  phoneHint: '숫자 11자리를 입력해주세요.',
}

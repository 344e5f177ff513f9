/** Texts of the fields of users that the company defines. They load with the settings page. */
export const customFields = {
  title: '사용자 추가 항목',
  lead: '사용자마다 입력할 항목을 10개까지 추가합니다. 사용자 수정, 내 정보, 사용자 목록, 일괄 등록과 내보내기에 나타납니다. 항목을 삭제하면 저장할 때 모든 사용자의 입력값도 삭제됩니다.',
  add: '항목 추가',
  full: '삭제한 항목을 저장한 뒤에 추가할 수 있습니다.',
  fieldOf: (position: number, name: string) => (name === '' ? `${position}번째 항목` : name),
  up: (name: string) => `${name} 위로`,
  down: (name: string) => `${name} 아래로`,
  remove: (name: string) => `${name} 삭제`,
  name: '항목 이름',
  kind: '종류',
  kinds: { text: '글자', choice: '선택', date: '날짜' } as Record<string, string>,
  choices: '선택할 값 (한 줄에 하나)',
  seenBy: '볼 수 있는 사람',
  seenByWords: {
    managers: '사용자를 관리하는 사람만',
    person: '본인도',
    colleagues: '모든 임직원 (임직원 조회)',
  } as Record<string, string>,
  editedBy: '수정할 수 있는 사람',
  editedByWords: { managers: '사용자를 관리하는 사람만', person: '본인도' } as Record<string, string>,
}

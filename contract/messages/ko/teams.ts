/** Texts of teams: the fields of the user form, the filters, and the page /organization. */
export const teams = {
  none: '없음',
  add: '추가',
  remove: (name: string) => `${name} 빼기`,
  ownHint: '팀은 관리자가 지정합니다.',

  tree: '조직',
  lead: '소속이나 팀을 선택하면 구성원을 볼 수 있습니다. 팀의 구성원에는 하위 팀과 겸직이 포함됩니다.',
  wholeCompany: '회사 전체',
  toggle: (name: string) => `${name} 하위 펼치기/접기`,
  members: (name: string) => `${name} 구성원`,
  loading: '조직을 불러오는 중입니다.',
  failed: '조직을 불러오지 못했습니다.',

  create: '팀 추가',
  createBelow: '하위 팀 추가',
  edit: '팀 수정',
  delete: '팀 삭제',
  deleteText: (name: string) => `이 팀을 삭제하시겠습니까?\n${name}`,
  deleted: (name: string) => `팀을 삭제했습니다: ${name}`,
  created: (name: string) => `팀을 추가했습니다: ${name}`,
  name: '한글 이름',
  nameEn: '영문 이름',
  nameEnHint: '비워두면 한글 이름을 함께 사용합니다.',
  parent: '상위 팀',
  noParent: '없음 (소속 바로 아래)',
  save: '저장',
}

import { particleOf } from '../particles.ts'

/** Texts of saved searches. */
export const savedSearches = {
  open: '저장된 검색',
  loading: '저장된 검색을 불러오는 중입니다.',
  empty: '저장된 검색이 없습니다.',
  failed: '저장된 검색을 불러오지 못했습니다.',
  save: '지금 조건 저장',
  saveTitle: '검색 조건 저장',
  lead: '목록에 적용된 조건과 정렬, 페이지당 행 수를 저장합니다.',
  name: '이름',
  submit: '저장',
  saved: (name: string) => `‘${name}’ 검색 조건을 저장했습니다.`,
  rename: '이름 변경',
  renameOf: (name: string) => `${name} 이름 변경`,
  remove: '삭제',
  removeOf: (name: string) => `${name} 삭제`,
  removed: (name: string) => `저장된 검색 ‘${name}’${particleOf(name, '을/를')} 삭제했습니다.`,
  full: '20개까지 저장할 수 있습니다. 새로 저장하려면 먼저 하나를 삭제해주세요.',
  gone: (missing: string) => `종료되었거나 없는 값: ${missing}`,
  goneTitle: '종료되었거나 없는 조건',
  goneText: (name: string, missing: string) =>
    `저장된 검색 ‘${name}’에 종료되었거나 없는 값이 있습니다.\n${missing}\n이 조건도 그대로 적용했습니다. 필요하면 조건을 바꿔주세요.`,
}

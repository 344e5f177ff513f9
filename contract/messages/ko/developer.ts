/** Texts of the page /developer. */
export const developer = {
  lead: '프로그램이 프로그램 토큰으로 호출하는 API입니다. 호출을 선택하면 입력과 출력, 예제를 보고 직접 시험할 수 있습니다.',
  document: 'OpenAPI 3.1 문서',
  search: '호출 검색',
  results: '호출 목록',
  columns: { id: '호출', title: '설명', scope: '권한 범위' },
  loading: 'API 문서를 불러오는 중입니다.',
  empty: '찾는 호출이 없습니다.',
  failed: 'API 문서를 불러오지 못했습니다.',
  back: '호출 목록',
  request: '요청',
  address: '주소',
  scope: '권한 범위',
  limit: '호출 한도',
  limitOf: (points: number, seconds: number) =>
    `${seconds}초에 ${points.toLocaleString()}번, 같은 종류의 호출을 합하여`,
  input: '입력',
  output: '출력',
  noFields: '필드가 없습니다.',
  fields: { name: '필드', type: '형식', isRequired: '필수', label: '의미' },
  required: '필수',
  errors: '오류',
  samples: '예제',
  curl: 'curl',
  typescript: 'TypeScript',
  try: '시험하기',
  tryLead: '이 포털의 실제 데이터를 읽고 변경합니다. 토큰은 이 화면을 떠나면 사라집니다.',
  token: '프로그램 토큰',
  body: '입력 (JSON)',
  notJson: 'JSON 형식이 아닙니다.',
  send: '호출',
  answer: '응답',
  unreachable: '서버에 연결할 수 없습니다. 다시 시도해주세요.',
}

/** Texts of the page /developer. */
export type DeveloperTexts = typeof developer

/** Texts that every import from a file shares. */
export const fileImport = {
  template: '양식 내려받기',
  choices: '선택 항목',
  choose: '파일 선택',
  chooseAnother: '다른 파일 선택',
  reading: '파일을 검사하는 중입니다.',
  tooLarge: '파일은 5MB까지 등록할 수 있습니다.',
  unpacked:
    '압축을 풀면 파일이 너무 큽니다. 다른 시트와 빈 열을 지우거나, 필요한 행만 CSV로 저장해 다시 선택해주세요.',
  unreadable: 'CSV 또는 XLSX 파일로 읽을 수 없습니다. 파일을 확인하고 다시 선택해주세요.',
  notTable:
    '파일에서 표를 찾을 수 없습니다. 첫 행에 열 이름이 있는 CSV 또는 XLSX 파일인지 확인하거나, 양식을 내려받아 작성해주세요.',
  noRows: '파일에 등록할 행이 없습니다.',
  onlyExamples: '파일에 등록할 행이 없습니다. 양식의 예시 행은 등록하지 않습니다.',
  examplesLeft: (count: number) => `양식의 예시 행 ${count}개는 등록하지 않습니다.`,
  missingColumns: (names: string) => `파일의 첫 행에 다음 열이 없습니다: ${names}`,
  unknownColumns: (names: string) => `양식에 없는 열은 등록하지 않습니다: ${names}`,
  ready: (rows: string) => `전체 ${rows}행에 오류가 없습니다. 아직 아무것도 등록하지 않았습니다.`,
  wrong: (errors: string, rows: string) =>
    `전체 ${rows}행에 오류가 ${errors}개 있습니다. 아무것도 등록하지 않았습니다. 파일을 고친 후 다시 선택해주세요.`,
  shownOnly: (count: string) => `처음 ${count}개만 표시합니다.`,
  errors: '오류',
  errorColumns: { line: '행', field: '항목', value: '입력값', message: '내용' },
  noErrors: '오류가 없습니다.',
  importing: '등록하는 중입니다.',
  saveErrors: '오류 내려받기',
  keepGood: (rows: string) => `오류가 없는 ${rows}행만 남기기`,
  keepGoodHint: '오류가 있는 행은 파일로 저장됩니다. 고친 후 그 파일을 선택하면 됩니다.',
  restName: '오류가_있는_행',
  mapping: {
    title: '열 연결',
    lead: '파일의 열을 포털의 항목에 연결해주세요. 이 브라우저는 열 이름이 같은 다음 파일에 이 연결을 다시 제안합니다.',
    ignored: '무시',
    sample: (value: string) => `예: ${value}`,
    unnamed: (column: number) => `${column}번째 열`,
    sharedLead: '파일에 없는 항목입니다. 모든 행에 사용할 값을 입력해주세요.',
    missing:
      '파일에서 찾지 못한 필수 항목입니다. 사용할 열을 선택해주세요. 다른 항목에 연결한 열도 선택할 수 있습니다.',
    submit: '파일 검사',
  },
  twiceInFile: (line: number) => `파일의 ${line}행과 같습니다.`,
}

import { fileImport } from './file-import.ts'

/**
 * Texts of the import of partner codes and of its template. They are not in the pages' catalog, because they load with the import.
 */
export const partnerImport = {
  ...fileImport,
  lead: '여러 파트너 코드를 파일 하나로 등록합니다. 먼저 검사만 하고, 잘못된 행이 없을 때 한 번에 등록합니다.',
  templateName: '파트너_코드_등록_양식',
  templateFailed: '양식에 넣을 소속과 시/도를 불러오지 못했습니다. 잠시 후 다시 시도해주세요.',
  examples: [
    { partnerName: '종로 대리점', memo: '한도와 유효기간이 있는 예시' },
    { partnerName: '해운대 지사', memo: '비워 둔 한도와 유효기간은 제한이 없습니다.' },
  ],
  drop: 'CSV 또는 엑셀(XLSX) 파일을 여기에 놓거나 선택해주세요. 1,000행, 5MB까지 등록할 수 있습니다.',
  tooManyRows: '한 번에 1,000행까지 등록할 수 있습니다. 파일을 나누어주세요.',
  submit: (rows: string) => `${rows}개 등록`,
  done: (rows: string) => `파트너 코드 ${rows}개를 등록했습니다.`,
  errorsName: '파트너_코드_등록_오류',
  preview: '등록할 파트너 코드',
  noPreview: '등록할 파트너 코드가 없습니다.',
  shownOf: (shown: string, total: string) => `${total}개 중 처음 ${shown}개를 표시합니다.`,
  warnings: '확인할 한도',
  warningsLead: '더 긴 기간의 한도보다 큰 한도가 있습니다. 이대로 등록할 수 있습니다.',
  twice: (row: number) => `${row}번째 파트너 코드와 같습니다.`,
}

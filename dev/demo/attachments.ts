import { readFileSync } from 'node:fs'

/** Names of attached files, long ones among them; the extension is the kind's. */
export const FILE_NAMES = [
  '안내문',
  '신청서 양식',
  '변경 내용 비교표(최종)',
  '2차 개정(안)_의견 반영본_최종_진짜최종',
  '현장 단말 교체 대상 목록 및 파트너별 담당자 연락처 정리(내부 검토용, 외부 유출 금지)',
  '회의록 [대외비] & 참고 자료 #1',
  '조직도',
  '행사 사진',
  '일정표 100%확정',
]

/** A small file of each kind that people attach, by extension; each really opens. */
export const ATTACHMENTS: ReadonlyMap<string, Buffer> = new Map(
  ['txt', 'csv', 'zip', 'docx', 'xlsx', 'pdf', 'png'].map((kind) => [
    kind,
    readFileSync(new URL(`samples/attachment.${kind}`, import.meta.url)),
  ]),
)

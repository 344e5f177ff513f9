import { readFileSync } from 'node:fs'

/** Values for the placeholders in braces in the demo notices of `texts/`. */
type Occasion = Record<'year' | 'month' | 'day' | 'office' | 'system' | 'topic', string | number>

/** Names of systems, for the placeholders. */
export const SYSTEMS = '그룹웨어,전자결재,메일 서버,사내 포털,출입 관리,키 발급 서버,파일 서버,VPN'.split(',')
/** Topics of training, for the placeholders. */
export const TOPICS =
  '개인정보 보호,정보보안,산업안전보건,직장 내 괴롭힘 예방,성희롱 예방,장애인 인식 개선,공간정보 실무,클라우드 기초'.split(
    ',',
  )

/** Text of a notice with placeholders. `months` are those in which it is usual; undefined for all. */
interface Text {
  months?: readonly number[]
  title: string
  memo: string | null
}

/** Notices as a company board has them, for about four in five of the demo notices. */
export const COMPANY_NOTICES = readTexts('company-notices.md')
/** Notices about keys, for the other demo notices. */
export const KEY_NOTICES = readTexts('key-notices.md')

/** Replaces the placeholders of a text by the values of an occasion. An unknown placeholder becomes 'undefined'. */
export function fillIn(text: string, on: Occasion): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: keyof Occasion) => String(on[name]))
}

/**
 * Reads a file of texts. Each begins with a line "## title", or with the months in which it is usual: "## title
 * @5,6,7". Text before the first title is ignored, and a title alone has a null `memo`.
 */
function readTexts(file: string): Text[] {
  const text = readFileSync(new URL(`texts/${file}`, import.meta.url), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [first = '', ...lines] = part.trim().split('\n')
      const [title = '', months] = first.split(' @')
      return {
        title,
        memo: lines.join('\n') || null,
        ...(months !== undefined && { months: months.split(',').map(Number) }),
      }
    })
}

/** Names of attached files without an extension, including long ones. */
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

/** A small valid file of each usual kind, by extension without a dot. The demo notices have them in turns. */
export const ATTACHMENTS: ReadonlyMap<string, Buffer> = new Map(
  ['txt', 'csv', 'zip', 'docx', 'xlsx', 'pdf', 'png'].map((kind) => [
    kind,
    readFileSync(new URL(`samples/attachment.${kind}`, import.meta.url)),
  ]),
)

import { crc32, deflateSync } from 'node:zlib'
import { zip } from './zip.ts'

/** The kinds of files that people attach, by extension: each makes a small one that really opens. */
export const FILE_KINDS: Readonly<Record<string, (title: string) => Buffer>> = {
  txt: (title) => Buffer.from(`${title}\r\n\r\n자세한 내용은 공지사항 본문을 확인해주시기 바랍니다.\r\n`),
  // With a byte order mark, or Excel shows the Korean as something else.
  csv: (title) =>
    Buffer.from(`\uFEFF번호,항목,비고\r\n1,"${title.replaceAll('"', '""')}",안내\r\n2,신청 기간,2주\r\n`),
  zip: (title) =>
    zip([
      [`${title}.txt`.replaceAll('/', '-'), title],
      ['읽어주세요.txt', '압축을 풀어 사용해주세요.'],
    ]),
  docx,
  xlsx,
  pdf,
  png,
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org'
const TYPE = `application/vnd.openxmlformats-officedocument`

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The two parts that every Office file begins with: its types and where its main part is. */
function officeFrame(main: string, types: Record<string, string>): [string, string][] {
  const overrides = Object.entries(types).map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${TYPE}.${type}+xml"/>`,
  )
  return [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`,
    ],
    ['_rels/.rels', relationship('officeDocument', main)],
  ]
}

function relationship(type: string, target: string): string {
  return `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
}

function docx(title: string): Buffer {
  const paragraphs = [title, '자세한 내용은 공지사항 본문을 확인해주시기 바랍니다.']
    .map((text) => `<w:p><w:r><w:t>${xmlText(text)}</w:t></w:r></w:p>`)
    .join('')
  return zip([
    ...officeFrame('word/document.xml', { 'word/document.xml': 'wordprocessingml.document.main' }),
    [
      'word/document.xml',
      `${XML}<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body>${paragraphs}</w:body></w:document>`,
    ],
  ])
}

function xlsx(title: string): Buffer {
  const rows = [
    ['번호', '항목'],
    ['1', title],
    ['2', '신청 기간 2주'],
  ]
    .map(
      (row) =>
        `<row>${row.map((text) => `<c t="inlineStr"><is><t>${xmlText(text)}</t></is></c>`).join('')}</row>`,
    )
    .join('')
  return zip([
    ...officeFrame('xl/workbook.xml', {
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      'xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
    }),
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${OFFICE}/officeDocument/2006/relationships"><sheets><sheet name="안내" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relationship('worksheet', 'worksheets/sheet1.xml')],
    [
      'xl/worksheets/sheet1.xml',
      `${XML}<worksheet xmlns="${OFFICE}/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
    ],
  ])
}

/** One page; in a Korean font that readers bring along, so that nothing has to be embedded. */
function pdf(title: string): Buffer {
  const hex = Buffer.from(title, 'utf16le').swap16().toString('hex')
  const drawing = `BT /F1 18 Tf 72 740 Td <${hex}> Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /HYSMyeongJo-Medium /Encoding /UniKS-UTF16-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HYSMyeongJo-Medium /CIDSystemInfo << /Registry (Adobe) /Ordering (Korea1) /Supplement 1 >> /FontDescriptor 7 0 R >>',
    '<< /Type /FontDescriptor /FontName /HYSMyeongJo-Medium /Flags 6 /FontBBox [0 -148 1001 880] /ItalicAngle 0 /Ascent 752 /Descent -271 /CapHeight 737 /StemV 58 >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** A picture of 96 × 64 in a colour of its title's own. */
function png(title: string): Buffer {
  const [width, height] = [96, 64]
  const hash = crc32(title)
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x += 1)
    row.set([hash & 255, (hash >> 8) & 255, Math.floor((x * 255) / width)], 1 + x * 3)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits a channel, RGB.
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readCells } from './read-file.ts'

const workbook = {
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels':
    '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  'xl/workbook.xml': '<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
}

/** Packs an XLSX file of one sheet. @param sizeOf the unpacked size that the directory claims */
function pack(rows: string, strings = '', sizeOf = (size: number) => size): Uint8Array<ArrayBuffer> {
  const parts = {
    ...workbook,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  }
  let at = 0
  const entries = Object.entries(parts).map(([path, text]) => {
    const data = Buffer.from(text)
    const packed = deflateRawSync(data)
    const facts = Buffer.alloc(22)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(sizeOf(data.length), 18)
    const lengths = Buffer.from([path.length, 0, 0, 0])
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), facts, lengths, Buffer.from(path), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    at += file.length
    const head = Buffer.from('PK\x01\x02\0\0')
    return { file, listed: Buffer.concat([head, facts, lengths, place, Buffer.from(path)]) }
  })
  const list = Buffer.concat(entries.map(({ listed }) => listed))
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...entries.map(({ file }) => file), list, end]))
}

const cell = (text: string) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`
const shared = '<row><c t="s"><v>0</v></c></row>'

describe('readCells (rules/users#import)', () => {
  it('reads the cells of a small file', async () => {
    expect(await readCells(pack(cell('이름') + shared, '<si><t>홍길동</t></si>'))).toEqual([
      ['이름'],
      ['홍길동'],
    ])
  })

  it.each([
    ['unpacks to far more than its rows need', () => pack(cell('a'), ' '.repeat(100_000_000))],
    ['does not say to how much it unpacks', () => pack(cell('a'.repeat(40_000_000)), '', () => 0)],
    ['has rows of thousands of empty cells', () => pack('<row><c r="XFD1"/></row>'.repeat(11_000))],
    [
      'repeats a long text in every row',
      () => pack(shared.repeat(11_000), `<si><t>${'a'.repeat(10_000)}</t></si>`),
    ],
  ])('refuses a file that %s', async (_what, file) => {
    await expect(readCells(file())).rejects.toMatchObject({ reason: 'unpacked' })
  })
})

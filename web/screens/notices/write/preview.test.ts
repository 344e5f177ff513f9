import { expect, test } from 'vitest'
import { isPdf, maybePreviewed, previewOf } from './preview.ts'

const PNG = new Blob([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)])
const HTML = new Blob(['<script>alert(1)</script>'])

test('shows images and PDFs if name and bytes agree, and nothing that may hold scripts (rules/files#preview)', async () => {
  expect((await previewOf('사진.PNG', PNG))?.type).toBe('image/png')
  const pdf = await previewOf('계획.pdf', new Blob(['%PDF-1.7']))
  expect(pdf !== undefined && isPdf(pdf)).toBe(true)
  for (const [name, content] of [
    ['사진.png', HTML],
    ['계획.pdf', HTML],
    ['그림.svg', new Blob(['<svg onload="alert(1)"/>'])],
    ['글.html', HTML],
    ['사진.jpg', PNG],
  ] as const)
    expect(await previewOf(name, content), name).toBeUndefined()
  for (const name of ['그림.svg', '글.html', '글.xhtml', '문서.xml', '표.hwp', 'png'])
    expect(maybePreviewed(name, true), name).toBe(false)
  expect([maybePreviewed('계획.pdf', true), maybePreviewed('계획.pdf', false)]).toEqual([true, false])
})

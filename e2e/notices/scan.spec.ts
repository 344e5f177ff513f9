import { writeFileSync } from 'node:fs'
import { startOn } from '../fixtures/own-maru.ts'
import { expect, test } from '../fixtures/test.ts'
import { chip, titleField } from './steps.ts'

const fileOf = (name: string, content: string) => ({ name, mimeType: '', buffer: Buffer.from(content) })

test('reports a forbidden file type and an infected file at the field (rules/files#file-types, rules/files#scan)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const eicar = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
  const scanner = test.info().outputPath('scan')
  writeFileSync(scanner, '#!/bin/sh\n! grep -q EICAR-STANDARD\n', { mode: 0o755 })
  const maru = await startOn(server, { FILE_TYPES_REFUSED: 'exe,js', SCAN_COMMAND: scanner })
  const { page } = await as('user', {}, maru)
  await page.goto('/notice/insert')
  await titleField(page).fill('검사할 첨부')
  const picker = page.getByRole('button', { name: '+ 내 PC' })
  await expect(picker).toHaveAccessibleDescription('등록할 수 없는 형식: exe, js')
  const input = page.locator('fieldset input[type=file]')
  await input.setInputFiles(fileOf('설치.EXE', 'x'))
  await expect(page.getByRole('alert')).toHaveText(
    '설치.EXE 파일은 등록할 수 없는 형식입니다. 다른 파일을 선택해주세요.',
  )
  await input.setInputFiles(fileOf('보고.txt', `MZ${'\0'.repeat(80)}`))
  await expect(page.getByRole('alert')).toContainText('보고.txt 파일의 내용이 확장자와 다르거나')
  await expectAccessible(page)

  await input.setInputFiles(fileOf('감염.txt', eicar))
  await expect(page.getByRole('alert')).toContainText(
    '바이러스 검사에서 문제가 발견되어 이 파일은 등록할 수 없습니다.',
  )
  await expect(chip(page, '감염.txt')).toHaveCount(0)
  await maru.stop()
})

import { describe, expect, test } from 'vitest'
import { type FileTypes, mayBegin, mayBeNamed } from './file-types.ts'

const ALL: FileTypes = { allowed: [], refused: [] }
const noPrograms: FileTypes = { allowed: [], refused: ['exe', 'js', 'jar', 'html'] }
const papers: FileTypes = { allowed: ['pdf', 'docx', 'hwp', 'txt', 'csv', 'xls'], refused: [] }

const PROGRAM = `MZ\x90\0${'\0'.repeat(60)}PE\0\0`
const ZIP = 'PK\x03\x04\x14\0'
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the types of files that may be attached (rules/files#file-types)', () => {
  test.each([
    ['표.xlsx', true, true, false],
    ['설치.EXE', true, false, false],
    ['계획.pdf.exe', true, false, false],
    ['설치.exe. .', true, false, false],
    ['설치.ｅｘｅ', true, false, false],
    ['계획.exe.pdf', true, true, true],
    ['이름만', true, true, false],
    ['.pdf', true, true, true],
  ])('detects a type by name: %s', (name, ...fits) => {
    expect([ALL, noPrograms, papers].map((types) => mayBeNamed(types, name))).toEqual(fits)
  })

  test.each([
    ['a program that is called a text', '보고.txt', PROGRAM, true, false, false],
    ['a page that is called a text', '보고.txt', '\xef\xbb\xbf <!DOCTYPE html>', true, false, false],
    [
      'a text about a generation',
      'MZ.txt',
      'MZ\xec\x84\xb8\xeb\x8c\x80 \xec\x84\xa4\xeb\xac\xb8',
      true,
      true,
      true,
    ],
    ['a PDF', '계획.pdf', '%PDF-1.7', true, true, true],
    ['a PDF after what a printer put before it', '계획.pdf', '\x1b%-12345X@PJL\n%PDF-1.7', true, true, true],
    ['what is no PDF', '계획.pdf', '<## NASCA DRM', true, true, false],
    ['a PDF that is called a text', '계획.txt', '%PDF-1.7', true, true, true],
    ['a picture that is called a text', '계획.txt', '\x89PNG\r\n\x1a\n', true, true, false],
    ['a Word file, where archives of programs begin alike', '계획.docx', ZIP, true, true, true],
    ['a Word file with a password', '계획.docx', OLE, true, true, true],
    ['an archive that is called a text', '계획.txt', ZIP, true, false, true],
    ['a table in HTML', '표.xls', '<html><table>', true, true, true],
    ['nothing', '계획.pdf', '', true, true, true],
  ])('detects a type by content: %s', (_, name, content, ...fits) => {
    expect([ALL, noPrograms, papers].map((types) => mayBegin(types, name, bytes(content)))).toEqual(fits)
  })
})

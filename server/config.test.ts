import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

/* A wrong variable stops the start with one line that names it (decisions §3). */

test.each([
  'smtp://mail.example.com',
  'smtp://maru:p%40ss@mail.example.com:587',
  'smtps://maru:secret@mail.example.com:465/',
  'smtp://127.0.0.1:2525',
  'smtp://[::1]:2525',
])('SMTP_URL %s is taken', (SMTP_URL) => {
  expect(readConfig({ SMTP_URL }).secrets.smtpUrl).toBe(SMTP_URL)
})

test.each([
  'mail.example.com',
  'http://mail.example.com',
  'smtp://',
  'smtp://mail.example.com:99999',
  'smtp://mail.example.com:0',
  'smtp://maru:p@ss:w/ord@mail.example.com',
  'smtp://maru:50%@mail.example.com',
  'smtp://maru@mail.example.com',
  'smtp://:secret@mail.example.com',
  'smtp://mail.example.com/inbox',
  'smtp://mail.example.com?tls.rejectUnauthorized=false',
  'smtp://mail.example.com#x',
])('SMTP_URL %s stops the start, and the line does not repeat a password', (SMTP_URL) => {
  expect(() => readConfig({ SMTP_URL })).toThrow(/^SMTP_URL must look like smtp:/)
})

test.each(['no-reply@example.com', '마루 <no-reply@example.com>', 'Maru Inc. <a@b.example>'])(
  'MAIL_FROM %s is taken',
  (MAIL_FROM) => {
    expect(readConfig({ MAIL_FROM }).mail.from).toBe(MAIL_FROM)
  },
)

test.each([
  'Maru',
  '@',
  'Maru <>',
  'a@b.example, c@d.example',
  'Maru <a@b.example>, <c@d.example>',
  'Maru <a@b.example>\r\nBcc: spy@example.com',
  'Maru\n<a@b.example>',
])('MAIL_FROM %j stops the start', (MAIL_FROM) => {
  expect(() => readConfig({ MAIL_FROM })).toThrow(/^MAIL_FROM must be one address/)
})

test('COMPANY_NAME is one line: it stands in the subject of every mail', () => {
  expect(() => readConfig({ COMPANY_NAME: '마루\r\nBcc: spy@example.com' })).toThrow(
    /^COMPANY_NAME must be one line/,
  )
})

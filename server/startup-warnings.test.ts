import { describe, expect, test } from 'vitest'
import { readConfig, REMOVED_VARIABLES } from './config.ts'
import { startWarnings } from './startup-warnings.ts'

const SAFE = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtps://mail.company.kr:465',
  TRUST_PROXY: '1',
  SCAN_COMMAND: 'clamdscan -',
}
const warned = (env: Record<string, string>, mayChangeTrail = false) =>
  startWarnings(readConfig({ ...SAFE, ...env }), mayChangeTrail).map(
    (line) => /(SMTP_URL|STORAGE_URL|DATABASE_URL|TRUST_PROXY|SCAN_COMMAND)/.exec(line)?.[1],
  )

describe('the warnings at the start (rules/running#start-warnings)', () => {
  test.each([
    [{}, []],
    [{ TRUST_PROXY: '' }, ['TRUST_PROXY']],
    [{ SCAN_COMMAND: '' }, ['SCAN_COMMAND']],
    [{ SMTP_URL: '' }, ['SMTP_URL']],
    [{ SMTP_URL: 'smtp://mail.company.kr:25' }, ['SMTP_URL']],
    [{ SMTP_URL: 'smtp://maru:secret@mail.company.kr:587' }, []],
    [{ SMTP_URL: 'smtp://localhost:25' }, []],
    [{ STORAGE_URL: 's3://key:secret@files.company.kr/maru' }, []],
    [{ STORAGE_URL: 's3://key:secret@files/maru?endpoint=http://files:9000' }, ['STORAGE_URL']],
    [{ STORAGE_URL: 's3://key:secret@files/maru?endpoint=http://127.0.0.1:9000' }, []],
    [{ DATABASE_URL: 'postgres://maru:a%40b@db.company.kr:5432/maru' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://maru:x@db2:5433/maru?sslmode=disable' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://db1/maru?sslmode=no-verify' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://db1/maru?uselibpqcompat=true&sslmode=require' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://maru@localhost/maru?host=db.company.kr' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://maru@db/maru?host=127.0.0.1' }, []],
    [{ DATABASE_URL: 'postgres://maru@[::1]:5432/maru' }, []],
    [{ DATABASE_URL: 'postgres://db1/maru?ssl=false' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://maru:x,y@db1/maru?sslmode=verify-full' }, []],
    [{ DATABASE_URL: 'postgres://localhost:5432/maru' }, []],
    [{ DATABASE_URL: 'postgres://maru@localhost/maru?host=/var/run/postgresql' }, []],
  ])('warns with %j of %j', (env, names) => {
    expect(warned(env)).toEqual(names)
  })

  test('name a user of the database who could rewrite the audit log', () => {
    expect(warned({}, true)).toEqual(['DATABASE_URL'])
  })

  test.each(Object.keys(REMOVED_VARIABLES))('name %s, which was removed, and what to do instead', (name) => {
    const lines = startWarnings(readConfig({ [name]: '4' }), false)
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^WARNING: ${name} no longer has an effect\\. .+`)),
    ])
  })

  test('are for production alone', () => {
    expect(
      warned({ NODE_ENV: 'development', SMTP_URL: '', TRUST_PROXY: '', SCAN_COMMAND: '' }, true),
    ).toEqual([])
  })
})

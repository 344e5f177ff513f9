import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram, folderOf, freePort, startServer } from '../../../dev/test-kit/cluster/programs.ts'
import { addressOfMaru } from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

const DEPLOY = join(import.meta.dirname, '..', '..', '..', 'deploy')
const TOKEN = 'a-token-for-tests'
const MINUTES = 3 * 24 * 60

const maru = useMaru({ METRICS_TOKEN: TOKEN, SCAN_COMMAND: 'true' })
let folder: string

beforeAll(() => {
  folder = folderOf(undefined, 'prometheus')
  copyFileSync(join(DEPLOY, 'alerts.yaml'), join(folder, 'alerts.yaml'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('deploy/alerts.yaml in Prometheus (rules/running#metrics)', () => {
  test('names the job that fails or stands, and reports clock, quarantine, scans and readiness', () => {
    const values = {
      'maru_job_last_run_timestamp_seconds{job="maru",name="mail"}': `60+0x${MINUTES}`,
      'maru_job_last_run_timestamp_seconds{job="maru",name="sweep"}': `60+60x${MINUTES}`,
      'maru_job_failures_total{job="maru",name="mail"}': `0+1x${MINUTES}`,
      'maru_job_failures_total{job="maru",name="sweep"}': `0+0x${MINUTES}`,
      'maru_ready{job="maru",part="storage"}': `0+0x${MINUTES}`,
      'maru_ready{job="maru",part="database"}': `1+0x${MINUTES}`,
      'maru_clock_doubted{job="maru"}': `1+0x${MINUTES}`,
      'maru_files_quarantined{job="maru"}': `2+0x${MINUTES}`,
      'maru_scans_total{job="maru",result="failed"}': `0+1x${MINUTES}`,
    }
    const firing = [
      '{alertname="MaruClockUntrusted"}',
      '{alertname="MaruJobFails",name="mail"}',
      '{alertname="MaruJobStands",name="mail"}',
      '{alertname="MaruNotReady",part="storage"}',
      '{alertname="MaruQuarantine"}',
      '{alertname="MaruScansFail"}',
    ]
    const expected = {
      expr: 'count by (alertname, name, part) (ALERTS{alertstate="firing"})',
      eval_time: '3d',
      exp_samples: firing.map((labels) => ({ labels, value: 1 })),
    }
    const suite = {
      interval: '1m',
      input_series: Object.entries(values).map(([series, written]) => ({ series, values: written })),
      promql_expr_test: [expected],
    }
    const all = { rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests: [suite] }
    writeFileSync(join(folder, 'test.yaml'), JSON.stringify(all))
    const promtool = () =>
      execFileSync(findProgram('promtool') ?? '', ['test', 'rules', 'test.yaml'], { cwd: folder })
    expect(promtool).not.toThrow()
  })

  test('keeps every label of a scrape by the settings of deploy/prometheus.yaml', async () => {
    await addressOfMaru(maru)
    await expect.poll(() => maru.services.jobs.report()[0]?.lastRunAt).toBeGreaterThan(0)
    const { port } = maru.app.server.address() as AddressInfo
    writeFileSync(join(folder, 'token'), TOKEN)
    const sample = readFileSync(join(DEPLOY, 'prometheus.yaml'), 'utf8')
      .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replace('/etc/prometheus/maru-token', join(folder, 'token'))
    writeFileSync(join(folder, 'prometheus.yaml'), `global: { scrape_interval: 1s }\n${sample}`)
    const at = `127.0.0.1:${await freePort()}`
    const prometheus = startServer(
      findProgram('prometheus') ?? '',
      ['--config.file=prometheus.yaml', `--web.listen-address=${at}`, '--storage.tsdb.path=tsdb'],
      { cwd: folder, runner: undefined },
    )
    const ended = once(prometheus, 'exit')
    const ask = async (query: string): Promise<{ metric: Record<string, string> }[]> => {
      const url = `http://${at}/api/v1/query?${new URLSearchParams({ query }).toString()}`
      const answer = await fetch(url).catch(() => undefined)
      return answer?.ok === true ? ((await answer.json()) as { data: { result: [] } }).data.result : []
    }
    try {
      const jobs = 'maru_job_last_run_timestamp_seconds{job="maru"}'
      await expect.poll(async () => (await ask(jobs)).map(({ metric }) => metric['name'])).toContain('mail')
      expect(
        await ask('{__name__=~"maru_.*",exported_job!=""} or {__name__=~"maru_.*",exported_instance!=""}'),
      ).toEqual([])
      expect(await ask('maru_ready == 1')).toHaveLength(2)
    } finally {
      prometheus.kill('SIGTERM')
      await ended
    }
  })
})

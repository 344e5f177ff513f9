import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { listAudit } from '../../../contract/audit.ts'
import { getUser } from '../../../contract/users.ts'
import { copiesOf } from '../../create-services.ts'
import { acceptLog, headPartsOf } from '../../operator/access-log.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { addPastRows, PAST_MONTH, signPast } from '../../../dev/test-kit/past-month.ts'
import { createAccessLog } from '../access-log.ts'
import { signatureProblems } from './accept.ts'
import { movingHeads } from './heads.ts'
import { verifyLog } from './verify.ts'

const place = mkdtempSync(join(tmpdir(), 'maru-copies-'))
const maru = useMaru({ ACCESS_LOG_COPY_URL: pathToFileURL(place).href })
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** The access log of a process that starts now. */
async function restarted() {
  const { config, keySecret } = maru.services
  const log = createAccessLog({
    pool: maru.database.pool,
    dataDir: maru.dataDir,
    seeds: keySecret.logSeeds,
    openCopies: copiesOf(config),
    logger: maru.app.log,
  })
  await log.keepCopies()
  await log.keepHeads()
  return log
}

async function look(times: number) {
  const admin = await maru.createUser({ role: 'admin' })
  for (let n = 0; n < times; n += 1) await maru.call(getUser, { userId: admin.userId }, admin)
}

async function files() {
  const head = (await movingHeads(maru.database.pool)).find(({ position }) => position !== '0')
  const month = head?.month.slice(0, 7) ?? expect.unreachable()
  return {
    own: join(maru.dataDir, 'access-log', 'heads', `${month}.json`),
    copy: join(place, `access-log-${month}.json`),
  }
}

/** Returns the results of `npm run check` for the newest months and of `npm run check -- log` for all. */
async function checked() {
  const { config, keySecret } = maru.services
  const copies = await copiesOf(config)?.()
  const all = verifyLog({
    pool: maru.database.pool,
    dataDir: maru.dataDir,
    seeds: keySecret.logSeeds,
    copies,
  })
  const problems: string[] = []
  for await (const { problem } of all) if (problem !== '') problems.push(problem)
  const newest = await signatureProblems(headPartsOf(config, maru.database.pool), copies)
  return [newest, problems]
}

describe('the second place of the signed heads (rules/audit#access-log)', () => {
  it('holds what DATA_DIR holds, and gives it to a DATA_DIR without heads', async () => {
    await look(2)
    const log = await restarted()
    await log.keepCopies()
    const { own, copy } = await files()
    const text = await readFile(own, 'utf8')
    expect(await readFile(copy, 'utf8')).toBe(text)
    rmSync(join(maru.dataDir, 'access-log'), { recursive: true })
    await look(1)
    const other = await restarted()
    expect(other.problems()).toEqual([])
    expect(await readFile(own, 'utf8')).not.toBe(text)
    await other.keepCopies()
    expect(await readFile(copy, 'utf8')).toBe(await readFile(own, 'utf8'))
    expect(await checked()).toEqual([[], []])
  })

  it('shows changed rows hidden by an older file of DATA_DIR until they are accepted (rules/running#accept-log)', async () => {
    const { own, copy } = await files()
    const earlier = await readFile(own, 'utf8')
    await look(3)
    await (await restarted()).close()
    const copied = await readFile(copy, 'utf8')
    await maru.owner
      .query(`delete from access_log where position > (select max(position) - 2 from access_log);
      update access_log_heads h set (position, hash) = (select position, hash from access_log order by position desc limit 1)`)
    await writeFile(own, earlier)
    await look(5)
    const log = await restarted()
    await log.keepCopies()
    expect(log.problems()).toContain('accessLogTampered')
    expect(await readFile(copy, 'utf8')).toBe(copied)
    const [newest, all] = await checked()
    expect(newest).toEqual([expect.stringContaining('are not those of the copied head')])
    expect(all).toEqual([expect.stringContaining('is not what was signed, by its copy')])

    const { config } = maru.services
    const { db, pool } = maru.database
    expect(await acceptLog(config, { db, pool }, '복구 후 확인')).toHaveLength(1)
    expect(await checked()).toEqual([[], []])
    await log.keepCopies()
    await log.keepHeads()
    expect(log.problems()).not.toContain('accessLogTampered')
    const admin = await maru.createUser({ role: 'admin' })
    const { rows } = (await maru.call(listAudit, { action: 'access.accept' }, admin)).data
    expect(rows).toMatchObject([
      { userId: '', changes: [{ item: '사유', before: '', after: '복구 후 확인' }] },
    ])
  })

  it('is reported while it is gone, and nothing is written in its place', async () => {
    const log = await restarted()
    const aside = `${place}-aside`
    renameSync(place, aside)
    await log.keepCopies()
    expect(log.problems()).toEqual(['accessLogNotCopied'])
    expect(existsSync(place)).toBe(false)
    renameSync(aside, place)
    await log.keepCopies()
    expect(log.problems()).not.toContain('accessLogNotCopied')
  })

  it('is reported where its copy was changed', async () => {
    const { copy } = await files()
    const text = await readFile(copy, 'utf8')
    await writeFile(copy, text.replace('"position":"', '"position":"1'))
    const log = await restarted()
    expect(log.problems()).toContain('accessLogTampered')
    expect((await checked()).flat()).toEqual([
      expect.stringContaining('is damaged, or signed with another key secret'),
      expect.stringContaining('is damaged, or signed with another key secret'),
    ])
    await writeFile(copy, text)
    await log.keepCopies()
    expect(log.problems()).not.toContain('accessLogTampered')
  })
  it('gives the signed head of a month to a server that was stopped over its end', async () => {
    const seeds = maru.services.keySecret.logSeeds
    const copy = join(place, `access-log-${PAST_MONTH.slice(0, 7)}.json`)
    const own = join(maru.dataDir, 'access-log', 'heads', `${PAST_MONTH.slice(0, 7)}.json`)
    await addPastRows(maru.owner, 1)
    const first = await signPast(maru.owner, maru.dataDir, seeds)
    await addPastRows(maru.owner, 2)
    const last = await signPast(maru.owner, maru.dataDir, seeds)
    await writeFile(copy, await readFile(own))
    await writeFile(own, JSON.stringify(first))
    expect((await restarted()).problems()).toEqual([])
    expect(JSON.parse(await readFile(own, 'utf8'))).toEqual(last)
    expect(await checked()).toEqual([[], []])

    // Its own head is not of these rows.
    await signPast(maru.owner, maru.dataDir, seeds, { ...first, hash: 'ab'.repeat(32) })
    expect((await restarted()).problems()).toEqual(['accessLogTampered'])
    // The copy is not the end any more either.
    await writeFile(own, JSON.stringify(first))
    await addPastRows(maru.owner, 1)
    expect((await restarted()).problems()).toEqual(['accessLogTampered'])
    expect(await checked()).toEqual([
      [`rows were added to ${PAST_MONTH} after its end`],
      ['it has rows that were added after its end'],
    ])
  })
})

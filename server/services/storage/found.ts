import type pg from 'pg'
import type { Storage, StorageKey } from '../storage.ts'

/** What lies in a storage, beside what the rows say of it. */
export interface Found {
  /** Every file in use, as path/name. */
  kept: ReadonlySet<string>
  /** Those of them that no row names, once they are old enough. */
  unknown: StorageKey[]
  quarantined: { key: StorageKey; since: Date; isNamed: boolean }[]
  /** How many of both no row names and no operator has accepted. */
  strange: number
}

/** Lists a storage, and asks of each file whether a row names it. */
export async function listFiles(
  pool: pg.Pool,
  storage: Storage,
  acceptedAt: Date | null,
  unknownHours: number,
): Promise<Found> {
  const kept = new Set<string>()
  const unknown: StorageKey[] = []
  const quarantined: Found['quarantined'] = []
  let strange = 0
  const count = (at: Date | undefined) => {
    if (at !== undefined && (acceptedAt === null || at > acceptedAt)) strange += 1
  }
  const before = Date.now() - unknownHours * 3_600_000
  for await (const { path, files } of storage.list()) {
    for (const name of files.keys()) kept.add(`${path}/${name}`)
    const old = [...files].filter(([, at]) => at.getTime() <= before).map(([name]) => name)
    for (const name of await unnamedOf(pool, path, old)) {
      unknown.push({ path, name })
      count(files.get(name))
    }
  }
  for await (const { path, files } of storage.list('quarantine')) {
    const unnamed = new Set(await unnamedOf(pool, path, [...files.keys()]))
    for (const [name, since] of files) {
      quarantined.push({ key: { path, name }, since, isNamed: !unnamed.has(name) })
      if (unnamed.has(name)) count(since)
    }
  }
  return { kept, unknown, quarantined, strange }
}

/** Which of these files of one folder no row names. */
async function unnamedOf(pool: pg.Pool, path: string, names: string[]): Promise<string[]> {
  if (names.length === 0) return []
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest($2::text[]) as name
      where not exists (select 1 from notice_files where save_path = $1 and save_file_name = name)
        and not exists (select 1 from uploads where save_path = $1 and save_file_name = name)
        and not exists (select 1 from discarded_files where save_path = $1 and save_file_name = name)`,
    [path, names],
  )
  return rows.map(({ name }) => name)
}

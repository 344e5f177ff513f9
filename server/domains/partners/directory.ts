import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/types.ts'

/** What a partner is searched by. */
interface Entry {
  id: string
  code: string
  affiliation: string
  /** Days as 'YYYY-MM-DD' or '±infinity', which as texts sort like the days; null: valid without end on that side. */
  from: string | null
  to: string | null
  /** When it was registered, in microseconds since 1970. */
  at: number
}

/** What a search is narrowed by; '' = no filter. */
export interface Wanted {
  affiliation: string
  /** In capitals, as codes are. */
  codePart: string
  /** Days, 'YYYY-MM-DD'. */
  from: string
  to: string
}

/** The partners of a database as this process remembers them. */
interface Memory {
  entries: Map<string, Entry>
  newestFirst: Entry[]
  revision: number
}

const memories = new WeakMap<object, Promise<Memory>>()

/**
 * How many partners a search finds, and the IDs of a part of them, newest first: of all partners as they are in the
 * database now or a moment later (ADR 021).
 */
export async function searchDirectory(
  db: Kysely<Database>,
  { affiliation, codePart, from, to }: Wanted,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; ids: string[] }> {
  const ids: string[] = []
  let total = 0
  for (const entry of await readDirectory(db)) {
    if (affiliation !== '' && entry.affiliation !== affiliation) continue
    if (from !== '' && entry.to !== null && entry.to < from) continue
    if (to !== '' && entry.from !== null && entry.from > to) continue
    if (!entry.code.includes(codePart)) continue
    if (total >= offset && ids.length < limit) ids.push(entry.id)
    total += 1
  }
  return { total, ids }
}

/** Every search asks whether partners have changed, and reads what has. */
async function readDirectory(db: Kysely<Database>): Promise<readonly Entry[]> {
  const memory = await remember(db)
  const known = memory.revision
  const { revision } = await db.selectFrom('partner_revision').select('revision').executeTakeFirstOrThrow()
  if (Number(revision) < known) {
    // The table went back in time: a backup was restored under a running server.
    memories.delete(db)
    return (await remember(db)).newestFirst
  }
  // Also when another search has read that far meanwhile.
  if (Number(revision) <= memory.revision) return memory.newestFirst
  const changes = await readChanges(db, known)
  if (changes.revision > memory.revision) apply(memory, changes)
  return memory.newestFirst
}

/** The memory; the first search reads all partners, and the others of that moment wait for it. */
function remember(db: Kysely<Database>): Promise<Memory> {
  const there = memories.get(db)
  if (there !== undefined) return there
  const loading = load(db)
  memories.set(db, loading)
  loading.catch(() => {
    if (memories.get(db) === loading) memories.delete(db)
  })
  return loading
}

async function load(db: Kysely<Database>): Promise<Memory> {
  const memory: Memory = { entries: new Map(), newestFirst: [], revision: 0 }
  apply(memory, await readChanges(db, 0))
  return memory
}

interface Changes {
  revision: number
  changed: Entry[]
  gone: string[]
}

/** What has changed after a revision: one statement, so that it is the state of one moment. */
async function readChanges(db: Kysely<Database>, after: number): Promise<Changes> {
  const { rows } = await sql<{
    revision: string
    partner_id: string | null
    code: string | null
    affiliation_code: string
    valid_from: string | null
    valid_to: string | null
    at: string
  }>`
    select r.revision, c.partner_id, p.code, p.affiliation_code, p.valid_from::text, p.valid_to::text,
      (extract(epoch from p.created_at) * 1000000)::bigint as at
    from partner_revision r
    left join partner_changes c on c.revision > ${after}
    left join partners p on p.id = c.partner_id
  `.execute(db)
  const changes: Changes = { revision: Number(rows[0]?.revision), changed: [], gone: [] }
  const affiliations = new Map<string, string>()
  for (const { partner_id: id, code, affiliation_code, valid_from: from, valid_to: to, at } of rows) {
    if (id === null) continue
    if (code === null) {
      changes.gone.push(id)
      continue
    }
    // One text for all partners of an affiliation, not one for each.
    const affiliation = affiliations.get(affiliation_code) ?? affiliation_code
    affiliations.set(affiliation, affiliation)
    changes.changed.push({ id, code, affiliation, from, to, at: Number(at) })
  }
  return changes
}

function apply(memory: Memory, { revision, changed, gone }: Changes): void {
  for (const id of gone) memory.entries.delete(id)
  for (const entry of changed) memory.entries.set(entry.id, entry)
  memory.newestFirst = [...memory.entries.values()].toSorted(newestFirst)
  memory.revision = revision
}

/** Of the same moment the one that was written later (rules/lists#order). */
const newestFirst = (a: Entry, b: Entry) => b.at - a.at || Number(b.id) - Number(a.id)

import { type Kysely, sql } from 'kysely'
import type { updateLawNote as updateEndpoint } from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import { LAW_NAMES, type LawName } from '../../../../contract/laws.ts'
import type { Database } from '../../../db/types.ts'
import { versionOf } from '../../../db/version.ts'
import type { Handler } from '../../../http/handler.ts'
import { differences } from '../../../records/audit.ts'

/** Notes of the company on an entry of the register of legal bases; '' if it has none. */
interface Note {
  companyBasis: string
  companyRemark: string
}

/** Note of an entry on which the company has none. */
const NONE: Note = { companyBasis: '', companyRemark: '' }

/** Returns the version of a note, by which a change notices a concurrent one. */
const version = ({ companyBasis, companyRemark }: Note) => versionOf([companyBasis, companyRemark])

/**
 * Returns the saved notes by the name of the entry.
 * @param lock locks the row of settings until the transaction ends
 */
async function findSaved(db: Kysely<Database>, lock = false): Promise<Partial<Record<LawName, Note>>> {
  const { lawNotes } = await db
    .selectFrom('settings')
    .select('lawNotes')
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
  return lawNotes as Partial<Record<LawName, Note>>
}

/**
 * Returns the company's basis and remark on every entry of the register of legal bases, with their versions; '' for an
 * entry without (rules/audit#law-notes).
 */
export async function findLawNotes(db: Kysely<Database>) {
  const saved = await findSaved(db)
  return LAW_NAMES.map((law) => {
    const note = saved[law] ?? NONE
    return { law, ...note, version: version(note) }
  })
}

/**
 * Saves the company's basis and remark on an entry of the register of legal bases, with an audit row
 * (rules/audit#law-notes).
 * @throws {Refusal} LAW_NOT_FOUND; RECORD_CHANGED if the note changed since `version`
 */
export const updateLawNote: Handler<typeof updateEndpoint> = async (call, input) => {
  const { companyBasis, companyRemark } = input
  const law = LAW_NAMES.find((name) => name === input.law) ?? refuse('LAW_NOT_FOUND')
  await call.db.transaction().execute(async (tx) => {
    const before = (await findSaved(tx, true))[law] ?? NONE
    if (input.version !== version(before)) refuse('RECORD_CHANGED')
    const after = { companyBasis, companyRemark }
    await sql`update settings set law_notes = law_notes || ${JSON.stringify({ [law]: after })}::jsonb`.execute(
      tx,
    )
    await call.audit(tx, { target: law, detail: differences({ ...before }, { ...after }), records: null })
  })
  return {}
}

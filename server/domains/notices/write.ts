import { type RawBuilder, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import { can } from '../../../contract/permissions.ts'
import {
  type createNotice as createEndpoint,
  type deleteNotice as deleteEndpoint,
  MEMO_FORMAT,
  NOTICES_AN_HOUR,
  type updateNotice as updateEndpoint,
} from '../../../contract/notices.ts'
import { fromWireTime } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { useOwnLimit } from '../../http/admission/caller-rate-limits.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { differences } from '../../records/audit.ts'
import { audienceOf } from './audience.ts'
import { writtenMemo } from './notice-body.ts'
import { savePictures, attachPendingUpload } from './pending-uploads.ts'
import { isMarked, isOwnNotice, mayEditNotice, maySeeNotice } from '../../db/notice-visibility.ts'

/**
 * Creates a notice in the caller's name, with its file and images, and an audit row (rules/notices#author).
 * Publishes it now, or at the later time that the caller chose.
 * @returns the notice's ID and the caller's login ID
 * @throws {Refusal} NOTICES_TOO_MANY beyond the caller's hourly limit; FORBIDDEN as `requireManager` if it is
 * pinned or must-read; and as `audienceOf`, `attachPendingUpload` and `savePictures`
 */
export const createNotice: Handler<typeof createEndpoint> = async (call, input) => {
  const { db, actor } = call
  await countNotice(call)
  const noticeId = await db.transaction().execute(async (tx) => {
    const audience = await audienceOf(tx, input)
    if (input.mustRead === true || input.pinnedUntil) requireManager(actor, audience)
    const format = input.memoFormat ?? MEMO_FORMAT.plain
    const { id } = await tx
      .insertInto('notices')
      .values({
        bulletCode: input.bulletCode,
        title: input.title,
        ...writtenMemo(input.memo, format),
        authorId: actor.id,
        publishedAt: publishTime(input.publishAt ?? ''),
        pinnedUntil: input.pinnedUntil || null,
        mustRead: input.mustRead,
        ...audience,
        ...responsesOf(input),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const file = await attachInputFile(tx, actor, { ...input, noticeId: id, replacesFileId: '' })
    const pictures = await savePictures(tx, actor, { noticeId: id, memo: input.memo, format })
    await call.audit(tx, {
      target: id,
      detail: { title: input.title, ...file, ...pictures },
      records: [`notice/${id}`],
    })
    return id
  })
  return { noticeId, userId: actor.userId }
}

/**
 * Attaches the upload that the input names to a notice as its file (`attachPendingUpload`); does nothing if it
 * names none.
 * @returns `file`, its name for the audit row; empty without a file
 */
async function attachInputFile(
  tx: Tx,
  { id: userId }: SignedIn,
  {
    uploadId,
    noticeId,
    replacesFileId: replaces,
  }: { uploadId?: string | undefined; noticeId: string; replacesFileId: string },
): Promise<{ file?: string }> {
  return !uploadId
    ? {}
    : { file: await attachPendingUpload(tx, { id: uploadId, userId }, { noticeId, replaces }) }
}

/**
 * Counts a new notice against the caller's hourly limit, which is higher for managers
 * (rules/notices#notices-an-hour).
 * @throws {Refusal} NOTICES_TOO_MANY with the time to wait
 */
function countNotice(call: Pick<Call<typeof createEndpoint>, 'actor' | 'services'>): Promise<void> {
  const kind = can(call.actor, 'autho_notice_manage') ? 'manager' : 'author'
  const limit = { points: NOTICES_AN_HOUR[kind], seconds: 3600 }
  return useOwnLimit(call, `notices-${kind}`, limit, 'NOTICES_TOO_MANY')
}

/**
 * Edits a notice, with an audit row if anything changed (rules/notices#who-edits-notices). Optional fields that
 * the input lacks stay. Increases its version.
 * @throws {Refusal} RECORD_CHANGED if the notice has another version than the input states; FORBIDDEN as
 * `requireManager` for a changed pin or must-read, and for other affiliations of a notice that is pinned or
 * must-read; and as `lockNotice`, `audienceOf`, `publishChange`, `attachPendingUpload` and `savePictures`
 */
export const updateNotice: Handler<typeof updateEndpoint> = (call, input) =>
  call.db.transaction().execute(async (tx) => {
    const before = await lockNotice(tx, call.actor, input.noticeId)
    // Checked before anything is overwritten: the second of two concurrent edits is refused.
    if (input.version !== undefined && input.version !== String(before.version)) refuse('RECORD_CHANGED')
    const audience = await audienceOf(tx, input, before)
    const isWider = audience.audienceAffiliations !== undefined && before.isMarked
    if (changesSettings(before, input) || isWider) requireManager(call.actor, { ...before, ...audience })
    const format = input.memoFormat ?? before.memoFormat
    const changes = {
      bulletCode: input.bulletCode,
      title: input.title,
      ...writtenMemo(input.memo, format),
      ...(input.pinnedUntil === undefined ? {} : { pinnedUntil: input.pinnedUntil || null }),
      ...(input.mustRead === undefined ? {} : { mustRead: input.mustRead }),
      ...audience,
      ...responsesOf(input),
      ...(await publishChange(tx, before, input)),
    }
    await tx
      .updateTable('notices')
      .set({ ...changes, version: sql`version + 1`, updatedAt: sql`now()` })
      .where('id', '=', before.id)
      .execute()
    const file = await attachInputFile(tx, call.actor, input)
    const text = { noticeId: before.id, memo: input.memo, format, before: before.memo }
    const pictures = await savePictures(tx, call.actor, text)
    // The audit log does not store the old and new text, because they may be long.
    const changed = Object.keys(differences(before, changes)).filter((column) => column !== 'memoText')
    const parts = { ...file, ...pictures }
    const isUnchanged = changed.length === 0 && Object.keys(parts).length === 0
    await call.audit(tx, {
      target: before.id,
      detail: isUnchanged ? {} : { title: input.title, changed, ...parts },
      records: [`notice/${before.id}`],
    })
  })

/** Returns the columns of the settings for comments and reactions; only those that the input has. */
function responsesOf(input: {
  allowComments?: boolean | undefined
  allowAcknowledgements?: boolean | undefined
}) {
  return {
    ...(input.allowComments !== undefined && { allowComments: input.allowComments }),
    ...(input.allowAcknowledgements !== undefined && { allowAcknowledgements: input.allowAcknowledgements }),
  }
}

/** Returns whether an edit changes must-read or the pin, which only managers may do. A form may send them unchanged. */
function changesSettings(
  before: Notice,
  {
    mustRead = before.mustRead,
    pinnedUntil = before.pinnedUntil ?? '',
  }: ParsedInputOf<typeof updateEndpoint>,
): boolean {
  return mustRead !== before.mustRead || pinnedUntil !== (before.pinnedUntil ?? '')
}

/**
 * Refuses an actor who does not manage notices. With a role of one branch, also refuses an audience that is not
 * limited to affiliations of the branch. Called for a notice that is to be pinned or must-read.
 * @throws {Refusal} FORBIDDEN
 */
function requireManager(
  actor: SignedIn,
  { audienceAffiliations }: { audienceAffiliations?: string[] | null },
): void {
  const { within } = actor
  const isWithin = within === null || audienceAffiliations?.every((code) => within.includes(code)) === true
  if (!can(actor, 'autho_notice_manage') || !isWithin) refuse('FORBIDDEN')
}

/**
 * Deletes a notice with its files and comments, and writes the audit row (rules/notices#delete-notice). The next sweep
 * of the storage deletes the bytes.
 * @throws {Refusal} as `lockNotice`
 */
export const deleteNotice: Handler<typeof deleteEndpoint> = (call, { noticeId }) =>
  call.db.transaction().execute(async (tx) => {
    const notice = await lockNotice(tx, call.actor, noticeId)
    // The rows of its files are deleted with it, and the bytes by the next sweep of the storage.
    await tx.deleteFrom('notices').where('id', '=', notice.id).execute()
    await call.audit(tx, {
      target: notice.id,
      detail: { title: notice.title },
      records: [`notice/${notice.id}`],
    })
  })

/** A locked notice, as `lockNotice` returns it. */
type Notice = Awaited<ReturnType<typeof lockNotice>>

/**
 * Locks a notice that the actor may edit until the transaction ends, and returns its row with `isPublished`,
 * `isMarked` (must-read or pinned) and `isEditable`.
 * @throws {Refusal} NOTICE_NOT_FOUND if the actor may not see it; FORBIDDEN if the actor may only see it, or wrote
 * it and may no longer publish; NOTICE_MARKED if it is must-read or pinned, and the actor may not edit such a
 * notice
 */
export async function lockNotice(tx: Tx, actor: SignedIn, id: string) {
  const notice = await tx
    .selectFrom('notices')
    .selectAll()
    .select([
      sql<boolean>`published_at <= now()`.as('isPublished'),
      mayEditNotice(actor).as('isEditable'),
      isMarked().as('isMarked'),
    ])
    .where('id', '=', id)
    .where(isOwnNotice(actor))
    .forUpdate()
    .executeTakeFirst()
  if (notice === undefined) return refuse((await maySee(tx, actor, id)) ? 'FORBIDDEN' : 'NOTICE_NOT_FOUND')
  if (notice.isEditable) return notice
  return refuse(can(actor, 'autho_notice_insert') ? 'NOTICE_MARKED' : 'FORBIDDEN')
}

/** Returns whether a notice exists and the actor may see it. */
async function maySee(db: Db, actor: SignedIn, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('notices')
    .select('id')
    .where('id', '=', id)
    .where(maySeeNotice(actor))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the SQL expression for the publishing time of a notice: now if the text is '' or that time has passed,
 * otherwise the time in the text.
 */
function publishTime(text: string): RawBuilder<Date> {
  return text === '' ? sql<Date>`now()` : sql<Date>`greatest(now(), ${fromWireTime(text)})`
}

/**
 * Returns the column for a change of the publishing time; empty if the time stays. A published notice cannot be
 * unpublished and keeps its place on the board.
 * @throws {Refusal} NOTICE_PUBLISHED if the notice is published and the new time is in the future
 */
async function publishChange(
  tx: Tx,
  notice: Notice,
  { publishAt }: ParsedInputOf<typeof updateEndpoint>,
): Promise<{ publishedAt?: RawBuilder<Date> }> {
  if (publishAt === undefined) return {}
  if (!notice.isPublished) return { publishedAt: publishTime(publishAt) }
  if (publishAt === '') return {}
  const { rows } = await sql<{ isPast: boolean }>`
    select ${fromWireTime(publishAt)} <= now() as is_past
  `.execute(tx)
  // A form that was open when the notice was published still sends its time.
  return rows[0]?.isPast === true ? {} : refuse('NOTICE_PUBLISHED')
}

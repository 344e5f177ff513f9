import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
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
import type { Database } from '../../db/types.ts'
import { scaleLimit } from '../../http/caller-rate-limits.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { differences } from '../../services/audit.ts'
import { audienceOf } from './audience.ts'
import { writtenMemo } from './memo.ts'
import { savePictures } from './pictures.ts'
import { isOwnNotice, mayEditNotice, maySeeNotice } from './visibility.ts'
import { takeUp } from './waiting-uploads.ts'

/** Writes a notice in the caller's name (rules/notices#author), with its file, published now or at the time that was chosen. */
export const createNotice: Handler<typeof createEndpoint> = async (call, input) => {
  const { db, actor } = call
  if (input.mustRead === true || input.pinnedUntil) requireManager(actor)
  await countNotice(call)
  const noticeId = await db.transaction().execute(async (tx) => {
    const audience = await audienceOf(tx, input)
    const format = input.memoFormat ?? MEMO_FORMAT.plain
    const { id } = await tx
      .insertInto('notices')
      .values({
        bullet_code: input.bulletCode,
        title: input.title,
        ...writtenMemo(input.memo, format),
        author_id: actor.id,
        published_at: publishTime(input.publishAt ?? ''),
        pinned_until: input.pinnedUntil || null,
        must_read: input.mustRead,
        ...audience,
        ...responsesOf(input),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const file = await fileOf(tx, actor, { ...input, noticeId: id, replacesFileId: '' })
    const pictures = await savePictures(tx, actor, { noticeId: id, memo: input.memo, format })
    await call.audit(tx, { target: id, detail: { title: input.title, ...file, ...pictures } })
    return id
  })
  return { noticeId, userId: actor.userId }
}

/** Attaches to a notice the upload that its author has sent for it. @returns the entry for the audit log */
async function fileOf(
  tx: Transaction<Database>,
  { id: userId }: SignedIn,
  {
    uploadId,
    noticeId,
    replacesFileId: replaces,
  }: { uploadId?: string | undefined; noticeId: string; replacesFileId: string },
): Promise<{ file?: string }> {
  return !uploadId ? {} : { file: await takeUp(tx, { id: uploadId, userId }, { noticeId, replaces }) }
}

/** @throws {Refusal} NOTICES_TOO_MANY with the time to wait (rules/notices#notices-an-hour) */
async function countNotice({
  actor,
  services: { config, limits },
}: Pick<Call<typeof createEndpoint>, 'actor' | 'services'>): Promise<void> {
  const kind = can(actor, 'autho_notice_manage') ? 'manager' : 'author'
  const limit = scaleLimit({ points: NOTICES_AN_HOUR[kind], seconds: 3600 }, config.callLimitPercent)
  if (limit !== undefined) await limits.use(`notices-${kind}`, limit, actor.id, 'NOTICES_TOO_MANY')
}

/**
 * Edits a notice (rules/notices#who-edits-notices). Keeps the fields that the input lacks.
 */
export const updateNotice: Handler<typeof updateEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    const before = await lockNotice(tx, call.actor, input.noticeId)
    // Checked before anything is overwritten: the second of two concurrent edits is refused.
    if (input.version !== undefined && input.version !== String(before.version)) refuse('RECORD_CHANGED')
    if (changesSettings(before, input)) requireManager(call.actor)
    const format = input.memoFormat ?? before.memo_format
    const changes = {
      bullet_code: input.bulletCode,
      title: input.title,
      ...writtenMemo(input.memo, format),
      ...(input.pinnedUntil === undefined ? {} : { pinned_until: input.pinnedUntil || null }),
      ...(input.mustRead === undefined ? {} : { must_read: input.mustRead }),
      ...(await audienceOf(tx, input, before)),
      ...responsesOf(input),
      ...(await publishChange(tx, before, input)),
    }
    await tx
      .updateTable('notices')
      .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
      .where('id', '=', before.id)
      .execute()
    const file = await fileOf(tx, call.actor, input)
    const text = { noticeId: before.id, memo: input.memo, format, before: before.memo }
    const pictures = await savePictures(tx, call.actor, text)
    // The audit log does not store the old and new text, because they may be long.
    const changed = Object.keys(differences(before, changes)).filter((column) => column !== 'memo_text')
    await call.audit(tx, { target: before.id, detail: { title: input.title, changed, ...file, ...pictures } })
  })
  return {}
}

/** Returns the columns of the response settings that the author sent. */
function responsesOf(input: {
  allowComments?: boolean | undefined
  allowAcknowledgements?: boolean | undefined
}) {
  return {
    ...(input.allowComments !== undefined && { allow_comments: input.allowComments }),
    ...(input.allowAcknowledgements !== undefined && { allow_acknowledgements: input.allowAcknowledgements }),
  }
}

/**
 * Returns whether the author requests settings that need more than their own permission. A form may send the settings unchanged.
 */
function changesSettings(
  before: Notice,
  {
    mustRead = before.must_read,
    pinnedUntil = before.pinned_until ?? '',
  }: ParsedInputOf<typeof updateEndpoint>,
): boolean {
  return mustRead !== before.must_read || pinnedUntil !== (before.pinned_until ?? '')
}

/** @throws {Refusal} FORBIDDEN, because an author alone may neither require reading nor pin a notice */
function requireManager(actor: SignedIn): void {
  if (!can(actor, 'autho_notice_manage')) refuse('FORBIDDEN')
}

/** Deletes a notice with its files (rules/notices#delete-notice). */
export const deleteNotice: Handler<typeof deleteEndpoint> = async (call, { noticeId }) => {
  await call.db.transaction().execute(async (tx) => {
    const notice = await lockNotice(tx, call.actor, noticeId)
    // The rows of its files are deleted with it, and the bytes by the next sweep of the storage.
    await tx.deleteFrom('notices').where('id', '=', notice.id).execute()
    await call.audit(tx, { target: notice.id, detail: { title: notice.title } })
  })
  return {}
}

type Notice = Awaited<ReturnType<typeof lockNotice>>

/**
 * Locks the row of a notice that the actor may edit until the transaction ends.
 * @throws {Refusal} NOTICE_MARKED for the author's own notice that is must-read or pinned, FORBIDDEN for a notice that the actor may only
 * see, NOTICE_NOT_FOUND for any other
 */
export async function lockNotice(tx: Transaction<Database>, actor: SignedIn, id: string) {
  const notice = await tx
    .selectFrom('notices')
    .selectAll()
    .select([sql<boolean>`published_at <= now()`.as('is_published'), mayEditNotice(actor).as('is_editable')])
    .where('id', '=', id)
    .where(isOwnNotice(actor))
    .forUpdate()
    .executeTakeFirst()
  if (notice === undefined) return refuse((await isSeen(tx, actor, id)) ? 'FORBIDDEN' : 'NOTICE_NOT_FOUND')
  return notice.is_editable ? notice : refuse('NOTICE_MARKED')
}

async function isSeen(db: Kysely<Database>, actor: SignedIn, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('notices')
    .select('id')
    .where('id', '=', id)
    .where(maySeeNotice(actor))
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the publishing time: now if the text is empty, or a time that has passed while the form was open. */
function publishTime(text: string): RawBuilder<Date> {
  return text === '' ? sql<Date>`now()` : sql<Date>`greatest(now(), ${fromWireTime(text)})`
}

/**
 * Returns the column that a change of the publishing time sets. A published notice has been read, so it cannot be unpublished and
 * keeps its place on the board.
 */
async function publishChange(
  tx: Transaction<Database>,
  notice: Notice,
  { publishAt }: ParsedInputOf<typeof updateEndpoint>,
): Promise<{ published_at?: RawBuilder<Date> }> {
  if (publishAt === undefined) return {}
  if (!notice.is_published) return { published_at: publishTime(publishAt) }
  if (publishAt === '') return {}
  const { rows } = await sql<{ is_past: boolean }>`
    select ${fromWireTime(publishAt)} <= now() as is_past
  `.execute(tx)
  // A form that was open when the notice was published still sends its time.
  return rows[0]?.is_past === true ? {} : refuse('NOTICE_PUBLISHED')
}

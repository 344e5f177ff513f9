import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import type { Failure } from '../../contract/errors.ts'
import {
  beginUpload,
  BULLET,
  createNotice,
  finishUpload,
  getNotice,
  uploadFile,
  UPLOADS_PATH,
} from '../../contract/notices.ts'
import { wireNames } from '../../contract/wire.ts'
import { sweepFiles } from '../../server/services/storage/sweep.ts'
import { lookInto } from './bucket.ts'
import type { TestMaru } from './maru.ts'
import type { TestUser } from './people.ts'

/** Outcome of a multipart call. */
export interface FormAnswer {
  status: number
  /** Code of a failure; undefined for a success. */
  code: Failure['code'] | undefined
  field: string | undefined
  msg: string | undefined
}

/** Returns the URL of a Maru of a test, without a slash at its end. Makes it listen first, so that bodies use a real connection. */
export async function addressOfMaru(maru: TestMaru): Promise<string> {
  if (!maru.app.server.listening) await maru.app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(maru.app.server.address() as AddressInfo).port}`
}

/** Creates a notice of this user without a body, and returns its noticeId. Throws if the call is refused. */
export async function writeNotice(maru: TestMaru, by: TestUser, title = '첨부 시험'): Promise<string> {
  const answer = await maru.call(
    createNotice,
    { bulletCode: BULLET.notice, title, memo: '' },
    { session: by.session },
  )
  return answer.data.noticeId
}

/** Returns the files of a notice, as `getNotice` lists them. Throws if the call is refused. */
export async function filesOf(maru: TestMaru, by: TestUser, noticeId: string) {
  return (await maru.call(getNotice, { noticeId }, { session: by.session })).data.files
}

/**
 * Deletes the only file of a notice from the storage and leaves its row.
 * @returns the key of the file
 * @throws {Error} if the notice has no file
 */
export async function loseFile(maru: TestMaru, noticeId: string) {
  const { rows } = await maru.database.pool.query<{ path: string; name: string }>(
    'select save_path as path, save_file_name as name from notice_files where notice_id = $1',
    [noticeId],
  )
  const [file] = rows
  if (file === undefined) throw new Error('The notice has no file.')
  await maru.services.storage.remove(file)
  return file
}

/** Returns the names of all files in the storage, finished or not, and those in quarantine. */
export async function keptFiles({ bucket: url, dataDir }: TestMaru): Promise<string[]> {
  if (url !== undefined) {
    const bucket = lookInto(url)
    return [...(await bucket.files()), ...(await bucket.unfinished())]
  }
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !['.owner', '.mark'].includes(entry.name))
    .map(({ name }) => name)
}

/**
 * Sends the parts of a multipart form to `uploadFile`, in this order. Translates the names that the code uses, and sends others
 * unchanged.
 * @param by user who sends it; null for a caller without a session
 */
export async function sendForm(
  maru: TestMaru,
  by: Pick<TestUser, 'session'> | null,
  parts: readonly (readonly [name: string, value: string | Blob, fileName?: string])[],
): Promise<FormAnswer> {
  const names = wireNames(uploadFile)
  const form = new FormData()
  for (const [name, value, fileName] of parts) {
    // A name that the code does not have is wrong on purpose.
    const wireName = /^[a-z]/.test(name) ? names.toWire(name) : name
    if (typeof value === 'string') form.append(wireName, value)
    else form.append(wireName, value, fileName ?? 'x.bin')
  }
  const response = await fetch(`${await addressOfMaru(maru)}${API_BASE}${uploadFile.path}`, {
    method: 'POST',
    headers: by === null ? {} : { [SESSION_HEADER]: by.session },
    body: form,
  })
  const body = (await response.json()) as Partial<Failure>
  const field = body.field && names.fromWire(body.field)
  return { status: response.status, code: body.code, field, msg: body.msg }
}

/**
 * Attaches a file by the multipart call.
 * @param replaces fileId of the file that it replaces
 */
export function attach(
  maru: TestMaru,
  by: TestUser,
  noticeId: string,
  name: string,
  content: Buffer | string,
  replaces?: string,
): Promise<FormAnswer> {
  return sendForm(maru, by, [
    ['noticeId', noticeId],
    ['fileName', name],
    ...(replaces === undefined ? [] : [['replacesFileId', replaces] as const]),
    ['file', new Blob([Uint8Array.from(Buffer.from(content))])],
  ])
}

/**
 * Sends a tus request for an upload, and returns the response. Checks nothing, so that a test can send an invalid
 * request.
 * @param headers replace those of a valid request
 */
export async function askTus(
  maru: TestMaru,
  by: Pick<TestUser, 'session'>,
  method: string,
  uploadId: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Promise<Response> {
  return fetch(`${await addressOfMaru(maru)}${API_BASE}${UPLOADS_PATH}/${uploadId}`, {
    method,
    headers: {
      [SESSION_HEADER]: by.session,
      'Tus-Resumable': '1.0.0',
      ...(method === 'PATCH' && { 'Content-Type': 'application/offset+octet-stream' }),
      ...headers,
    },
    ...(body && { body: Uint8Array.from(body) }),
  })
}

/**
 * Uploads a file completely, without attaching it to a notice, and returns its uploadId. Only a refusal of the
 * beginning throws.
 * @param more.picture set for an image in the text of a notice
 */
export async function sendUpload(
  maru: TestMaru,
  by: TestUser,
  name: string,
  content: Buffer | string,
  more: { picture?: string } = {},
): Promise<string> {
  const body = Buffer.from(content)
  const { data } = await maru.call(beginUpload, { fileName: name, fileSize: body.length, ...more }, by)
  await askTus(maru, by, 'PATCH', data.uploadId, { 'Upload-Offset': '0' }, body)
  await maru.call(finishUpload, data, by)
  return data.uploadId
}

/**
 * Sends the missing bytes of an upload with the tus client of the page, which retries.
 * @param url URL of Maru, or of a proxy before it
 * @returns the offset of each PATCH request
 */
export function sendByTus(
  url: string,
  by: Pick<TestUser, 'session'>,
  uploadId: string,
  body: Buffer,
): Promise<number[]> {
  const offsets: number[] = []
  return new Promise((resolve, reject) => {
    new Upload(body, {
      uploadUrl: `${url}${API_BASE}${UPLOADS_PATH}/${uploadId}`,
      headers: { [SESSION_HEADER]: by.session },
      retryDelays: [100, 500, 1000, 2000, 3000, 3000],
      onBeforeRequest(request) {
        if (request.getMethod() === 'PATCH') offsets.push(Number(request.getHeader('Upload-Offset')))
      },
      onSuccess: () => resolve(offsets),
      onError: reject,
    }).start()
  })
}

/** Deletes all notices, cancels unfinished uploads, and sweeps. A file that remains in the storage is a fault. */
export async function removeNotices({ database: { pool }, services, app }: TestMaru): Promise<void> {
  await pool.query('delete from notices')
  await pool.query(`update uploads set cancelled = true where finished_at is null`)
  await pool.query(`update discarded_files set discarded_at = '-infinity'`)
  await sweepFiles(pool, services.storage, app.log)
}

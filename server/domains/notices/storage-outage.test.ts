import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { beginUpload, downloadFile, finishUpload, linkFile } from '../../../contract/notices.ts'
import { sweepFiles } from '../../services/storage/sweep.ts'
import {
  addressOfMaru,
  askTus,
  attach,
  filesOf,
  keptFiles,
  removeNotices,
  writeNotice,
} from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let kim: TestUser

beforeAll(async () => {
  kim = await maru.createUser()
  await addressOfMaru(maru)
})

afterEach(() => removeNotices(maru))

/** Replaces the folder of the files by an empty one, as an unmount does. */
function unmounted(): Disposable {
  const folder = join(maru.dataDir, 'files')
  renameSync(folder, `${folder}-away`)
  mkdirSync(folder)
  return {
    [Symbol.dispose]() {
      // Fails where something was written in its place.
      rmdirSync(folder)
      renameSync(`${folder}-away`, folder)
    },
  }
}

test('answers 503 for files while their folder is missing, loses none and resumes (rules/files#storage-away)', async () => {
  const notice = await writeNotice(maru, kim)
  await attach(maru, kim, notice, 'a.txt', 'kept')
  const [file] = await filesOf(maru, kim, notice)
  if (file === undefined) throw new Error('The notice has no file.')
  const key = { storedPath: file.storedPath, storedName: file.storedName }
  const other = await writeNotice(maru, kim)
  const body = Buffer.from('half and half')
  const upload = { noticeId: other, fileName: 'b.txt', fileSize: body.length }
  const { data } = await maru.call(beginUpload, upload, kim)
  await askTus(maru, kim, 'PATCH', data.uploadId, { 'Upload-Offset': '0' }, body.subarray(0, 5))
  const rest = () =>
    askTus(maru, kim, 'PATCH', data.uploadId, { 'Upload-Offset': '5' }, body.subarray(5)).then(
      ({ status }) => status,
    )
  const before = await keptFiles(maru)

  const away = { status: 503, code: 'UNAVAILABLE' }
  {
    using _ = unmounted()
    expect(await maru.call(downloadFile, key, kim)).toMatchObject(away)
    expect(await maru.call(linkFile, key, kim)).toMatchObject(away)
    expect(await attach(maru, kim, other, 'c.txt', 'new')).toMatchObject(away)
    expect((await askTus(maru, kim, 'HEAD', data.uploadId)).status).toBe(503)
    expect(await rest()).toBe(503)
    expect(await maru.call(finishUpload, data, kim)).toMatchObject(away)
    await expect(maru.services.storage.ready()).rejects.toThrow('is gone')
    await expect(sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)).rejects.toThrow(
      'is gone',
    )
    expect(await filesOf(maru, kim, notice)).toEqual([file])
  }

  expect(await keptFiles(maru)).toEqual(before)
  expect(await rest()).toBe(204)
  await maru.call(finishUpload, data, kim)
  expect(await filesOf(maru, kim, other)).toMatchObject([{ fileName: 'b.txt' }])
  expect(await maru.call(linkFile, key, kim)).toMatchObject({ status: 200 })
})

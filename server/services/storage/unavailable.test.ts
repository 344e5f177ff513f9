import { NoSuchBucket, S3ServiceException } from '@aws-sdk/client-s3'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isStorageAway, StorageAway } from './unavailable.ts'

const ofFile = (code: string, more: object = { path: '/files/2026/11/a' }) =>
  Object.assign(new Error(code), { code, syscall: 'open', ...more })
const ofBucket = (status: number | undefined, name = 'Unknown') =>
  new S3ServiceException({ name, $fault: 'server', $metadata: { ...(status && { httpStatusCode: status }) } })

test('reports a failing disk or bucket as unavailable (rules/files#storage-away)', () => {
  const away = [
    new StorageAway('gone'),
    ...['EIO', 'ESTALE', 'EROFS', 'ENOTCONN', 'EACCES'].map((code) => ofFile(code)),
    ofFile('EIO', { syscall: 'fsync' }),
    ofBucket(503, 'SlowDown'),
    ofBucket(403, 'AccessDenied'),
    ofBucket(undefined),
    new NoSuchBucket({ message: '', $metadata: { httpStatusCode: 404 } }),
  ]
  expect(away.map(isStorageAway)).toEqual(away.map(() => true))
})

test('does not report a missing file, full disk or bad request as unavailable storage (rules/files#storage-away)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maru-away-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const missing: unknown = await readFile(join(folder, 'none')).catch((error: unknown) => error)
  const notAFile: unknown = await open(folder, 'w').catch((error: unknown) => error)
  const others = [
    missing,
    notAFile,
    ofFile('ENOSPC'),
    ofBucket(507, 'InsufficientStorage'),
    ofBucket(404, 'NoSuchKey'),
    ofBucket(400, 'InvalidRequest'),
    ofFile('ETIMEDOUT', { syscall: 'read' }),
    new Error('none of it'),
    'a text',
  ]
  expect(others.map(isStorageAway)).toEqual(others.map(() => false))
})

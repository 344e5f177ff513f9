import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '../../../durable-files.ts'
import { type ExportedRow, jsonOf } from './rows.ts'

/** Pattern of the names of the files that `appendToFiles` writes, with their day. */
const FILE = /^(?:audit|access)-(\d{4}-\d\d-\d\d)\.jsonl$/
/** Byte of a line feed, with which every complete row ends. */
const NEWLINE = 10

/**
 * Appends rows of the audit and access log as JSON lines to the file of their log and day in Asia/Seoul, such as
 * `audit-2026-11-27.jsonl` (rules/events#log-files). Resolves when they are synced to the disk.
 */
export async function appendToFiles(folder: string, rows: readonly ExportedRow[]): Promise<void> {
  await makeFolder(folder)
  const files = Map.groupBy(rows, ({ log, at }) => `${log}-${at.slice(0, 10)}.jsonl`)
  for (const [name, ofFile] of files) {
    await using file = await open(join(folder, name), 'a+', 0o600)
    const { size } = await file.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await file.read(last, 0, 1, size - 1)
    // A crash may have left a part of a row, which is written again below.
    const start = size > 0 && last[0] !== NEWLINE ? '\n' : ''
    await file.appendFile(`${start}${ofFile.map((row) => `${jsonOf(row)}\n`).join('')}`)
    await file.sync()
  }
  await syncFolder(folder)
}

/**
 * Deletes the exported log files of days before the given one. Files of other names stay.
 * @param day YYYY-MM-DD
 */
export async function removeFilesBefore(folder: string, day: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, ofDay = day] = FILE.exec(name) ?? []
    if (ofDay < day) await rm(join(folder, name), { force: true })
  }
}

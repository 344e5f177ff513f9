import { readFileSync } from 'node:fs'
import { readRegions } from '../db/seed/regions.ts'
import { decodeRegions, parseRegions, regionChanges, RegionFileError } from './regions/changes.ts'

// `npm run regions -- FILE`: lists the changes of a newer region file; writes nothing. Exits with 1 if the file cannot be read.

/** Path of the current regions, as the output names it. */
const TABLE = 'server/db/seed/regions.tsv'
const [file] = process.argv.slice(2)
if (file === undefined) {
  fail(`Name a region file: npm run regions -- newer.csv
Its first line is ctprvn_cd,sido_name,sigungu_cd,sigungu_name,x,y; each further one a district, in UTF-8.`)
} else {
  try {
    const changes = regionChanges(readRegions(), parseRegions(decodeRegions(readFileSync(file))))
    for (const { kind, text } of changes) process.stdout.write(`${kind}: ${text}\n`)
    process.stdout.write(
      changes.length === 0
        ? `No change: ${file} and ${TABLE} have the same regions.\n`
        : `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} against ${TABLE}; nothing was written.
Write them into that file by hand and restart Maru.
Partners and keys keep their stored region; editing a partner changes its region.\n`,
    )
  } catch (error) {
    const isOfFile = error instanceof RegionFileError
    if (!isOfFile && !(error instanceof Error && 'syscall' in error)) throw error
    const isMissing = 'code' in error && error.code === 'ENOENT'
    fail(`${file}: ${isOfFile ? error.message : isMissing ? 'there is no such file' : 'it cannot be read'}`)
  }
}

/** Prints a line to standard error, and sets exit status 1. */
function fail(line: string): void {
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

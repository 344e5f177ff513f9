import { readFileSync } from 'node:fs'
import { readRegions } from '../db/seed/regions.ts'
import { parseRegions, regionChanges, RegionFileError } from './regions/changes.ts'

// Lists what a newer region file changes; writes nothing. Ends with 1 when the file cannot be read.
const [file] = process.argv.slice(2)
if (file === undefined) {
  fail('Name a region file: npm run regions -- newer.csv')
} else {
  try {
    const changes = regionChanges(readRegions(), parseRegions(readFileSync(file, 'utf8')))
    for (const { kind, text } of changes) process.stdout.write(`${kind}: ${text}\n`)
    process.stdout.write(
      changes.length === 0
        ? `${file} says what server/db/seed/regions.tsv says.\n`
        : `${changes.length} changes. Bring them into server/db/seed/regions.tsv: partners keep what they were written with.\n`,
    )
  } catch (error) {
    const isFileMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isFileMissing && !(error instanceof RegionFileError)) throw error
    fail(`${file}: ${isFileMissing ? 'there is no such file' : error.message}`)
  }
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

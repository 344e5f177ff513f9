import { writeFileSync } from 'node:fs'
import { permissionsText } from './permissions/table.ts'

// Prints the table of every role against every call; with --write it goes to docs/permissions.md instead.
if (process.argv.includes('--write')) {
  writeFileSync(new URL('../../docs/permissions.md', import.meta.url), permissionsText())
} else {
  process.stdout.write(permissionsText())
}

import { writeFileSync } from 'node:fs'
import { openApiText } from './openapi/document.ts'

// Prints the OpenAPI document; with --write it goes to docs/openapi.json instead.
if (process.argv.includes('--write')) {
  writeFileSync(new URL('../../docs/openapi.json', import.meta.url), openApiText())
} else {
  process.stdout.write(openApiText())
}

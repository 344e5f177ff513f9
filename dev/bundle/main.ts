import { statSync } from 'node:fs'
import { ARCHITECTURES, createBundle } from './create.ts'

// `npm run bundle`, or `npm run bundle -- arm64 x64`. MARU_SIGNING_KEY names the file of an SSH key that signs.
const named = process.argv.slice(2)
for (const word of named.length > 0 ? named : [process.arch]) {
  const arch = ARCHITECTURES.find((each) => each === word)
  if (arch === undefined) {
    process.stderr.write(`${word} is not a processor of a bundle. Name ${ARCHITECTURES.join(' or ')}.\n`)
    process.exit(1)
  }
  const file = await createBundle({ arch, to: 'dist', signingKey: process.env['MARU_SIGNING_KEY'] ?? '' })
  process.stdout.write(`${file}: ${Math.round(statSync(file).size / 1024 ** 2)} MB\n`)
}

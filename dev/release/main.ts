import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { release } from './release.ts'

// `npm run release`, or `npm run release -- NEXT-VERSION`.
const root = resolve(import.meta.dirname, '..', '..')
try {
  const version = release({
    root,
    date: new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' }),
    next: process.argv[2],
    bundle() {
      const words = [join(root, 'bin/maru.mjs'), 'bundle', 'x64', 'arm64']
      execFileSync(process.execPath, words, { stdio: 'inherit' })
    },
  })
  process.stdout.write(`Released ${version}. Publish dist/maru-${version}-* and: git push --follow-tags\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, ROOT, say } from './root.mjs'
import { inTurn } from './turn.mjs'

// Whatever the built pages depend on.
const SOURCES = ['web', 'contract', 'index.html', 'vite.config.ts', 'package-lock.json']
const STAMP = join(ROOT, 'dist', 'pages.stamp')

/** Builds dist/web with Vite when a source of the pages is newer or other than when it was built last. */
export async function buildPages(node) {
  if (isBuilt()) return
  await inTurn('build', async () => {
    if (isBuilt()) return
    say('Building the pages …')
    const begun = Date.now()
    const stamp = wantedStamp()
    const { code, output } = await vite(node)
    if (code !== 0) {
      say(output)
      throw refusal('Building the pages failed: the reason is above.')
    }
    writeFileSync(STAMP, stamp)
    say(`Built in ${((Date.now() - begun) / 1000).toFixed(1)} s.`)
  })
}

function isBuilt() {
  return (
    existsSync(join(ROOT, 'dist', 'web', 'index.html')) &&
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === wantedStamp()
  )
}

// Size and time of each file, as make does: reading them all would cost a second start too much.
function wantedStamp() {
  const hash = createHash('sha256')
  for (const source of SOURCES) note(source)
  return hash.digest('hex')

  function note(path) {
    const entry = statSync(join(ROOT, path), { throwIfNoEntry: false })
    if (!entry) return
    if (entry.isDirectory())
      for (const name of readdirSync(join(ROOT, path)).toSorted()) note(`${path}/${name}`)
    else hash.update(`${path} ${entry.size} ${entry.mtimeMs}\n`)
  }
}

function vite(node) {
  const child = spawn(node, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((settle) => {
    child.on('error', (error) => settle({ code: 1, output: error.message }))
    child.on('close', (code) => settle({ code: code ?? 1, output }))
  })
}

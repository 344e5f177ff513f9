import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, ROOT, runStep } from './root.mjs'
import { withFileLock } from './file-lock.mjs'

/** Files and folders on which the built pages depend. */
const SOURCES = ['web', 'contract', 'build', 'index.html', 'vite.config.ts', 'package-lock.json']
/** File with the digests of the sources of the last build. */
const STAMP = join(ROOT, 'dist', 'pages.stamp')

/**
 * Builds dist/web with Vite if a source of the pages has changed since the last build.
 * @param node path of the Node.js that runs Vite
 * @throws a refusal if the build fails
 */
export async function buildPages(node) {
  if (isBuilt()) return
  await withFileLock('build', async () => {
    if (isBuilt()) return
    const stamp = stampOf(statDigest(), contentDigest())
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    const command = [node, vite, 'build', '--logLevel', 'error']
    const failure = await runStep('Building the pages …', 'Built', command)
    if (failure !== undefined) throw refusal(`Building the pages failed: ${failure}.`)
    writeFileSync(STAMP, stamp)
  })
}

/**
 * Returns whether dist/web is up to date. Compares size and time of each file, as make does: reading them all would cost a second
 * start too much. Only if these differ, as in a copy, the files are read.
 */
function isBuilt() {
  if (!existsSync(join(ROOT, 'dist', 'web', 'index.html')) || !existsSync(STAMP)) return false
  const [stats, content] = readFileSync(STAMP, 'utf8').split('\n')
  const now = statDigest()
  if (stats === now) return true
  if (content !== contentDigest()) return false
  try {
    writeFileSync(STAMP, stampOf(now, content))
  } catch {
    // A checkout that this user may only read: the digest of the contents works too.
  }
  return true
}

/** Returns the content of STAMP: the digests of `statDigest` and `contentDigest`, a line each. */
const stampOf = (stats, content) => `${stats}\n${content}\n`

/** Returns a digest of path, size and time of all sources. */
const statDigest = () => hashOf((path, { size, mtimeMs }) => `${path} ${size} ${mtimeMs}\n`)

/** Returns a digest of path and content of all sources. */
const contentDigest = () =>
  hashOf((path) =>
    [
      path,
      createHash('sha256')
        .update(readFileSync(join(ROOT, path)))
        .digest('hex'),
    ].join(' '),
  )

/** Returns a digest of the texts that a function returns for each source. */
function hashOf(say) {
  const hash = createHash('sha256')
  for (const source of SOURCES) note(source)
  return hash.digest('hex')

  function note(path) {
    const entry = statSync(join(ROOT, path), { throwIfNoEntry: false })
    if (!entry) return
    if (entry.isDirectory())
      for (const name of readdirSync(join(ROOT, path)).toSorted()) note(`${path}/${name}`)
    else hash.update(say(path, entry))
  }
}

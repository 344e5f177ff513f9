import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// What packages bring for those who develop with them: types, maps of their sources, and what a compiler of native parts wants.
const FILES = /\.(map|d\.[cm]?ts|a)$/
const FOLDERS = /^node-[^/]+\/(include|share)$/

/** Takes out of a folder of packages what a server neither runs nor builds its pages from: a third of it. */
export function slim(folder, below = '') {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory() && FOLDERS.test(name)) rmSync(join(folder, name), { recursive: true })
    else if (entry.isDirectory()) slim(folder, name)
    else if (entry.isFile() && FILES.test(name)) rmSync(join(folder, name))
  }
}

import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own that a test can fill. */
export interface SmallDisk {
  folder: string
  /** Lets something else take the room, as a log does that nobody rotates; all of it but so many bytes. */
  fill: (leaving?: number) => Promise<void>
  /** Gives the room back. */
  free: () => void
  drop: () => void
}

const MB = 1024 ** 2

/**
 * Mounts a disk in memory, as root or by a sudo that asks nothing.
 * @returns in words why not, where this machine does not allow it
 */
export function mountSmallDisk(bytes: number): SmallDisk | string {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const run = (...words: string[]) => {
    const [program = '', ...rest] = [...sudo, ...words]
    execFileSync(program, rest, { stdio: 'pipe' })
  }
  const folder = mkdtempSync(join(tmpdir(), 'maru-disk-'))
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=755,uid=${process.getuid?.()}`, 'tmpfs', folder)
  } catch (error) {
    rmdirSync(folder)
    return `no disk can be mounted here (${String(error).split('\n')[0]}): run it as root, or where sudo asks no password`
  }
  chmodSync(folder, 0o755)
  const ballast = join(folder, 'ballast')
  const left = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    async fill(leaving = 0) {
      await using file = await open(ballast, 'a')
      try {
        for (let room = left() - leaving; room > 0; room = left() - leaving)
          await file.write(Buffer.alloc(Math.min(MB, room)))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    free: () => rmSync(ballast, { force: true }),
    drop() {
      if (!existsSync(folder)) return
      run('umount', '-l', folder)
      rmdirSync(folder)
    },
  }
}

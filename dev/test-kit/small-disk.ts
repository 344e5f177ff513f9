import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A disk of its own that a test can fill. */
export interface SmallDisk {
  folder: string
  /** Lets something else take the room, as a log does that nobody rotates; all of it but so many bytes. */
  fill: (leaving?: number) => Promise<void>
  /** Gives the room back. */
  free: () => void
  drop: () => void
  /** Of one that is no memory. */
  power?: Power
}

/** The power of a disk. */
export interface Power {
  /** From this moment nothing reaches the disk, and what was not synced to it is gone. */
  cut: () => void
  /** Mounts it anew. Whoever worked there has to have ended. */
  back: () => Promise<void>
}

const MB = 1024 ** 2

/** EXT4_IOC_SHUTDOWN, which Node.js cannot say: with flag 2 the file system ends without writing even its own journal. */
const CUT =
  'open(my $disk, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($disk, 0x8004587d, $how) or die $!'

/**
 * Mounts a disk in memory, as root or by a sudo that asks nothing.
 * @returns in words why not, where this machine does not allow it
 */
export function mountSmallDisk(bytes: number): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), 'maru-disk-'))
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=755,uid=${process.getuid?.()}`, 'tmpfs', folder)
  } catch (error) {
    rmdirSync(folder)
    return noDisk(error)
  }
  chmodSync(folder, 0o755)
  return {
    folder,
    ...roomOf(folder),
    drop() {
      if (!existsSync(folder)) return
      run('umount', '-l', folder)
      rmdirSync(folder)
    },
  }
}

/**
 * Mounts a disk with a file system of its own (ext4, in a file behind a loop device), whose power can be cut; as root or by a sudo
 * that asks nothing.
 * @returns in words why not, where this machine does not allow it
 */
export function mountPowerDisk(bytes: number): SmallDisk | string {
  const place = mkdtempSync(join(tmpdir(), 'maru-power-'))
  const image = join(place, 'disk.img')
  const folder = join(place, 'disk')
  let device = ''
  const drop = () => {
    if (!existsSync(place)) return
    tryTo(() => run('umount', '-l', folder))
    if (device !== '') tryTo(() => run('losetup', '-d', device))
    rmSync(place, { recursive: true, force: true })
  }
  try {
    chmodSync(place, 0o755)
    mkdirSync(folder)
    writeFileSync(image, '')
    truncateSync(image, bytes)
    run('mkfs.ext4', '-q', '-F', '-m', '0', image)
    device = run('losetup', '-f', '--show', image).trim()
    run('mount', device, folder)
    run('chown', String(process.getuid?.()), folder)
    run('perl', '-e', '1')
  } catch (error) {
    drop()
    return noDisk(error)
  }
  return {
    folder,
    ...roomOf(folder),
    drop,
    power: {
      cut: () => void run('perl', '-e', CUT, folder),
      async back() {
        for (let tries = 1; ; tries++) {
          try {
            run('umount', folder)
            break
          } catch (error) {
            // Processes that were killed may still be ending.
            if (tries === 100) throw error
            await sleep(100)
          }
        }
        run('mount', device, folder)
      },
    },
  }
}

function noDisk(error: unknown): string {
  return `no disk can be mounted here (${String(error).split('\n')[0]}): run it as root, or where sudo asks no password`
}

function run(...words: string[]): string {
  const [program = '', ...rest] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...words]
  return execFileSync(program, rest, { stdio: 'pipe', encoding: 'utf8' })
}

function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // It was not there.
  }
}

/** Takes the room of a disk, and gives it back. */
function roomOf(folder: string): Pick<SmallDisk, 'fill' | 'free'> {
  const ballast = join(folder, 'ballast')
  const left = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
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
  }
}

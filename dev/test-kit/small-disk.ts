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

/** A separate disk that a test can fill. */
export interface SmallDisk {
  folder: string
  /** Fills the disk with a file, except for this many bytes (0 by default). Does nothing if less is free. */
  fill: (leaving?: number) => Promise<void>
  /** Deletes the file of `fill`, if there is one. */
  free: () => void
  /** Unmounts the disk. May be repeated. */
  drop: () => void
  /** Undefined if the disk is in memory. */
  power?: Power
}

/** Simulated power supply of a disk. */
export interface Power {
  /**
   * Cuts the power: data that was not synced is lost, and no later write reaches the disk. Throws if the disk is not
   * mounted.
   */
  cut: () => void
  /**
   * Mounts the disk again. Every process that used it must have ended: throws if it is still in use after 10 seconds.
   */
  back: () => Promise<void>
}

/** Bytes of a megabyte. */
const MB = 1024 ** 2

/** Perl program for EXT4_IOC_SHUTDOWN, which Node.js cannot call. Flag 2 shuts the file system down without writing its journal. */
const CUT =
  'open(my $disk, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($disk, 0x8004587d, $how) or die $!'

/**
 * Mounts a disk of this many bytes in memory. Requires root, or sudo without a password.
 * @returns the reason as text if this machine cannot mount it
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
 * Mounts an ext4 disk of this many bytes, in a file behind a loop device, whose power can be cut. Requires root, or sudo without a
 * password.
 * @returns the reason as text if this machine cannot mount it
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

/** Returns the reason why this machine can mount no disk, with the first line of the error. */
function noDisk(error: unknown): string {
  return `no disk can be mounted here (${String(error).split('\n')[0]}): run it as root, or where sudo asks no password`
}

/**
 * Runs a program as root, and returns its output.
 * @throws {Error} if it fails
 */
function run(...words: string[]): string {
  const [program = '', ...rest] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...words]
  return execFileSync(program, rest, { stdio: 'pipe', encoding: 'utf8' })
}

/** Runs work, and ignores an error. */
function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // It was not there.
  }
}

/** Creates the functions that fill a disk and free its space. */
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

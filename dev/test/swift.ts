import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { installPackages } from './packages.ts'

/** Region of the bucket. Not the default one, so that a region that is not passed on is noticed. */
const REGION = 'kr-test'
/** Account of Swift, its user and the user's key. The slash and the at sign need encoding in a URL. */
const [ACCOUNT, USER, SECRET] = ['test', 'maru', 'se/cr@t']
/** Milliseconds in which Swift must print its port. */
const START_MS = 60_000

/**
 * Finds a Python that has OpenStack Swift. Installs Swift in CI and as root if it is missing; it is a library and starts no
 * service.
 * @returns the command of Python, or the reason why there is none
 */
export function ensureSwift(): { python: string } | { problem: string } {
  const found = findPython()
  if (found !== undefined) return { python: found }
  const mayInstall = process.env['CI'] !== undefined || process.getuid?.() === 0
  const failure = mayInstall
    ? installPackages({ 'apt-get': ['python3-swift'] })
    : 'only root and CI have it installed for them'
  const python = findPython()
  if (python !== undefined) return { python }
  return {
    problem: `no OpenStack Swift (${failure ?? 'installed, but still not found'}). On Debian: apt-get install python3-swift; or name a bucket: STORAGE_URL`,
  }
}

/**
 * Runs `work` with the STORAGE_URL of an empty bucket of a new Swift in the temp directory, and returns its result. Stops Swift
 * and deletes its files afterwards.
 * @throws {Error} if Swift does not start; its output is printed
 */
export async function withSwift<T>(python: string, work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'maru-swift-'))
  const logFile = join(folder, 'log')
  const log = openSync(logFile, 'a')
  const swift = spawn(
    python,
    [join(import.meta.dirname, 'swift-node.py'), folder, ACCOUNT, USER, SECRET, REGION],
    { stdio: ['pipe', 'pipe', log] },
  )
  closeSync(log)
  const ended = new Promise<void>((resolve) => swift.on('close', () => resolve()))
  try {
    const endpoint = `http://127.0.0.1:${await portOf(swift)}`
    const client = new S3Client({
      endpoint,
      region: REGION,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      credentials: { accessKeyId: `${ACCOUNT}:${USER}`, secretAccessKey: SECRET },
    })
    await client.send(new CreateBucketCommand({ Bucket: 'maru' }))
    client.destroy()
    const credentials = [`${ACCOUNT}:${USER}`, SECRET].map(encodeURIComponent).join(':')
    return await work(
      `s3://${credentials}@swift/maru/tests?region=${REGION}&endpoint=${encodeURIComponent(endpoint)}`,
    )
  } catch (error) {
    process.stdout.write(`${readFileSync(logFile, 'utf8').split('\n').slice(-40).join('\n')}\n`)
    throw error
  } finally {
    swift.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the port that Swift prints when it is ready.
 * @throws {Error} if it does not start within START_MS
 */
async function portOf(swift: ChildProcess): Promise<number> {
  const timer = setTimeout(() => swift.kill('SIGKILL'), START_MS)
  try {
    for await (const line of createInterface(swift.stdout as Readable)) return Number(line)
    throw new Error('Swift did not start; its own words are above')
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the command of a Python that has Swift; undefined if there is none. Tries the system's own first: another Python in
 * PATH does not see the system's packages.
 */
function findPython(): string | undefined {
  return ['/usr/bin/python3', 'python3'].find(
    (file) => spawnSync(file, ['-c', 'import swift.common.wsgi'], { stdio: 'ignore' }).status === 0,
  )
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Input of `release`. */
export interface ReleaseOptions {
  /** Folder of the checkout. */
  root: string
  /** Day of the release, such as 2026-11-26. */
  date: string
  /** Next version; default: the next MINOR version. */
  next?: string | undefined
  /** Creates the bundles of the tagged commit. */
  bundle: () => void
}

/** End of the changelog's heading of a version that is not released. */
const OPEN = ', not released'

/**
 * Releases the version of package.json: dates its section in the changelog, commits and tags it, creates the bundles, and begins
 * the next version with a second commit. Pushes nothing.
 * @returns the released version
 * @throws {Error} if a file was changed, the changelog has no open section of this version, or the backup for the upgrade tests
 * is missing
 */
export function release({ root, date, next, bundle }: ReleaseOptions): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const read = (name: string) => readFileSync(join(root, name), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const following = next ?? nextMinor(version)
  const changelog = read('CHANGELOG.md')
  const heading = `## ${version}${OPEN}\n`
  if (git('status', '--porcelain') !== '') throw new Error('Files were changed. Commit them first.')
  if (!changelog.includes(heading))
    throw new Error(`CHANGELOG.md has no section “${version}${OPEN}”. It was released already.`)
  if (!existsSync(join(root, 'server/operator/releases', version)))
    throw new Error(
      `server/operator/releases/${version} is missing, which later versions upgrade in a test. Create it as CONTRIBUTING.md describes.`,
    )

  writeFileSync(join(root, 'CHANGELOG.md'), changelog.replace(heading, `## ${version}, ${date}\n`))
  git('commit', '-qam', `Release ${version}`)
  git('tag', '-a', `v${version}`, '-m', `Maru ${version}`)
  bundle()

  const opened = `## ${following}${OPEN}\n\n## ${version}, ${date}\n`
  writeFileSync(join(root, 'CHANGELOG.md'), read('CHANGELOG.md').replace(`## ${version}, ${date}\n`, opened))
  execFileSync('npm', ['version', following, '--no-git-tag-version'], { cwd: root, stdio: 'ignore' })
  git('commit', '-qam', `Begin version ${following}`)
  return version
}

/** Returns the minor version after a version, with patch 0. */
function nextMinor(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return `${major}.${minor + 1}.0`
}

import { lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefusal } from '../../startup-error.ts'

/** User and group to run PostgreSQL as. */
export interface Identity {
  uid: number
  gid: number
}

/**
 * Identity that Maru chooses for root. No system account has this number, because systemd's table of user IDs reserves its range.
 * So no other service can read the data.
 */
const OWN: Identity = { uid: 60906, gid: 60906 }

/**
 * Returns the identity that PostgreSQL runs as; undefined for that of this process. PostgreSQL refuses to run as root. For root,
 * Maru therefore uses the owner of the existing cluster, or a numeric ID that it chooses.
 * @param clusterDir folder of the cluster, which need not exist
 * @throws {StartRefusal} for root on another system than Linux
 */
export function chooseIdentity(clusterDir: string): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux')
    throw new StartRefusal(
      'PostgreSQL cannot run as root here. Start Maru as an ordinary user, or set DATABASE_URL.',
    )
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : OWN
}

/**
 * Returns the identity that initdb runs as; undefined for that of this process. initdb requires a user with a name, so
 * root runs it as `nobody` and gives the files to `identity` afterwards.
 * @throws {StartRefusal} if the system has no user `nobody`
 */
export function initdbIdentity(identity: Identity | undefined): Identity | undefined {
  if (!identity) return undefined
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  if (!nobody)
    throw new StartRefusal(
      'This system has no user "nobody" for PostgreSQL. Start Maru as an ordinary user, or set DATABASE_URL.',
    )
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) }
}

/** Gives a directory and all its contents to a user, without following links. */
export function giveTree(dir: string, { uid, gid }: Identity): void {
  for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(dir, entry), uid, gid)
  lchownSync(dir, uid, gid)
}

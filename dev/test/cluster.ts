import { globSync } from 'node:fs'
import { findProgram } from '../test-kit/cluster/programs.ts'
import { installPackages } from './packages.ts'
import { findSystemPostgres } from './system-postgres.ts'

/** Names of Debian's packages by the name of their program. */
const PACKAGES = {
  pgbouncer: 'pgbouncer',
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  nginx: 'nginx',
  promtool: 'prometheus',
  kubectl: 'kubernetes-client',
  'ssh-keygen': 'openssh-client',
}

/**
 * Finds PgBouncer, Patroni, etcd, HAProxy, nginx, Prometheus, rsyslog and a PostgreSQL of the system, which the tests start by
 * themselves. Installs missing ones in CI and as root.
 * @returns the folder of PostgreSQL, or the reason why a program is missing
 */
export function ensureCluster(): { home: string } | { problem: string } {
  const mayInstall = process.env['CI'] !== undefined || process.getuid?.() === 0
  const wanted = [...missing(), ...(findSystemPostgres() === undefined ? ['postgresql'] : [])]
  const failure =
    wanted.length === 0
      ? undefined
      : mayInstall
        ? installPackages({ 'apt-get': wanted })
        : 'only root and CI have them installed for them'
  const system = findSystemPostgres()
  if (missing().length === 0 && system) return { home: system.home }
  return {
    problem: `not all of PgBouncer, Patroni, etcd, HAProxy, nginx, Prometheus, rsyslog and PostgreSQL are here (${failure ?? 'installed, but still not found'}). On Debian: apt-get install ${wanted.join(' ')}`,
  }
}

/** Returns the packages whose programs are missing. */
function missing(): string[] {
  const packages = Object.entries(PACKAGES).flatMap(([program, name]) =>
    findProgram(program) === undefined ? [name] : [],
  )
  // A part of rsyslog that no program shows; it brings rsyslog along.
  const hasTls = globSync('/usr/lib/*/rsyslog/lmnsd_gtls.so').length > 0
  return [...packages, ...(hasTls ? [] : ['rsyslog-gnutls'])]
}

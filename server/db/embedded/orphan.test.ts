import { expect, test } from 'vitest'
import { startsDatabaseOn } from './orphan.ts'

const DIR = '/Users/kim/my maru/data/postgres'

test.each([
  [`/Users/kim/my maru/node_modules/pg/bin/postgres -D ${DIR} -c listen_addresses=`, true],
  [`"C:\\maru\\bin\\postgres.exe" -D "${DIR}" -c port=5432\r\n`, true],
  [`/usr/local/bin/postgres -D ${DIR}\n`, true],
  // Somebody else's PostgreSQL that was given the number since, and a directory that only begins alike.
  ['/opt/homebrew/opt/postgresql@17/bin/postgres -D /opt/homebrew/var/postgresql@17', false],
  [`/usr/local/bin/postgres -D ${DIR}-of-another`, false],
  [`vim ${DIR}/postgresql.conf`, false],
  [`less -D ${DIR}`, false],
  ['postgres: maru maru [local] idle', false],
  ['', false],
])('recognizes %j as the database of the data directory: %s', (commandLine, expected) => {
  expect(startsDatabaseOn(commandLine, DIR)).toBe(expected)
})

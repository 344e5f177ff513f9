import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type EmbeddedDatabase, startEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' PostgreSQL is; each test file clones TEMPLATE_DATABASE there. */
    server: pg.ClientConfig
  }
}

/** The migrated and seeded database that every test file gets a copy of. */
export const TEMPLATE_DATABASE = 'maru_test_template'

/**
 * Starts one PostgreSQL for the whole run (or uses DATABASE_URL) and prepares the template database.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['DATABASE_URL']
  const dataDir = mkdtempSync(join(tmpdir(), 'maru-test-'))
  let embedded: EmbeddedDatabase | undefined
  let server: pg.ClientConfig
  if (url === undefined || project.name !== 'external') {
    // A crash loses nothing that a test run wants to keep.
    embedded = await startEmbedded({
      dataDir,
      log: () => {},
      settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '200' },
    })
    server = { ...embedded.connection }
  } else {
    server = { connectionString: url }
  }
  await prepareTemplate(server)
  project.provide('server', server)
  return async () => {
    await embedded?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function prepareTemplate(server: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE_DATABASE}`)
  await client.query(
    `create database ${TEMPLATE_DATABASE} encoding 'UTF8' template template0 lc_collate 'C' lc_ctype 'C.UTF-8'`,
  )
  await client.end()
  const database = await openDatabase(onDatabase(server, TEMPLATE_DATABASE), () => {})
  await migrate(database.db)
  await database.close()
}

/** The same server, another database. */
export function onDatabase(server: pg.ClientConfig, name: string): pg.ClientConfig {
  if (server.connectionString === undefined) return { ...server, database: name }
  const url = new URL(server.connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

/** What DATABASE_URL says for a program on this server. */
export function urlOf({ connectionString, host, port, user, password, database }: pg.ClientConfig): string {
  if (connectionString !== undefined) return connectionString
  const url = new URL(`postgresql://${user}@localhost:${port}/${database}`)
  if (typeof password === 'string') url.password = password
  // A folder that holds a socket is no name of a host.
  if (host?.startsWith('/')) url.searchParams.set('host', host)
  return url.href
}

/** Runs one statement on the server itself, as `create database` has to be. */
export async function onServer(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

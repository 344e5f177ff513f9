import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPgBouncer } from './cluster/pgbouncer.ts'
import { createTemplate, startTestServer } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' PostgreSQL is; each test file clones TEMPLATE_DATABASE there. */
    server: pg.ClientConfig
    /** How Maru reaches it: the same, or through PgBouncer in the project `pooler`. */
    reached: pg.ClientConfig
  }
}

/** The migrated and seeded database that every test file gets a copy of. */
export const TEMPLATE_DATABASE = 'maru_test_template'

/** Starts one PostgreSQL for the whole run (or uses DATABASE_URL) and prepares the template database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['DATABASE_URL']
  const dataDir = mkdtempSync(join(tmpdir(), 'maru-test-'))
  const isGiven = url !== undefined && project.name === 'external'
  const embedded = isGiven ? undefined : await startTestServer(dataDir)
  const server: pg.ClientConfig = embedded ? { ...embedded.connection } : { connectionString: url }
  await createTemplate(server, TEMPLATE_DATABASE)
  const bouncer = project.name === 'pooler' ? await startPgBouncer(server, 10) : undefined
  project.provide('server', server)
  project.provide('reached', { ...server, ...bouncer?.connection })
  return async () => {
    await bouncer?.stop()
    await embedded?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

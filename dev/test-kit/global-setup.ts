import { rmSync } from 'node:fs'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPgBouncer } from './cluster/pgbouncer.ts'
import { createTemplate, makeScratchFolder, servingRoleOf, startTestServer } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' PostgreSQL is, as the owner of what is there; each test file clones TEMPLATE_DATABASE. */
    server: pg.ClientConfig
    /** The same as the role that serves. */
    serving: pg.ClientConfig
    /** How Maru reaches it: so, or through PgBouncer in the project `pooler`. */
    reached: pg.ClientConfig
  }
}

/** The migrated and seeded database that every test file gets a copy of. */
export const TEMPLATE_DATABASE = 'maru_test_template'

/** Starts one PostgreSQL for the whole run (or uses DATABASE_URL) and prepares the template database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['DATABASE_URL']
  const dataDir = makeScratchFolder('maru-test-')
  const isGiven = url !== undefined && project.name === 'external'
  const embedded = isGiven ? undefined : await startTestServer(dataDir)
  const server: pg.ClientConfig = embedded ? { ...embedded.owner } : { connectionString: url }
  const serving = embedded ? { ...embedded.connection } : await servingRoleOf(server)
  await createTemplate(server, serving, TEMPLATE_DATABASE)
  const bouncer = project.name === 'pooler' ? await startPgBouncer(serving, 10) : undefined
  project.provide('server', server)
  project.provide('serving', serving)
  project.provide('reached', { ...serving, ...bouncer?.connection })
  return async () => {
    await bouncer?.stop()
    await embedded?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

import { chmodSync, rmSync } from 'node:fs'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPgBouncer } from './cluster/pgbouncer.ts'
import { createTemplate, makeScratchFolder, servingRoleOf, startTestServer } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection of the owner role to the PostgreSQL of the tests. Each test file clones TEMPLATE_DATABASE there. */
    server: pg.ClientConfig
    /** Connection of the application role to the same server. */
    serving: pg.ClientConfig
    /** Connection that Maru uses: `serving`, through PgBouncer in the project `pooler`. */
    reached: pg.ClientConfig
  }
}

/** Name of the migrated and seeded database that every test file gets a copy of. */
export const TEMPLATE_DATABASE = 'maru_test_template'

/**
 * Prepares PostgreSQL for a run of a vitest project: starts one server, or uses that of DATABASE_URL in the
 * project `external`. Creates the template database there, and starts PgBouncer in the project `pooler`. Provides
 * the connections to the test files (`ProvidedContext`).
 * @returns a function that stops what was started and deletes its data; a server of DATABASE_URL keeps the
 * template database
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['DATABASE_URL']
  const dataDir = makeScratchFolder('maru-test-')
  // PgBouncer runs as the user of PostgreSQL, and finds the socket below this folder.
  chmodSync(dataDir, 0o711)
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

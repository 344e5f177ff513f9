import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files that run for long and mostly wait for processes. At the end they would leave the other workers idle. */
const LONG = /\/(crash-recovery|fault-injection|power-loss|restore-to-time|upgrade-embedded)\.test\.ts$/

/** Runs the long files first. Without times of an earlier run, Vitest begins with the largest files. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's, which gives a new one
    const sorted = await super.sort(files)
    return [
      ...sorted.filter(({ moduleId }) => LONG.test(moduleId)),
      ...sorted.filter(({ moduleId }) => !LONG.test(moduleId)),
    ]
  }
}

const shared = {
  // Loading the same modules again for every file took a third of the time. Each file has its own database and restores
  // what it changes in the process.
  isolate: false,
  globalSetup: ['dev/test-kit/global-setup.ts'],
  // Generous, because the machine may be busy.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 90_000 } },
}

export default defineConfig({
  test: {
    // By default Vitest leaves one core idle, which is half of a machine of two. Tests often wait for the database: two
    // workers kept two cores busy for three fifths of the time.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongFirst },
    projects: [
      // Everything but the browser, on the embedded PostgreSQL.
      {
        test: {
          ...shared,
          name: 'server',
          include: ['{bin,contract,dev,docs,server,web}/**/*.test.ts'],
          exclude: ['**/*.{bucket,cluster}.test.ts'],
        },
      },
      // Tests whose result may depend on the PostgreSQL version, on the operator's own PostgreSQL (DATABASE_URL): every list
      // and every write once, the queries of each domain, locks, counts, migrations, roles, JIT and backups. Permissions,
      // second factors and files do not depend on it.
      {
        test: {
          ...shared,
          name: 'external',
          include: [
            'server/domains/{lists,writes}.test.ts',
            'server/domains/**/{affiliations,approvals,audit,home,notifications,partners,settings,users}.test.ts',
            'server/domains/audit/{access-log,inspections,leaks,reviews}/*.test.ts',
            'server/domains/keys/{calendar,export,history,issue,processes,verify}.test.ts',
            'server/domains/notices/{board,counts,concurrent-uploads,search}.test.ts',
            'server/domains/notifications/immediate-mail.test.ts',
            'server/domains/partners/{filters,list}.test.ts',
            'server/domains/settings/{retention,system}.test.ts',
            'server/domains/users/daily.test.ts',
            'server/domains/users/search/{counts,export,list,search-box,sort}.test.ts',
            'server/db/{migrate,open,serving-role}.test.ts',
            'server/operator/backup.test.ts',
          ],
        },
      },
      // Maru with nginx, HAProxy, PgBouncer, Patroni and rsyslog.
      { test: { ...shared, name: 'cluster', include: ['**/*.cluster.test.ts'] } },
      // Tests of database sessions, transactions and locks, through PgBouncer in transaction mode.
      {
        test: {
          ...shared,
          name: 'pooler',
          include: [
            'server/domains/users/{daily,search/export}.test.ts',
            'server/domains/keys/{issue,processes,export}.test.ts',
            'server/domains/notices/concurrent-uploads.test.ts',
          ],
        },
      },
      // Tests of files in an S3 bucket (STORAGE_URL).
      {
        test: {
          ...shared,
          name: 's3',
          include: [
            'server/services/storage/storage.test.ts',
            'server/domains/notices/{upload,concurrent-uploads}.test.ts',
            '**/*.bucket.test.ts',
          ],
        },
      },
    ],
  },
})

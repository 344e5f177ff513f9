import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Short files that take long, and mostly wait for processes that they end: as the last ones nothing would run beside them. */
const LONG = /\/(kill|faults|power-cut|restore-until|upgrade-own)\.test\.ts$/

/** Without times of an earlier run Vitest begins with the largest files. */
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
  // A third of the time went into loading the same modules for every file again. What files keep apart is the
  // database; what one changes of its process, it puts back.
  isolate: false,
  globalSetup: ['dev/test-kit/global-setup.ts'],
  // A machine that others load too is slow, not wrong: a test that waits for what it needs may wait long.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 90_000 } },
}

export default defineConfig({
  test: {
    // Vitest leaves one core idle, which is half of a machine of two. Much of what runs waits for a database: two
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
      // What an older PostgreSQL of the operator's may decide otherwise, DATABASE_URL: every list and every write once,
      // with what each noun asks beside them, what locks and counts keep apart, migrations, roles, JIT, backups. Who may
      // do what, second factors and bytes are the same there.
      {
        test: {
          ...shared,
          name: 'external',
          include: [
            'server/domains/{lists,writes}.test.ts',
            'server/domains/**/{affiliations,approvals,audit,home,notifications,partners,settings,users}.test.ts',
            'server/domains/audit/{access,inspections,reviews}/*.test.ts',
            'server/domains/keys/{calendar,export,history,issue,processes,verify}.test.ts',
            'server/domains/notices/{board,counts,files-at-once,search,upload}.test.ts',
            'server/domains/notifications/mails.test.ts',
            'server/domains/partners/{filters,list}.test.ts',
            'server/domains/settings/{retention,system}.test.ts',
            'server/domains/users/daily.test.ts',
            'server/domains/users/search/{counts,export,list,one-box,sort}.test.ts',
            'server/db/{migrate,open,serving-role}.test.ts',
            'server/operator/backup.test.ts',
          ],
        },
      },
      // What Maru does with other programs in front and behind: nginx, HAProxy, PgBouncer, Patroni.
      { test: { ...shared, name: 'cluster', include: ['**/*.cluster.test.ts'] } },
      // What depends on sessions, transactions and locks of the database, through PgBouncer in transaction mode.
      {
        test: {
          ...shared,
          name: 'pooler',
          include: [
            'server/domains/users/{daily,search/export}.test.ts',
            'server/domains/keys/{issue,processes,export}.test.ts',
            'server/domains/notices/files-at-once.test.ts',
          ],
        },
      },
      // What files do in a bucket of a real S3: STORAGE_URL.
      {
        test: {
          ...shared,
          name: 's3',
          include: [
            'server/services/storage/storage.test.ts',
            'server/domains/notices/{upload,files-at-once}.test.ts',
            '**/*.bucket.test.ts',
          ],
        },
      },
    ],
  },
})

import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const shared = {
  globalSetup: ['server/test-kit/database.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
  // A second chance on a machine that others load too, as the browser tests have; what needed it is printed.
  retry: process.env['CI'] ? 1 : 0,
}

export default defineConfig({
  test: {
    // Vitest leaves one core idle, which is half of a machine of two. Much of what runs waits for a database.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // Everything but the browser, on the embedded PostgreSQL.
      {
        test: {
          ...shared,
          name: 'server',
          include: ['{contract,docs,server,web}/**/*.test.ts'],
          exclude: ['**/*.bucket.test.ts'],
        },
      },
      // What the database decides, on a PostgreSQL of the operator's: DATABASE_URL.
      {
        test: {
          ...shared,
          name: 'external',
          include: ['server/domains/**/*.test.ts', 'server/db/{migrate,open}.test.ts'],
          exclude: ['**/*.bucket.test.ts'],
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

import { defineConfig } from 'vitest/config'

const shared = {
  globalSetup: ['server/test-kit/database.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    projects: [
      // Everything but the browser, on the embedded PostgreSQL.
      {
        test: {
          ...shared,
          name: 'server',
          include: ['{contract,server,web}/**/*.test.ts'],
          exclude: ['**/*.bucket.test.ts'],
        },
      },
      // What the database decides, on a PostgreSQL of the operator's: DATABASE_URL.
      {
        test: {
          ...shared,
          name: 'external',
          include: ['server/domains/**/*.test.ts', 'server/db/migrate.test.ts'],
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
            'server/domains/notices/upload.test.ts',
            '**/*.bucket.test.ts',
          ],
        },
      },
    ],
  },
})

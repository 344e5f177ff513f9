import { defineConfig } from '@playwright/test'
import { findChromium } from './dev/test/chromium.ts'

const chromium = findChromium()

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'browser', testMatch: '*.spec.ts' },
    // npm run screens
    { name: 'screens', testMatch: 'screens.ts' },
  ],
  globalSetup: './e2e/fixtures/global-setup.ts',
  outputDir: 'test-results',
  // Each worker has a Maru of its own on a database of its own. A test waits now and then, for a debounce or a server that
  // starts: two workers left an eighth of two cores idle.
  fullyParallel: false,
  workers: 3,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  // A machine that others load too is slow, not wrong.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // No assertion or screenshot meets a half finished fade.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        // Root, as in a container, has no sandbox to give.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        // There is none; without it nothing is drawn twice.
        '--disable-gpu',
        // Without a network these calls home only cost time.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

// `npm run screens`: screenshots of every screen below docs/screens, taken by Playwright on the demo data.
const cli = createRequire(import.meta.url).resolve('@playwright/test/cli')
spawn(process.execPath, [cli, 'test', '--project=screens'], { stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1
})

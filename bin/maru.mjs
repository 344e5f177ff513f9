#!/usr/bin/env node
// The launcher behind `npm start`, `npm run demo` and `npm test`: brings the checkout up to date (packages,
// pages), then runs the verb on the Node.js that the project pins. It imports nothing but Node's own modules,
// so that any Node.js from 20.19 on can begin with nothing installed.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `Maru needs Node.js 20.19 or newer to begin with, and this is ${process.versions.node}: install a newer one from https://nodejs.org.`,
  )
}

/**
 * Every verb: the file it runs, whether the pages must be built before, whether it serves until it is stopped, and
 * whether it needs the packages that only test and measure.
 */
const VERBS = {
  start: { file: 'server/main.ts', pages: true, serves: true },
  demo: { file: 'server/cli/demo.ts', pages: true, serves: true },
  test: { file: 'dev/test/main.ts', pages: false, tests: true },
  backup: { file: 'server/cli/backup.ts', pages: false },
  restore: { file: 'server/cli/restore.ts', pages: false },
  check: { file: 'server/cli/check.ts', pages: false },
  // It needs the terminal's signals.
  psql: { file: 'server/cli/psql.ts', pages: false, serves: true },
  admin: { file: 'server/cli/admin.ts', pages: false },
  move: { file: 'server/cli/move.ts', pages: false },
  regions: { file: 'server/cli/regions.ts', pages: false },
  permissions: { file: 'server/cli/permissions.ts', pages: false },
  rules: { file: 'server/cli/rules.ts', pages: false },
  bundle: { file: 'dev/bundle/main.ts', pages: true },
  release: { file: 'dev/release/main.ts', pages: false },
  build: { pages: true },
  dev: { file: 'node_modules/vite/bin/vite.js', pages: false },
  bench: { file: 'dev/bench/main.ts', pages: true, tests: true },
  screens: { file: 'server/cli/screens.ts', pages: true, tests: true },
}

const { IS_BUNDLE } = await import('./root.mjs')
/** Verbs that a bundle knows. */
const BUNDLED = ['start', 'backup', 'restore', 'check', 'admin', 'psql', 'move']
const known = IS_BUNDLE ? BUNDLED : Object.keys(VERBS)
const [verb = '', ...args] = process.argv.slice(2)
if (!known.includes(verb)) {
  fail(`Unknown command "${verb}". Maru knows: ${known.join(', ')}.`)
}

const { install } = await import('./install.mjs')
const { buildPages } = await import('./pages.mjs')
const { become, pinnedNode, run } = await import('./run.mjs')
try {
  const { file, pages, serves, tests } = VERBS[verb]
  if (!IS_BUNDLE) await install(tests ? 'all' : 'serving')
  const node = pinnedNode()
  if (pages && !IS_BUNDLE) await buildPages(node)
  if (file) await (serves ? become : run)(node, file, args)
} catch (error) {
  // Expected failures carry their one line; anything else is a defect and shows where.
  fail(error.expected ? error.message : (error.stack ?? error))
}

/** Prints a line to standard error and exits with 1. */
function fail(line) {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

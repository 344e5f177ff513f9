/** Runs the measurements that are named, or all of them: `npm run bench`, `npm run bench -- account-timing`. */
const BENCHES: Readonly<Record<string, () => Promise<unknown>>> = {
  lists: () => import('./lists.ts'),
  page: () => import('./page.ts'),
  files: () => import('./files.ts'),
  'files-kill': () => import('./files-kill.ts'),
  faults: () => import('./faults.ts'),
  'account-timing': () => import('./account-timing.ts'),
  'issue-keys': () => import('./issue-keys.ts'),
  'export-lists': () => import('./export-lists.ts'),
  'import-users': () => import('./import-users.ts'),
  start: () => import('./start.ts'),
  login: () => import('./login.ts'),
  soak: () => import('./soak.ts'),
  sockets: () => import('./sockets.ts'),
  streams: () => import('./streams.ts'),
  inputs: () => import('./inputs.ts'),
  passwords: () => import('./passwords.ts'),
  crowd: () => import('./crowd.ts'),
  backup: () => import('./backup.ts'),
  'access-inspection': () => import('./access-inspection.ts'),
  'access-log': () => import('./access-log.ts'),
  'access-search': () => import('./access-search.ts'),
}

// One person of a measurement works as hard as a thousand.
process.env['CALL_LIMIT_PERCENT'] ??= '0'

// Options are of the measurement that is named.
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = named.find((name) => !Object.hasOwn(BENCHES, name))
if (unknown !== undefined) {
  process.stderr.write(
    `No measurement is called "${unknown}". There are: ${Object.keys(BENCHES).join(', ')}.\n`,
  )
  process.exit(1)
}
for (const [name, measure] of Object.entries(BENCHES)) {
  if (named.length > 0 && !named.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  await measure()
}

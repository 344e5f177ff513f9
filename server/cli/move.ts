import { openStorage } from '../create-services.ts'
import { openForOperator, refuseServers } from '../operator/open.ts'
import { move } from '../operator/move.ts'
import { StartRefusal } from '../startup-error.ts'
import { say } from './environment.ts'
import { moveTarget, OWN } from './move-target.ts'
import { runOperatorCommand } from './operator.ts'

// `npm run move`: copies the database into another, empty one, while no Maru runs. The configuration is for the operator to change.
await runOperatorCommand(
  'npm run move with MOVE_TO_URL=postgres://user:password@host:5432/name in the environment or in .env, npm run move -- - with that URL on standard input, or npm run move -- own',
  async ({ config, words }) => {
    const to = await moveTarget(words, process.env, process.stdin)
    if (to === undefined) return undefined
    const target = { dataDir: config.dataDir, databaseUrl: to === OWN ? '' : to, databaseOwnerUrl: '' }
    if ([config.databaseUrl, config.databaseOwnerUrl || config.databaseUrl].includes(target.databaseUrl))
      throw new StartRefusal('The database is already there. Name another target.')
    const begin = performance.now()
    await using source = await openForOperator(config, say)
    // Before the target is opened: that may create the embedded database.
    await refuseServers(source)
    await using goal = await openForOperator(target, say, 'The target')
    const rows = await move(source, goal, await openStorage(config))
    say(
      `${rows} rows were copied in ${((performance.now() - begin) / 1000).toFixed(1)} s; the database they come from is as it was.`,
    )
    say(
      to === OWN
        ? 'Take DATABASE_URL out of .env and start Maru.'
        : 'Set DATABASE_OWNER_URL to it in .env, DATABASE_URL to the user who serves (or to it, too), and start Maru.',
    )
    return true
  },
)

import { createAdmin, resetByOperator } from '../domains/account/index.ts'
import { annotateAccess } from '../domains/audit/index.ts'
import { clearAdminNetworks } from '../domains/settings/index.ts'
import { acceptLog } from '../operator/access-log.ts'
import { openForOperator } from '../operator/open.ts'
import { openKeySecret } from '../services/key-secret.ts'
import { createPasswords } from '../services/password.ts'
import { say } from './environment.ts'
import { runOperatorCommand } from './operator.ts'

// `npm run admin`: `reset` gives an account a temporary password and removes its second factors, `create` creates an administrator,
// `open-addresses` deletes the networks for administrators, `annotate-access` marks rows of the access log as recorded in error, and
// `accept-access-log` signs the access log as it is.
await runOperatorCommand(
  'npm run admin -- reset ID, npm run admin -- create ID E-MAIL, npm run admin -- open-addresses, npm run admin -- annotate-access histories|NUMBER REASON, or npm run admin -- accept-access-log REASON',
  async ({ config, words: [action, userId, email, ...more] }) => {
    const isReset = action === 'reset' && userId !== undefined && email === undefined
    const isCreate = action === 'create' && userId !== undefined && email !== undefined
    const isOpen = action === 'open-addresses' && userId === undefined
    const isAnnotation = action === 'annotate-access' && isAnnotatable(userId) && isReason(email)
    const isAcceptance = action === 'accept-access-log' && isReason(userId) && email === undefined
    if (!(isReset || isCreate || isOpen || isAnnotation || isAcceptance) || more.length > 0) return undefined
    await using database = await openForOperator(config, say)
    if (isAcceptance) {
      const problems = await acceptLog(config, database, userId)
      for (const problem of problems) say(problem)
      say(
        'The access log is signed as it is now. Former signatures are put aside in DATA_DIR/access-log/heads.',
      )
      return true
    }
    if (isAnnotation) {
      const count = await annotateAccess(database.db, userId, email)
      say(`${count} rows of the access log are marked as recorded in error.`)
      return true
    }
    if (isOpen) {
      const list = await clearAdminNetworks(database.db)
      say(
        list.length === 0
          ? 'There is no list of addresses: administrators may come in from anywhere.'
          : `Administrators may come in from anywhere again. The list was: ${list.join(', ')}`,
      )
      return true
    }
    const services = { passwords: createPasswords(), keySecret: openKeySecret(config) }
    const { password, refusal, hadFactors } = isReset
      ? await resetByOperator(database.db, services, userId)
      : {
          password: await createAdmin(database.db, services, { userId: userId ?? '', email: email ?? '' }),
          refusal: null,
          hadFactors: false,
        }
    say(
      `Sign in as ${userId} with the password ${password} within 24 hours; it is changed at the first login, and shown only now.`,
    )
    if (hadFactors)
      say('The second factors of the account were removed. The user can set them up again on /mypage.')
    if (refusal !== null) say(`WARNING: the account still cannot log in: ${refusal}`)
    return true
  },
)

/** Returns whether a word names rows of the access log: `histories`, or year, month and number of a row. */
function isAnnotatable(which: string | undefined): which is string {
  return which === 'histories' || /^20\d{2}(0[1-9]|1[0-2])-[1-9]\d{0,11}$/.test(which ?? '')
}

/** Returns whether a text can be the reason in an audit row. */
function isReason(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '' && text.length <= 500
}

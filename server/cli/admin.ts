import { createAdmin, resetByOperator } from '../domains/account/index.ts'
import { clearAdminNetworks } from '../domains/settings/index.ts'
import { openForOperator } from '../operator/open.ts'
import { createPasswords } from '../services/password.ts'
import { say } from './environment.ts'
import { asOperator } from './operator.ts'

await asOperator(
  'npm run admin -- reset ID, npm run admin -- create ID E-MAIL, or npm run admin -- open-addresses',
  async ({ config, words: [action, userId, email, ...more] }) => {
    const isReset = action === 'reset' && userId !== undefined && email === undefined
    const isCreate = action === 'create' && userId !== undefined && email !== undefined
    const isOpen = action === 'open-addresses' && userId === undefined
    if (!(isReset || isCreate || isOpen) || more.length > 0) return undefined
    const database = await openForOperator(config, say)
    try {
      if (isOpen) {
        const list = await clearAdminNetworks(database.db)
        say(
          list.length === 0
            ? 'There is no list of addresses: administrators may come in from anywhere.'
            : `Administrators may come in from anywhere again. The list was: ${list.join(', ')}`,
        )
        return true
      }
      const services = { passwords: createPasswords() }
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
      if (hadFactors) say('The second factors of the account were removed. They are set up anew on /mypage.')
      if (refusal !== null) say(`WARNING: the account may not log in all the same: ${refusal}`)
      return true
    } finally {
      await database.close()
    }
  },
)

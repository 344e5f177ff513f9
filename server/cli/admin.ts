import { createAdmin, resetByOperator } from '../domains/account/index.ts'
import { openForOperator } from '../operator/open.ts'
import { createPasswords } from '../services/password.ts'
import { say } from './environment.ts'
import { asOperator } from './operator.ts'

await asOperator(
  'npm run admin -- reset ID, or npm run admin -- create ID E-MAIL',
  async ({ config, words: [action, userId, email, ...more] }) => {
    const isReset = action === 'reset' && email === undefined
    const isCreate = action === 'create' && email !== undefined
    if (userId === undefined || !(isReset || isCreate) || more.length > 0) return undefined
    const database = await openForOperator(config, say)
    try {
      const services = { passwords: createPasswords() }
      const { password, refusal } = isReset
        ? await resetByOperator(database.db, services, userId)
        : {
            password: await createAdmin(database.db, services, { userId, email: email ?? '' }),
            refusal: null,
          }
      say(
        `Sign in as ${userId} with the password ${password} within 24 hours; it is changed at the first login, and shown only now.`,
      )
      if (refusal !== null) say(`WARNING: the account may not log in all the same: ${refusal}`)
      return true
    } finally {
      await database.close()
    }
  },
)

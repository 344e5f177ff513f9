import { refuse } from '../../../contract/errors.ts'
import { canAdminister, canGrant } from '../../../contract/permissions.ts'
import { type Handlers, notBuilt } from '../../http/handler.ts'
import { listUsers } from './list.ts'
import { findPartnersOfAffiliation, findRoles, findUser } from './queries.ts'
import { updateUser } from './update.ts'
import { withdrawUser } from './withdraw.ts'

type UserRecord = NonNullable<Awaited<ReturnType<typeof findUser>>>

const basicFields = ({ USER_ID, BELONGTO_CODE, RANK, NAME, PHONE_NUMBER, E_MAIL }: UserRecord) => ({
  USER_ID,
  BELONGTO_CODE,
  RANK,
  NAME,
  PHONE_NUMBER,
  E_MAIL,
})

/** User administration, and the own record (spec §2). */
export const users: Handlers<'users'> = {
  listUsers,

  async getUser({ db, actor, language }, { USER_ID }) {
    const isOwn = USER_ID === '' || USER_ID === actor.userId
    // Whoever may administer nobody learns nothing, not even which IDs exist.
    if (!isOwn && !actor.functions.includes('autho_user_manage')) refuse('FORBIDDEN')
    const user = await findUser(db, isOwn ? actor.userId : USER_ID, language)
    if (user === undefined) return refuse('USER_NOT_FOUND')
    if (isOwn) {
      // The admin card is never part of the own record (decisions §5).
      return { ...basicFields(user), MY_PAGE: 'Y' }
    }
    if (!canAdminister(actor, { userId: user.USER_ID, role: user.AUTHORITYS_CODE })) refuse('FORBIDDEN')
    return { ...user, MY_PAGE: 'N' }
  },

  updateUser,
  withdrawUser,
  registerUser: notBuilt,

  async listPartnersOfAffiliation({ db }, { BELONGTO_CODE }) {
    return findPartnersOfAffiliation(db, BELONGTO_CODE)
  },

  async listRoles({ db, actor, language }) {
    const roles = await findRoles(db, language)
    return roles.filter((role) => canGrant(actor, role.CODE))
  },
}

import type { findId as endpoint } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Handler } from '../../http/handler.ts'
import { checkCode, useUp } from './certification.ts'
import { findUserByEmail } from './queries.ts'

/** Returns the user ID to the holder of the code that was mailed to its email (rules/account#find-id). */
export const findId: Handler<typeof endpoint> = async ({ db, requester }, request) => {
  const certification = await checkCode(
    db,
    { type: request.certificationType, email: request.email, loginId: '' },
    request.certificationCode,
    requester,
  )
  return db.transaction().execute(async (tx) => {
    await useUp(tx, certification)
    const owner = await findUserByEmail(tx, request.email)
    // An account that was withdrawn since the code was sent is treated as one that never existed.
    if (owner === undefined) return refuse('CERTIFICATION_FAILED')
    return { userId: owner.login_id }
  })
}

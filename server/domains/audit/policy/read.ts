import { type getPolicy as endpoint, REQUIREMENTS } from '../../../../contract/audit.ts'
import type { Handler } from '../../../http/handler.ts'
import { MARU_VERSION, stateOfSystem } from '../../settings/index.ts'
import { findLawNotes } from './law-notes.ts'
import { FIND, lookUp } from './requirements.ts'

/** Returns the requirements of the policy, and whether each is met (rules/audit#policy). */
export const getPolicy: Handler<typeof endpoint> = async (call) => {
  const { db, services, now } = call
  const known = await lookUp(db, services, await stateOfSystem(call))
  return {
    portalName: services.settings.now().company,
    version: MARU_VERSION,
    madeAt: now().toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }),
    requirements: REQUIREMENTS.map((requirement) => {
      const [standing, ...values] = FIND[requirement](known)
      return { requirement, standing, values: values.map(String) }
    }),
    lawNotes: await findLawNotes(db),
  }
}

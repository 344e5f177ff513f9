import { type getPolicy as endpoint, REQUIREMENTS } from '../../../../contract/audit.ts'
import type { Handler } from '../../../http/handler.ts'
import { MARU_VERSION, stateOfSystem } from '../../settings/index.ts'
import { findLawNotes } from './law-notes.ts'
import { STATUS_OF, findPolicyFacts } from './requirements.ts'

/**
 * Returns the requirements of the policy: for each whether it is met, unmet or unknown, and the values that its text
 * shows; and the company's notes on the legal bases (rules/audit#policy).
 */
export const getPolicy: Handler<typeof endpoint> = async (call) => {
  const { db, services, now } = call
  const known = await findPolicyFacts(db, services, await stateOfSystem(call))
  return {
    portalName: services.settings.now().company,
    version: MARU_VERSION,
    madeAt: now().toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }),
    requirements: REQUIREMENTS.map((requirement) => {
      const [standing, ...values] = STATUS_OF[requirement](known)
      return { requirement, standing, values: values.map(String) }
    }),
    lawNotes: await findLawNotes(db),
  }
}

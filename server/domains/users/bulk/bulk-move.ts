import { sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import { catalogues } from '../../../../contract/messages/index.ts'
import type { Tx } from '../../../db/database.ts'
import { isExternal } from '../../../db/sql.ts'
import { requirePlaceable } from '../../common/index.ts'
import { holdPartners } from '../../partners/index.ts'
import { requireInBranch } from '../../roles/index.ts'
import type { ChangeOf } from './bulk.ts'
import type { ChosenPerson } from './bulk-people.ts'

/** Returns whether an affiliation belongs to another company. A 관리자 there does not count as a remaining one. */
async function isOutside(tx: Tx, affiliationCode: string): Promise<boolean> {
  const { is } = await tx.selectNoFrom(isExternal(sql`${affiliationCode}`).as('is')).executeTakeFirstOrThrow()
  return is
}

/**
 * Returns the bulk change that moves users to an affiliation within the actor's branch, with a partner of it
 * (rules/users#bulk-changes, rules/roles#branch-roles). Locks the partner. A user who changes the affiliation leaves
 * the main team. Skips users whom the actor may not move (OUT_OF_REACH), and those who have both already (ALREADY).
 * @throws {Refusal} FORBIDDEN for an affiliation outside the branch; CODE_NOT_FOUND; AFFILIATION_CLOSED;
 * PARTNER_NOT_FOUND; PARTNER_STOPPED
 */
export const move =
  (affiliationCode: string, partnerCode: string): ChangeOf =>
  async (tx, actor) => {
    requireInBranch(actor, affiliationCode)
    await requirePlaceable(tx, affiliationCode)
    const held = await holdPartners(tx, [{ affiliationCode, partnerCode }])
    const partnerId = held.get(affiliationCode) ?? refuse('PARTNER_NOT_FOUND')
    // Another affiliation ends the main team (rules/teams#membership).
    const isLeavingTeam = (person: ChosenPerson) =>
      person.teamName !== '' && person.affiliationCode !== affiliationCode
    return {
      action: 'move',
      asked: [affiliationCode, partnerId],
      columns: { affiliationCode, partnerId },
      obstacleOf(person) {
        if (person.affiliationCode !== affiliationCode) return person.isMovable ? null : 'OUT_OF_REACH'
        return person.partnerId === partnerId ? 'ALREADY' : null
      },
      presentOf(person, language) {
        const { endsTeam } = catalogues[language].users.bulk
        const team = isLeavingTeam(person) && endsTeam(person.teamLabel)
        return [person.affiliationName, person.partnerCode, team].filter(Boolean).join(' · ')
      },
      isLeavingTeam,
      costsAdmins: () => isOutside(tx, affiliationCode),
    }
  }

import type { Handlers } from '../../http/handler.ts'
import {
  changeParentAffiliation,
  closeAffiliation,
  closeAffiliations,
  orderAffiliations,
  renameAffiliation,
  reopenAffiliation,
} from './change.ts'
import { createAffiliation } from './create.ts'
import { checkAffiliations, createAffiliations } from './create-many.ts'
import { chooseDefaultPartner, createAffiliationPartner } from './default-partner.ts'
import { findAffiliations } from './queries.ts'

/**
 * Handlers of affiliations and their default partner codes. An affiliation is never deleted, only closed and reopened.
 */
export const affiliations: Handlers<'affiliations'> = {
  /**
   * Returns every affiliation, also closed ones, with its default partner code and its numbers of users, partner codes
   * and keys, and the version of their order.
   */
  async listAffiliations({ db }) {
    return findAffiliations(db)
  },

  createAffiliation,
  checkAffiliations,
  createAffiliations,
  renameAffiliation,
  changeParentAffiliation,
  orderAffiliations,
  closeAffiliation,
  closeAffiliations,
  reopenAffiliation,
  createAffiliationPartner,
  chooseDefaultPartner,
}

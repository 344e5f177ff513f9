import { refuse } from '../../../contract/errors.ts'
import type { Handlers } from '../../http/handler.ts'
import { changeLimits, previewLimits } from './bulk.ts'
import { exportPartners, listPartners } from './list.ts'
import { checkPartnerImport, importPartners } from './import.ts'
import { findPartner, findPartnersOfAffiliation, isPartnerCode } from './queries.ts'
import { findDistricts, findProvinces } from './regions.ts'
import { createPartner, deletePartner, resumePartner, stopPartner, updatePartner } from './write.ts'

/**
 * Handlers of the calls about partners, which a partner code identifies: search, registration, edit, deactivation,
 * deletion, import, export, and bulk changes of the limits of their keys. Also lists the provinces and districts.
 */
export const partners: Handlers<'partners'> = {
  /** Returns the current provinces. */
  async listPartnerProvinces({ db }) {
    return { provinces: await findProvinces(db) }
  },

  /** Returns the districts of a province; none if it no longer exists. */
  async listPartnerDistricts({ db }, { provinceCode }) {
    return { districts: await findDistricts(db, provinceCode) }
  },

  /** Refuses a code that a partner has, also one of another branch, with PARTNER_CODE_TAKEN. */
  async checkPartnerCode({ db }, { partnerCode }) {
    if (await isPartnerCode(db, partnerCode)) refuse('PARTNER_CODE_TAKEN')
  },

  /**
   * Returns a partner within the caller's branch (`findPartner`).
   * @throws {Refusal} PARTNER_NOT_FOUND
   */
  async getPartner({ db, actor, language }, { partnerCode }) {
    return (await findPartner(db, actor, partnerCode, language)) ?? refuse('PARTNER_NOT_FOUND')
  },

  /** Returns the active partners of an affiliation within the caller's branch, with the default one marked. */
  async listPartnersOfAffiliation({ db, actor }, { affiliationCode }) {
    return findPartnersOfAffiliation(db, actor, affiliationCode)
  },

  createPartner,
  checkPartnerImport,
  importPartners,
  updatePartner,
  previewLimits,
  changeLimits,
  stopPartner,
  resumePartner,
  deletePartner,
  listPartners,
  exportPartners,
}

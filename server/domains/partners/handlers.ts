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
  async listPartnerProvinces({ db }) {
    return { provinces: await findProvinces(db) }
  },

  async listPartnerDistricts({ db }, { provinceCode }) {
    return { districts: await findDistricts(db, provinceCode) }
  },

  async checkPartnerCode({ db }, { partnerCode }) {
    if (await isPartnerCode(db, partnerCode)) refuse('PARTNER_CODE_TAKEN')
  },

  async getPartner({ db, actor, language }, { partnerCode }) {
    return (await findPartner(db, actor, partnerCode, language)) ?? refuse('PARTNER_NOT_FOUND')
  },

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

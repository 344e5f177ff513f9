import { refuse } from '../../../contract/errors.ts'
import type { Handlers } from '../../http/handler.ts'
import { exportPartners } from './export.ts'
import { listPartners } from './list.ts'
import { findPartner, isPartnerCode } from './queries.ts'
import { findDistricts, findProvinces } from './regions.ts'
import { createPartner, deletePartner, updatePartner } from './write.ts'

/** Partner codes (spec §2). */
export const partners: Handlers<'partners'> = {
  async listPartnerProvinces({ db }) {
    return { SIDO_LIST: await findProvinces(db) }
  },

  async listPartnerDistricts({ db }, { SIDO_NUMBER }) {
    return { SIGUNGU_LIST: await findDistricts(db, SIDO_NUMBER) }
  },

  async checkPartnerCode({ db }, { ID }) {
    if (await isPartnerCode(db, ID)) refuse('PARTNER_CODE_TAKEN')
    return {}
  },

  async getPartner({ db, language }, { PARTNER_CODE }) {
    return (await findPartner(db, PARTNER_CODE, language)) ?? refuse('PARTNER_NOT_FOUND')
  },

  createPartner,
  updatePartner,
  deletePartner,
  listPartners,
  exportPartners,
}

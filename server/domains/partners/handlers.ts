import { type Handlers, notBuilt } from '../../http/handler.ts'

/** Partner codes (spec §2). */
export const partners: Handlers<'partners'> = {
  listPartnerProvinces: notBuilt,
  listPartnerDistricts: notBuilt,
  checkPartnerCode: notBuilt,
  createPartner: notBuilt,
  getPartner: notBuilt,
  updatePartner: notBuilt,
  deletePartner: notBuilt,
  listPartners: notBuilt,
}

import { type Handlers, notBuilt } from '../../http/handler.ts'

/** Key history (spec §2). */
export const keys: Handlers<'keys'> = {
  listKeys: notBuilt,
  listKeyProvinces: notBuilt,
  listKeyDistricts: notBuilt,
}

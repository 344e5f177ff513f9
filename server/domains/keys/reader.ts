import { type Actor, can } from '../../../contract/permissions.ts'
import { maskedPhone } from '../../services/personal.ts'

/** Who reads the history of keys, by what it tells them of phone numbers (rules/keys#phone-numbers). */
export interface Reader {
  /** Of every key; of others only those of one's own partner. */
  seesPhones: boolean
  /** Their own partner: partners.id. */
  partnerId: string | null
}

/** What somebody who calls is told. */
export function readerOf(actor: Actor & { partnerId: string | null }): Reader {
  return {
    seesPhones: can(actor, 'autho_user_manage') || can(actor, 'autho_export_personal'),
    partnerId: actor.partnerId,
  }
}

/** A row as somebody may read it; the partner is only there to decide it. */
export function rowFor<R extends { partnerId: string; phoneNumber: string }>(
  { seesPhones, partnerId }: Reader,
  row: R,
): R {
  const isWhole = seesPhones || row.partnerId === partnerId
  return isWhole ? row : { ...row, phoneNumber: maskedPhone(row.phoneNumber) }
}

import { type Actor, can, type FunctionName, reaches } from '../../../contract/permissions.ts'
import { maskedPhone } from '../../services/personal.ts'

/** Reader of the key history, with what decides which phone numbers the reader sees (rules/keys#phone-numbers). */
export interface Reader {
  /** True if the reader sees numbers of other partners, of people whose role is within reach. */
  seesPhones: boolean
  /** Partner of the reader: partners.id. */
  partnerId: string | null
  actor: Actor
}

/** Returns the caller as a reader of the key history. */
export function readerOf(actor: Actor & { partnerId: string | null }): Reader {
  return {
    seesPhones: can(actor, 'autho_user_manage') || can(actor, 'autho_export_personal'),
    partnerId: actor.partnerId,
    actor,
  }
}

/** Returns a row as the reader may see it, without the functions of its person. */
export function rowFor<
  R extends { partnerId: string; phoneNumber: string; functions: readonly FunctionName[] },
>({ seesPhones, partnerId, actor }: Reader, { functions, ...row }: R): Omit<R, 'functions'> {
  const isWhole = (seesPhones && reaches(actor, { functions })) || row.partnerId === partnerId
  return isWhole ? row : { ...row, phoneNumber: maskedPhone(row.phoneNumber) }
}

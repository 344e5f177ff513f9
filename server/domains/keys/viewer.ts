import { type Actor, can, type FunctionName, reaches } from '../../../contract/permissions.ts'
import { maskedPhone } from '../../services/personal.ts'

/** Viewer of the key history, with what decides which phone numbers they see (rules/keys#phone-numbers). */
export interface KeyViewer {
  /** True if the viewer sees numbers of other partners, of people whose role is within reach. */
  seesPhones: boolean
  /** Partner of the viewer: partners.id. */
  partnerId: string | null
  actor: Actor
}

/** Returns the caller as a viewer of the key history. */
export function toKeyViewer(actor: Actor & { partnerId: string | null }): KeyViewer {
  return {
    seesPhones: can(actor, 'autho_user_manage') || can(actor, 'autho_export_personal'),
    partnerId: actor.partnerId,
    actor,
  }
}

/** Masks the phone number of a row unless the viewer may see it. Removes the functions of its user. */
export function maskRow<
  R extends { partnerId: string; phoneNumber: string; functions: readonly FunctionName[] },
>({ seesPhones, partnerId, actor }: KeyViewer, { functions, ...row }: R): Omit<R, 'functions'> {
  const isWhole = (seesPhones && reaches(actor, { functions })) || row.partnerId === partnerId
  return isWhole ? row : { ...row, phoneNumber: maskedPhone(row.phoneNumber) }
}

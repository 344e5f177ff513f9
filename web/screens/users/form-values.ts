import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { APPROVAL, basicCard, bothCards, type getUser } from '../../../contract/users.ts'

/** A user as the server tells it; the admin card's fields are there together or not at all. */
export type UserRecord = OutputOf<typeof getUser>

/** What the two cards edit; without the admin card its fields are left out. */
export type UserFormValues = z.input<typeof bothCards>

const both: Resolver<UserFormValues> = standardSchemaResolver(bothCards)
// The basic card's schema knows no admin fields, and its form holds none.
const basic = standardSchemaResolver(basicCard) as unknown as Resolver<UserFormValues>

/** Whether the record has the approval fields: the admin card is shown only then (spec §2). */
export function hasAdminCard(record: UserRecord): boolean {
  return record.APPROVA_CODE !== undefined
}

/** The contract's rules for the cards that the record has. */
export function resolverFor(record: UserRecord): Resolver<UserFormValues> {
  return hasAdminCard(record) ? both : basic
}

/** The record as the form edits it. */
export function valuesOf(record: UserRecord): Partial<UserFormValues> {
  const { USER_ID, BELONGTO_CODE, RANK, NAME, PHONE_NUMBER, E_MAIL } = record
  const basicValues = { USER_ID, BELONGTO_CODE, RANK, NAME, PHONE_NUMBER, E_MAIL }
  if (!hasAdminCard(record)) return basicValues
  return {
    ...basicValues,
    EXPIRY_DATETIME_START: record.EXPIRY_DATETIME_START ?? '',
    EXPIRY_DATETIME_END: record.EXPIRY_DATETIME_END ?? '',
    PARTNER_CODE: record.PARTNER_CODE ?? '',
    AUTHORITYS_CODE: record.AUTHORITYS_CODE ?? '',
    APPROVA_CODE: isApproved(record) ? APPROVAL.approved : APPROVAL.notApproved,
  }
}

/** Whether the saved record is approved, whatever the form says meanwhile. */
export function isApproved(record: UserRecord): boolean {
  return record.APPROVA_CODE === APPROVAL.approved
}

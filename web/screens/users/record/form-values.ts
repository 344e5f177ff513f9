import type * as z from 'zod/mini'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { APPROVAL, type getUser, type userForm } from '../../../../contract/users.ts'

/** A user as the server tells it; the admin card's fields are there together or not at all. */
export type UserRecord = OutputOf<typeof getUser>

/** What the two cards edit; without the admin card its fields are left out. */
export type UserFormValues = z.input<typeof userForm>

/** Whether the record has the approval fields: the admin card is shown only then (rules/users#admin-card). */
export function hasAdminCard(record: UserRecord): boolean {
  return record.approvalCode !== undefined
}

/** The record as the form edits it. */
export function valuesOf(record: UserRecord): UserFormValues {
  const { userId, affiliationCode, position, name, phoneNumber, email } = record
  const basicValues = { userId, affiliationCode, position, name, phoneNumber, email }
  if (!hasAdminCard(record)) return basicValues
  return {
    ...basicValues,
    validFrom: record.validFrom ?? '',
    validTo: record.validTo ?? '',
    partnerCode: record.partnerCode ?? '',
    roleCode: record.roleCode ?? '',
    approvalCode: isApproved(record) ? APPROVAL.approved : APPROVAL.notApproved,
  }
}

/** Whether the saved record is approved, whatever the form says meanwhile. */
export function isApproved(record: UserRecord): boolean {
  return record.approvalCode === APPROVAL.approved
}

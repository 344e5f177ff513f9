import type * as z from 'zod/mini'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { CUSTOM_SLOTS } from '../../../../contract/custom-fields.ts'
import { APPROVAL, type getUser, type userForm } from '../../../../contract/users.ts'

/** User record as the API returns it. The fields of the admin card are all present or all missing. */
export type UserRecord = OutputOf<typeof getUser>

/** Values of the user form. Without the admin card its fields and the teams are missing. */
export type UserFormValues = z.input<typeof userForm>

/**
 * Returns whether a record has the fields of the admin card. Only then does the form show the card
 * (rules/users#admin-card).
 */
export function hasAdminCard(record: UserRecord): boolean {
  return record.approvalCode !== undefined
}

/**
 * Returns the values with which the form of a record begins. Without the admin card its fields and the teams are
 * missing.
 */
export function valuesOf(record: UserRecord): UserFormValues {
  const { userId, affiliationCode, position, name, phoneNumber, email } = record
  const basicValues = { userId, affiliationCode, position, name, phoneNumber, email, ...detailsOf(record) }
  if (!hasAdminCard(record)) return basicValues
  const { teamId, otherTeamIds } = record
  return {
    ...basicValues,
    teamId,
    otherTeamIds,
    validFrom: record.validFrom ?? '',
    validTo: record.validTo ?? '',
    partnerCode: record.partnerCode ?? '',
    roleCode: record.roleCode ?? '',
    approvalCode: isApproved(record) ? APPROVAL.approved : APPROVAL.notApproved,
  }
}

/**
 * Returns the employee number and the company's own fields of a record, as form values. Leaves out fields that the API
 * left out, because the caller may not see them.
 */
function detailsOf(record: UserRecord) {
  const names = ['employeeNumber', ...CUSTOM_SLOTS] as const
  return Object.fromEntries(
    names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
  )
}

/** Returns whether the saved record is approved, regardless of the form. */
export function isApproved(record: UserRecord): boolean {
  return record.approvalCode === APPROVAL.approved
}

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

/** Whether the record has the approval fields: the admin card is shown only then (rules/users#admin-card). */
export function hasAdminCard(record: UserRecord): boolean {
  return record.approvalCode !== undefined
}

/** The contract's rules for the cards that the record has. */
export function resolverFor(record: UserRecord): Resolver<UserFormValues> {
  return hasAdminCard(record) ? both : basic
}

/** The record as the form edits it. */
export function valuesOf(record: UserRecord): Partial<UserFormValues> {
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

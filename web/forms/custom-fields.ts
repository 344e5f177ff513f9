import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { OutputOf } from '../../contract/endpoint.ts'
import { CUSTOM_SLOTS, type CustomSlot, faultOf } from '../../contract/custom-fields.ts'
import { listCustomFields } from '../../contract/users/custom-fields.ts'
import { portalConfig, usePortalConfig } from '../api/config.ts'
import { prefetch, query, queryClient } from '../api/query.ts'
import { useLanguage } from '../language.tsx'

/** A field that the company defines. From `useCustomFields` with `name` in the user's language, else with both names. */
export type ShownField = OutputOf<typeof listCustomFields>['customFields'][number]

/** Fields of a company that defines none. */
const NONE: readonly ShownField[] = []

/** Milliseconds for which the definitions are not read again: they rarely change. */
const FIELDS_STAY_MS = 20_000

/** Options of the cached read of the fields. */
const customFieldsQuery = { ...query(listCustomFields, {}), staleTime: FIELDS_STAY_MS }

/**
 * Returns the custom fields of users that the user may see; none while they are loading or could not be loaded
 * (rules/users#custom-fields). On English screens `name` is the English name if there is one.
 */
export function useCustomFields(isEnabled = true): readonly ShownField[] {
  const { language } = useLanguage()
  const isDefined = usePortalConfig().customFields === true
  const { data } = useQuery({ ...customFieldsQuery, enabled: isEnabled && isDefined })
  return (
    data?.customFields.map((field) =>
      language === 'en' && field.nameEn !== '' ? { ...field, name: field.nameEn } : field,
    ) ?? NONE
  )
}

/** Prefetches the fields, if the company defines any. */
export function prefetchCustomFields(): void {
  if (portalConfig().customFields === true) void prefetch(customFieldsQuery)
}

/**
 * Returns the custom fields with their Korean names, and reads them unless they were read in the last 20 seconds or the
 * company defines none.
 * @throws {CallError} if they cannot be read
 */
export const fetchCustomFields = async (): Promise<readonly ShownField[]> =>
  portalConfig().customFields === true ? (await queryClient.fetchQuery(customFieldsQuery)).customFields : NONE

/** Returns the name of each custom field by its slot; '' for a slot without a field. */
export function namesOf(fields: readonly ShownField[]): Record<CustomSlot, string> {
  return Object.fromEntries(
    CUSTOM_SLOTS.map((slot) => [slot, fields.find((field) => field.slot === slot)?.name ?? '']),
  ) as Record<CustomSlot, string>
}

/**
 * Returns the schema of a user with a check of the custom fields' values, whose errors are at their fields.
 * @param saved the saved values, which always pass unchanged
 */
export const withFields = <Checked extends Partial<Record<CustomSlot, string | undefined>>, Values>(
  schema: z.ZodMiniType<Checked, Values>,
  fields: readonly ShownField[],
  saved: Partial<Record<CustomSlot, string | undefined>> = {},
) =>
  schema.check(
    z.superRefine((values, context) => {
      for (const field of fields) {
        const message = faultOf(field, values[field.slot] ?? '', saved[field.slot])
        if (message !== undefined)
          context.addIssue({ code: 'custom', message, path: [field.slot], input: values })
      }
    }),
  )

import * as z from 'zod/mini'
import { CUSTOM_KINDS, CUSTOM_SLOTS } from '../custom-fields.ts'
import { endpoint } from '../endpoint.ts'
import { flag } from '../fields.ts'

/**
 * Returns the definitions, not the values, of the fields that the company has added to user records and that the caller
 * may see (rules/users#custom-fields). `slot` is the name of the field in all other calls.
 */
export const listCustomFields = endpoint({
  path: '/stm/v1/get/customFields',
  summary: 'Read which further fields users have',
  access: 'signed-in',
  output: z.object({
    customFields: z.array(
      z.object({
        slot: z.enum(CUSTOM_SLOTS),
        name: z.string(),
        /** '' to show the Korean one. */
        nameEn: z.string(),
        kind: z.enum(CUSTOM_KINDS),
        choices: z.array(z.string()),
        /** True if the caller may change it in the own account. */
        editable: flag,
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

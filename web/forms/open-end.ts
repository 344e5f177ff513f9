import type * as z from 'zod/mini'
import { endRequired } from '../../contract/fields.ts'
import { portalConfig } from '../api/config.ts'

/**
 * Returns the schema of a user's validity period with a check that it has a last day, unless the setting allows an
 * open end (rules/users#open-end).
 */
export const withEnd = <Checked extends { validTo?: string | undefined }, Values>(
  schema: z.ZodMiniType<Checked, Values>,
) => (portalConfig().openEnd === true ? schema : schema.check(endRequired))

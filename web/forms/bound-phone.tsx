import type { FieldPath, FieldValues } from 'react-hook-form'
import * as z from 'zod/mini'
import { anyPhoneNumber, isMobile, plainLandline, plainPhone } from '../../contract/fields.ts'
import { portalConfig, usePortalConfig } from '../api/config.ts'
import { usePortalMessages } from '../language.tsx'
import { BoundText } from './bound-text.tsx'

interface Props<Values extends FieldValues> {
  name: FieldPath<Values>
  /** True without the hint about the digits. */
  isPlain?: boolean
  isReadOnly?: boolean
  autoComplete?: string
}

/**
 * Shows a required field for the phone number of a user. It takes landlines, too, if the setting allows them
 * (rules/users#landlines).
 */
export function BoundPhone<Values extends FieldValues>({ isPlain = false, ...props }: Props<Values>) {
  const { fields, forms, validation } = usePortalMessages()
  const hasLandlines = usePortalConfig().landlines === true
  return (
    <BoundText<Values>
      {...props}
      label={fields.phoneNumber}
      type="tel"
      inputMode="tel"
      clean={hasLandlines ? plainLandline : plainPhone}
      description={isPlain ? undefined : hasLandlines ? forms.landlineHint : forms.phoneHint}
      formatText={hasLandlines ? validation.landlineFormat : undefined}
      isRequired
    />
  )
}

/**
 * Returns whether a phone number is a mobile number or equals the saved one. Any number is allowed if the setting
 * allows landlines.
 */
const isAllowed = (phone: string, saved = '') =>
  isMobile(phone) || phone === saved || portalConfig().landlines === true

/** Returns a check that refuses a number other than a mobile one, unless the setting allows landlines. */
export const checkPhone = () => z.refine<string>((phone) => isAllowed(phone), 'phoneNumberFormat')

/**
 * Returns the schema of a user with `checkPhone`.
 * @param saved the saved number, which always passes
 */
export const withPhone = <Checked extends { phoneNumber: string }, Values>(
  schema: z.ZodMiniType<Checked, Values>,
  saved?: string,
) =>
  schema.check(
    z.refine<Checked>(({ phoneNumber }) => isAllowed(phoneNumber, saved), {
      error: 'phoneNumberFormat',
      path: ['phoneNumber'],
      // Also while other fields are wrong, as for a field's own check.
      when: ({ value, issues }) =>
        anyPhoneNumber.safeParse((value as Checked | undefined)?.phoneNumber).success &&
        issues.every(({ path }) => path?.[0] !== 'phoneNumber'),
    }),
  )

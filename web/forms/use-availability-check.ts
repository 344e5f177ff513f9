import { useState } from 'react'
import type * as z from 'zod/mini'
import { CallError, type CallErrorCode } from '../api/call-error.ts'

interface AvailabilityCheck {
  /** Message of the server if the current value is in use. */
  message: string | undefined
  /** Checks the current value, once per value. To be called when the focus leaves the field. */
  checkOnLeave: () => void
}

/**
 * Checks before the submit whether the value of a field is already in use (rules/users#taken-at-the-field). Ignores
 * every other failure of the check: the submit finds it.
 * @param options.rule schema that a value must pass before it is checked
 * @param options.currentValue value of the saved record, which is not checked
 * @param options.code error code of a value that is in use
 */
export function useAvailabilityCheck(
  value: string,
  options: {
    rule: z.ZodMiniType<string, string>
    currentValue?: string | undefined
    code: CallErrorCode
    check: (value: string) => Promise<unknown>
  },
): AvailabilityCheck {
  const { rule, currentValue, code, check } = options
  const [checked, setChecked] = useState<{ value: string; message?: string }>()
  const { data } = rule.safeParse(value)

  async function checkOnLeave(): Promise<void> {
    if (data === undefined || data === currentValue || data === checked?.value) return
    setChecked({ value: data })
    try {
      await check(data)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== code) return
      // Another value may have been checked meanwhile.
      setChecked((latest) => (latest?.value === data ? { value: data, message: error.msg } : latest))
    }
  }

  return {
    message: checked?.value === data ? checked?.message : undefined,
    checkOnLeave: () => void checkOnLeave(),
  }
}

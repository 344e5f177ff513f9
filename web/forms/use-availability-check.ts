import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { CallError, type CallErrorCode } from '../api/call-error.ts'

/** A value that was checked. */
interface CheckedValue {
  value: string
  isFree?: boolean
  /** Message of the server if the value is in use. */
  message?: string
}

/** The check of a field, and the message that its field shows. */
interface AvailabilityCheck {
  /** Message of the server if the current value is in use. */
  message: string | undefined
  /**
   * Checks the current value, if it is valid, not that of the record, and not the last checked one. Call it when the
   * focus leaves the field.
   */
  checkOnLeave: () => void
  /** Waits for the check that runs. @returns the last checked value; undefined for none */
  wait: () => Promise<CheckedValue | undefined>
  /** Forgets the last check, so that the same value is checked again. */
  forget: () => void
}

/**
 * Returns a check, to run before the submit, whether the value of a field is already in use
 * (rules/users#availability-check). Ignores every other failure of the check: the submit meets it again.
 * @param options.rule schema that a value must pass before it is checked
 * @param options.currentValue value of the saved record, which is not checked
 * @param options.code error code of a value that is in use
 * @param options.check makes the call; rejects if the value is in use
 * @param options.onFree called with a value that is not in use
 */
export function useAvailabilityCheck(
  value: string,
  options: {
    rule: z.ZodMiniType<string, string>
    currentValue?: string | undefined
    code: CallErrorCode
    check: (value: string) => Promise<unknown>
    onFree?: (value: string) => void
  },
): AvailabilityCheck {
  const { rule, currentValue, code, check, onFree } = options
  // Read by a submit that waits, after later renders.
  const running = useRef<Promise<CheckedValue>>(undefined)
  const [checked, setChecked] = useState<CheckedValue>()
  const { data } = rule.safeParse(value)

  async function checkFree(candidate: string): Promise<CheckedValue> {
    setChecked({ value: candidate })
    try {
      await check(candidate)
      onFree?.(candidate)
      return { value: candidate, isFree: true }
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== code) return { value: candidate }
      const taken = { value: candidate, message: error.message }
      // Another value may have been checked meanwhile.
      setChecked((latest) => (latest?.value === candidate ? taken : latest))
      return taken
    }
  }

  return {
    message: checked?.value === data ? checked?.message : undefined,
    checkOnLeave() {
      if (data === undefined || data === currentValue || data === checked?.value) return
      running.current = checkFree(data)
    },
    wait: async () => running.current,
    forget() {
      setChecked(undefined)
      running.current = undefined
    },
  }
}

import { useState } from 'react'
import type * as z from 'zod/mini'
import { CallError, type CallErrorCode } from '../api/call-error.ts'

interface Taken {
  /** What the server said of the value that stands in the field. */
  message: string | undefined
  /** Looks at it, once for each value; to be called when the field is left. */
  look: () => void
}

/**
 * Tells that what stands in a field belongs to somebody already, before the form is submitted
 * (rules/users#taken-at-the-field). It only tells: what could not be asked is left to the submit.
 * @param options.rule what a value has to be before it is asked about
 * @param options.own the record's own value
 */
export function useTaken(
  value: string,
  options: {
    rule: z.ZodMiniType<string, string>
    own?: string | undefined
    code: CallErrorCode
    ask: (value: string) => Promise<unknown>
  },
): Taken {
  const { rule, own, code, ask } = options
  const [asked, setAsked] = useState<{ value: string; message?: string }>()
  const { data } = rule.safeParse(value)

  async function look(): Promise<void> {
    if (data === undefined || data === own || data === asked?.value) return
    setAsked({ value: data })
    try {
      await ask(data)
    } catch (error) {
      const message = error instanceof CallError && error.code === code ? error.msg : undefined
      if (message === undefined) return
      // Another value may have been asked about meanwhile.
      setAsked((now) => (now?.value === data ? { value: data, message } : now))
    }
  }

  return { message: asked?.value === data ? asked?.message : undefined, look: () => void look() }
}

import { type ErrorCode, refuse } from '../../contract/errors.ts'

/** SQLSTATE of a violated foreign key. */
export const FOREIGN_KEY = '23503'

/** SQLSTATE of a deadlock, such as of two imports that lock the same rows in a different order. */
export const DEADLOCK = '40P01'

/**
 * Runs work, and converts violations of constraints to refusals. Constraints decide instead of checks before, because
 * two users may write the same concurrently.
 * @param codes code of the refusal by the constraint's name or the SQLSTATE
 * @returns the result of `work`
 * @throws {Refusal} with the code of the violated constraint. Other errors are thrown unchanged
 */
export async function mapConstraintErrors<T>(
  codes: Record<string, ErrorCode>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    for (const property of ['constraint', 'code'] as const) {
      const broken = error instanceof Error && (error as { constraint?: string; code?: string })[property]
      const code = typeof broken === 'string' && Object.hasOwn(codes, broken) ? codes[broken] : undefined
      if (code !== undefined) refuse(code)
    }
    throw error
  }
}

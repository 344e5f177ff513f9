import { type ErrorCode, refuse } from '../../contract/errors.ts'

/** SQLSTATE of a broken foreign key. */
export const FOREIGN_KEY = '23503'

/** SQLSTATE of two transactions that wait for each other, as where two files hold the same rows in another order. */
export const DEADLOCK = '40P01'

/**
 * Does work that a constraint may refuse. The constraint decides, not a check before, because two people may want the
 * same at once.
 * @param codes what the break of a constraint means, by the constraint's name or its SQLSTATE
 * @throws {Refusal} with the code of the broken constraint; whatever else goes wrong as it is
 */
export async function refusing<T>(codes: Record<string, ErrorCode>, work: () => Promise<T>): Promise<T> {
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

import { endOfMonths } from '../ui/dates.ts'
import { today } from './today.ts'

/** Months of the validity period that forms propose for a new account. */
const PROPOSED_MONTHS = 12

/** Returns the validity period that forms propose for a new account: from today, for PROPOSED_MONTHS. */
export function proposedValidity() {
  const validFrom = today()
  return { validFrom, validTo: endOfMonths(validFrom, PROPOSED_MONTHS) }
}

/** A request as it is drawn, and what all that draw share. */
import fc from 'fast-check'

/** How the bytes go out. */
export type Pace = 'at once' | 'slowly' | 'cut off'

/** A request as it was drawn. What it says of records is filled in when it is sent (`createHeld`). */
export interface Drawn {
  kind: string
  method: string
  path: string
  headers: Record<string, string>
  /** Sealed before it is sent if there is `sealedFor`. */
  body: string
  /** The path of the call whose input `body` is. */
  sealedFor?: string
  /** Of what was sealed: so that it is broken at a place of it. */
  broken?: { how: 'cut' | 'flipped' | 'doubled'; at: number }
  /** The head and all as it is, not by Node's client. */
  isRaw?: boolean
  pace: Pace
}

/** What every call is sent as. */
export const JSON_TYPE = { 'content-type': 'application/json' }
/** A place, in hundredths. */
export const at = fc.nat({ max: 99 })
/** Bytes that mean nothing. */
export const noise = fc.string({ unit: 'binary-ascii', maxLength: 40 })

/** A request with what is usual where nothing is said. */
export const drawn = (of: Partial<Drawn> & Pick<Drawn, 'kind' | 'path'>): Drawn => ({
  method: 'POST',
  headers: JSON_TYPE,
  body: '',
  pace: 'at once',
  ...of,
})

/** Paces, of which one is chosen. */
export function pacesOf(...paces: Pace[]): Pace[] {
  return paces
}

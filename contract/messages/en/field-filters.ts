import type { fieldFilters as korean } from '../ko/field-filters.ts'

/** `ko/field-filters.ts` in English. */
export const fieldFilters: typeof korean = {
  from: (name) => `${name} (from)`,
  to: (name) => `${name} (until)`,
}

/** Labels of the period of a date that the company defines. They load with the filters by such fields. */
export const fieldFilters = {
  from: (name: string) => `${name} (부터)`,
  to: (name: string) => `${name} (까지)`,
}

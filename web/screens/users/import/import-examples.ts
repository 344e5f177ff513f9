/**
 * The example rows of the template (rules/users#template). They are recognized by ID and email address. A user who edits an example
 * row replaces these.
 */
export const EXAMPLES = [
  example('example01', '010-1234-5678'),
  example('example02', '010-8765-4321'),
] as const

function example(userId: string, phoneNumber: string) {
  return { userId, phoneNumber, email: `${userId}@example.com`, name: '', position: '', partnerCode: '' }
}

/** Returns whether a row of a file is an example row. */
export function isExample({ userId = '', email = '' }: { userId?: string; email?: string }): boolean {
  return EXAMPLES.some((row) => row.userId === userId.toLowerCase() && row.email === email.toLowerCase())
}

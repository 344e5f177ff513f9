/**
 * The rows of the template that show how a file is filled in (rules/users#template). They are known by ID and e-mail: whoever
 * writes over them writes a person.
 */
export const EXAMPLES = [
  example('example01', '010-1234-5678'),
  example('example02', '010-8765-4321'),
] as const

function example(userId: string, phoneNumber: string) {
  return { userId, phoneNumber, email: `${userId}@example.com`, name: '', position: '', partnerCode: '' }
}

/** Whether a row of a file is one of them. */
export function isExample({ userId = '', email = '' }: { userId?: string; email?: string }): boolean {
  return EXAMPLES.some((row) => row.userId === userId.toLowerCase() && row.email === email.toLowerCase())
}

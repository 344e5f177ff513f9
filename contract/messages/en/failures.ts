/** `ko/failures.ts` in English. */
export const failures = {
  UNEXPECTED: 'Please contact the administrator.',
  UNAVAILABLE: 'The service is not available right now. Please try again in a moment.',
  SESSION_REQUIRED: 'Please log in again.',
  FORBIDDEN: 'You do not have permission.',
}

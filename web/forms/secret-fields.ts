/** Names of fields that drafts never store. */
const SECRET = /password$|^confirmation$|^certificationCode$/i

/** Returns whether a field has a password or code, which drafts never store. */
export const isSecret = (name: string): boolean => SECRET.test(name)

/** Texts of the account screens; Korean to the letter where the spec gives it. */
export const account = {}

/** Texts of the users screens; Korean to the letter where the spec gives it. */
export const users = {}

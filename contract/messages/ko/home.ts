/** Texts of the home screens; Korean to the letter where the spec gives it. */
export const home = {}

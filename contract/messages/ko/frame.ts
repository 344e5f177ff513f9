/** Texts of the frame screens; Korean to the letter where the spec gives it. */
export const frame = {}

import * as z from 'zod/mini'

/** An entry of a list of users in the details of an audit row. */
export type ListedUser = z.infer<typeof listedUser>

/** Schema of an entry. The ID is null in a row of an earlier version whose login ID no account has any more. */
const listedUser = z.looseObject({
  id: z.nullable(z.string()),
  loginId: z.string(),
  /** Branch role of a user who was moved to another affiliation (rules/roles#branch-holders). */
  branchRole: z.optional(z.string()),
})

/** Returns the entries of a value of the details that is a list of users; empty for any other value. */
export const listedUsers = (value: unknown): ListedUser[] => z.array(listedUser).safeParse(value).data ?? []

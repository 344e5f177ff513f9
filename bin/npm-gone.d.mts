/** Calls back when npm has ended that this process was started by (npm-gone.mjs). */
export function whenNpmIsGone(then: () => void): void

/** Calls back once, when the npm that started this process has ended (on-npm-exit.mjs). */
export function whenNpmIsGone(then: () => void): void

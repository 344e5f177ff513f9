/** Returns the trimmed lines of a text, without blank ones; none for ''. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

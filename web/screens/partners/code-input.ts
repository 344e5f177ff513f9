/** Syllables, letters as a Korean keyboard types them, and those of old Korean, for `hasKorean`. */
const KOREAN = /[\u1100-\u11FF\u3130-\u318F\uA960-\uA97F\uAC00-\uD7FF\uFFA0-\uFFDC]/

/**
 * Returns whether a text contains Korean characters, which a partner code never does (rules/partners#code-input). False
 * for ''.
 */
export function hasKorean(text: string): boolean {
  return KOREAN.test(text)
}

/**
 * Converts typed text to a partner code (rules/partners#code-input): in upper case, with only the characters that a code may
 * contain (rules/partners#partner-code). Spaces, symbols and all other characters are dropped.
 */
export function cleanCode(typed: string): string {
  return typed.replaceAll(/[^A-Za-z0-9_-]/g, '').toUpperCase()
}

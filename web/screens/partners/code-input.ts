/** Syllables, letters as a Korean keyboard types them, and those of old Korean. */
const KOREAN = /[\u1100-\u11FF\u3130-\u318F\uA960-\uA97F\uAC00-\uD7FF\uFFA0-\uFFDC]/

/** Whether a text has Korean characters, which a partner code never has (rules/partners#code-input). */
export function hasKorean(text: string): boolean {
  return KOREAN.test(text)
}

/**
 * What a partner code takes of what was typed (rules/partners#code-input): upper case, and only what a code may hold
 * (rules/partners#partner-code). Spaces, special symbols and whatever else is no letter of it are silently ignored.
 */
export function cleanCode(typed: string): string {
  return typed.replaceAll(/[^A-Za-z0-9_-]/g, '').toUpperCase()
}

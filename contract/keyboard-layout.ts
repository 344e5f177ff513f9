import { convertHangulToQwerty, convertQwertyToHangul } from 'es-hangul'

/** Two or more syllables or initial consonants. A lone vowel shows that the user meant Latin letters. */
const HANGUL = /^(?=.{2})[가-힣ㄱ-ㅎ\s]+$/
/** A text with a syllable or a single letter of Hangul. */
const HAS_HANGUL = /[가-힣ㄱ-ㅣ]/
/** A lone vowel, or a lone consonant before a syllable: no Korean word has them. */
const BROKEN = /[ㅏ-ㅣ]|^[^ㄱ-ㅎ]*[ㄱ-ㅎ][^가-힣]*[가-힣]/
/** Two or more printable ASCII characters. */
const LATIN = /^[\x20-\x7e]{2,}$/

/**
 * Returns the text that the same keys produce in the other keyboard layout (rules/frame#palette), such as 승인 for
 * `tmddls`.
 * @returns undefined if that text is not plausible: for '', a single letter, or a Korean text without a broken syllable
 */
export function inOtherLayout(text: string): string | undefined {
  if (HAS_HANGUL.test(text)) {
    const latin = convertHangulToQwerty(text)
    return BROKEN.test(text) && LATIN.test(latin) ? latin : undefined
  }
  // Caps Lock has no effect on most Hangul keys.
  const hangul = convertQwertyToHangul(text === text.toUpperCase() ? text.toLowerCase() : text)
  return HANGUL.test(hangul) ? hangul : undefined
}

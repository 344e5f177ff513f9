/** The digits as they are read in Korean. */
const DIGITS = '영일이삼사오육칠팔구'

/** Code points of the first Hangul syllable, and the number of syllables and of finals. */
const HANGUL = { first: 0xac00, syllables: 11_172, finals: 28, rieul: 8 } as const

/**
 * Returns the particle that follows a name: the first of the pair after a final consonant, else the second. 로 also follows ㄹ.
 * Latin letters and signs have several readings, so they get both: 을(를).
 */
export function particleOf(name: string, pair: '은/는' | '이/가' | '을/를' | '으로/로'): string {
  const [afterConsonant = '', afterVowel = ''] = pair.split('/')
  const last = name.normalize('NFC').at(-1) ?? ''
  const syllable = /\d/.test(last) ? DIGITS.charAt(Number(last)) : last
  const index = syllable.charCodeAt(0) - HANGUL.first
  if (!(index >= 0 && index < HANGUL.syllables))
    return pair === '으로/로' ? '(으)로' : `${afterConsonant}(${afterVowel})`
  const final = index % HANGUL.finals
  return final === 0 || (pair === '으로/로' && final === HANGUL.rieul) ? afterVowel : afterConsonant
}

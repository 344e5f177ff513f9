import Bowser from 'bowser'

/** `Chrome · Windows`; what a browser says of itself is a hint to its owner and nothing more. */
export function deviceOf(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os } = Bowser.parse(userAgent)
  return [browser.name, os.name].filter(Boolean).join(' · ')
}

import Bowser from 'bowser'

/**
 * Returns browser and system of a user agent, such as `Chrome · Windows`; '' if it names neither. Only a hint for the user: a
 * client can send anything.
 */
export function deviceOf(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os } = Bowser.parse(userAgent)
  return [browser.name, os.name].filter(Boolean).join(' · ')
}

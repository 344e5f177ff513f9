import { isDeepStrictEqual } from 'node:util'
import type { Office, OfficeRecord } from '../../../contract/settings.ts'
import { ENGLISH_PLACEHOLDER, type Names, PLACEHOLDER } from '../../placeholder-company.ts'
import type { Portal } from '../../services/settings.ts'

/**
 * Returns company, logo text and offices for the configuration of the portal's pages, and in `english` the English ones
 * that differ; it is missing if there are none.
 */
export function shownNames(portal: Portal) {
  const { company, logoText, offices } = portal
  const english = toEnglishNames(portal)
  return {
    company,
    logoText,
    offices: offices.map(shownOf),
    ...(Object.keys(english).length > 0 && { english }),
  }
}

/**
 * Returns the English names that are set, or that belong to unchanged placeholders (rules/settings#english-names). A
 * name without an English one is missing.
 */
export function toEnglishNames(portal: Portal): Partial<Names> {
  const wordOf = (name: 'company' | 'logoText', said: string) =>
    said === '' && portal[name] === PLACEHOLDER[name] ? ENGLISH_PLACEHOLDER[name] : said
  const company = wordOf('company', portal.companyEn)
  const logoText = wordOf('logoText', portal.logoTextEn)
  const korean = portal.offices.map(shownOf)
  const offices = portal.offices.map(toEnglishOffice)
  return {
    ...(company !== '' && { company }),
    ...(logoText !== '' && { logoText }),
    ...(!isDeepStrictEqual(offices, korean) && { offices }),
  }
}

/** Returns the Korean fields of an office, which all pages show. */
export function shownOf({ name, address, phone, fax }: Office): Office {
  return { name, address, phone, fax }
}

/**
 * Returns the fields of an office in English; a part without a translation in Korean, and the English placeholder for
 * an unchanged placeholder.
 */
function toEnglishOffice(office: OfficeRecord): Office {
  const { nameEn, addressEn } = office
  const korean = shownOf(office)
  const said = { ...korean, name: nameEn || korean.name, address: addressEn || korean.address }
  if (nameEn + addressEn !== '') return said
  const place = PLACEHOLDER.offices.findIndex((placeholder) => isDeepStrictEqual(placeholder, korean))
  return ENGLISH_PLACEHOLDER.offices[place] ?? said
}

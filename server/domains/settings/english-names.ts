import { isDeepStrictEqual } from 'node:util'
import type { Office, OfficeRecord } from '../../../contract/settings.ts'
import { ENGLISH_PLACEHOLDER, type Names, PLACEHOLDER } from '../../placeholder-company.ts'
import type { Portal } from '../../services/settings.ts'

/**
 * Returns the names that every page shows: company, logo text and offices in Korean. `english` has those whose
 * English names exist and differ; it is absent if there are none.
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
 * Returns the English company name, logo text and offices (rules/settings#english-names). A name without an
 * English one that is still the Korean placeholder gets the English placeholder. Absent are any other names
 * without an English one, and the offices if none differs from the Korean ones.
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

/** Returns the Korean fields of an office: name, address, phone and fax. Leaves out its English ones. */
export function shownOf({ name, address, phone, fax }: Office): Office {
  return { name, address, phone, fax }
}

/**
 * Returns an office in English. A name or address without a translation stays in Korean. An office without any
 * translation that equals a Korean placeholder becomes the English placeholder.
 */
function toEnglishOffice(office: OfficeRecord): Office {
  const { nameEn, addressEn } = office
  const korean = shownOf(office)
  const said = { ...korean, name: nameEn || korean.name, address: addressEn || korean.address }
  if (nameEn + addressEn !== '') return said
  const place = PLACEHOLDER.offices.findIndex((placeholder) => isDeepStrictEqual(placeholder, korean))
  return ENGLISH_PLACEHOLDER.offices[place] ?? said
}

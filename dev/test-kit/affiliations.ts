import { changeParentAffiliation, listAffiliations } from '../../contract/affiliations.ts'
import type { useMaru } from './maru.ts'
import type { TestUser } from './people.ts'

/**
 * Calls `changeParentAffiliation` for an affiliation in its present version. What `to` leaves out stays.
 * @param reader user who reads the present affiliations, if the caller may not
 */
export async function changeParent(
  maru: ReturnType<typeof useMaru>,
  affiliationCode: string,
  to: { parentCode?: string; external?: boolean },
  by: TestUser,
  reader = by,
) {
  const { affiliations } = (await maru.call(listAffiliations, {}, reader)).data
  // An unknown affiliation has no version, but the call needs one.
  const { version = 'A'.repeat(22), parentCode = '' } =
    affiliations.find((row) => row.affiliationCode === affiliationCode) ?? {}
  return maru.call(changeParentAffiliation, { affiliationCode, version, parentCode, ...to }, by)
}

import { expect, test } from 'vitest'
import { endpoints } from '../contract/index.ts'
import { answers, B, differences, OF_B, ofB, ROLE_OF_BRANCH, sql, worlds } from '../dev/test-kit/branches.ts'
import type { TestMaru } from '../dev/test-kit/maru.ts'

/** Calls whose answer may say something about another branch, each with the reason. */
const PUBLIC: Record<string, string> = {
  listColleagues: 'the directory is of the whole company (rules/colleagues#directory)',
  getColleague: 'the profile card is of the whole company (rules/colleagues#profile-card)',
  listTeams: 'the teams are of the whole company, as the directory is (rules/teams#tree)',
  beginTotp: 'its secret is random',
  login: 'the password of a user of another branch opens their own account',
  countRecipients:
    'the number of recipients is open to every author of a notice (rules/notices#who-publishes)',
}

const byActor = endpoints.filter(({ endpoint: { access } }) => access !== 'service')

test.each(byActor.map((entry) => [entry.name, entry] as const))(
  '%s answers a branch alike, whatever other branches hold',
  async (name, entry) => {
    const found = await differences(entry)
    if (!(name in PUBLIC)) expect(found).toEqual([])
  },
)

/** Undoes what a call did to the user of B and their key, so that the next one finds them again. */
const mend = (maru: TestMaru) =>
  sql(
    maru,
    `with unrevoked as (update issued_keys set revoked_at = null, revoked_by = null, revoke_reason = null where id = $4)
      update users set withdrawn_at = null, withdrawn_by = null, suspended_at = null, suspended_for = null, login_id = $1,
      affiliation_code = $2, role_code = 'AUT003', approval_code = 'MEMAP001', valid_from = null, valid_to = null where id = $3`,
    [OF_B.userId, B[0], ofB.id, ofB.keyId],
  )

test('finds calls that differ once the role is of the whole company', async () => {
  for (const maru of worlds)
    await sql(maru, `update roles set span = 'all' where code = $1`, [ROLE_OF_BRANCH])
  const differing: string[] = []
  for (const entry of byActor) {
    if (!(entry.name in PUBLIC) && (await differences(entry)).length > 0) differing.push(entry.name)
    for (const maru of worlds) await mend(maru)
  }
  expect(answers).toBeGreaterThan(800)
  expect(differing.toSorted()).toMatchInlineSnapshot(`
    [
      "approveAffiliationChanges",
      "checkUpdates",
      "countBelongings",
      "countUnreadNotifications",
      "createAffiliationPartner",
      "createPartner",
      "createTeam",
      "deleteNotice",
      "exportKeys",
      "exportPartners",
      "exportUsers",
      "getKeyStatistics",
      "getNotice",
      "getPartner",
      "getPartnerUsage",
      "getToDo",
      "getUser",
      "listHistory",
      "listKeys",
      "listNotices",
      "listNotifications",
      "listPartners",
      "listPartnersOfAffiliation",
      "listRequests",
      "listUsers",
      "previewBulk",
      "previewLimits",
      "readNotifications",
      "resetUser",
      "resumePartner",
      "revokeKey",
      "revokeKeys",
      "stopPartner",
      "suspendUser",
      "withdrawUser",
    ]
  `)
}, 600_000)

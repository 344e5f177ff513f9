import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { defaultsOf } from '../../../contract/settings/declared.ts'
import { SECURITY_SETTINGS } from '../../../contract/settings/security.ts'
import { securityRules, settingsOf, valuesOf } from './security-values.ts'

const RECORD = {
  ...defaultsOf(SECURITY_SETTINGS),
  backupKeep: 1,
  fixed: [{ field: 'backupKeep' as const, variable: 'BACKUP_KEEP' }],
  roles: [],
  factorRoles: [],
  trustRoles: [],
  ssoRoles: [],
  emergencyAccounts: [],
  adminNetworks: [],
  address: '127.0.0.1',
  version: 'v',
}
const values = valuesOf(RECORD)
function wrongFields(typed: object, { fixed }: Pick<typeof RECORD, 'fixed'> = RECORD) {
  const { error } = z.safeParse(securityRules(String, fixed), { ...values, ...typed })
  return error && [...new Set(error.issues.map(({ path }) => path[0]))]
}

describe('the form of the security settings (rules/settings#security-variables)', () => {
  it('accepts a value outside the bounds only if a variable fixes it, and does not send it', () => {
    expect(wrongFields({})).toBeUndefined()
    expect(wrongFields({}, { fixed: [] })).toEqual(['backupKeep'])
    expect(settingsOf(values, RECORD.fixed)).not.toHaveProperty('backupKeep')
    expect(settingsOf(values, [])).toMatchObject({ backupKeep: 1, suspendAfterDays: 180 })
  })

  it.each([
    ['suspendAfterDays', '29', true],
    ['suspendAfterDays', '0', false],
    ['suspendAfterDays', '30', false],
    ['sessionIdleMinutes', '0', true],
    ['sessionIdleMinutes', '5x', true],
    ['backupTestDays', '', true],
  ])('for %s “%s” is wrong: %s', (name, typed, isWrong) => {
    expect(wrongFields({ [name]: typed })).toEqual(isWrong ? [name] : undefined)
  })
})

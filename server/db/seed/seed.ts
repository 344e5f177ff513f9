import { type RawBuilder, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { FUNCTIONS } from '../../../contract/permissions.ts'
import type { Tx } from '../database.ts'
import { codes } from './codes.ts'
import { readRegions } from './regions.ts'
import { roles } from './roles.ts'

/**
 * Writes the codes, roles, permissions and regions of every installation. Runs at every start, and updates the names of
 * codes and regions. Changes of an administrator stay: affiliations are written only if there are none, and a role's
 * permissions only with a new role or permission. Servers may run it concurrently: the later one waits for each row.
 */
export async function seedAll(tx: Tx): Promise<void> {
  await seedCodes(tx)
  await seedRoles(tx)
  await seedRegions(tx)
}

/** Writes the code lists, and updates their names and order. Writes the affiliations only if there are none. */
async function seedCodes(tx: Tx): Promise<void> {
  const rows = codes.map(([groupCode, code, nameKo, nameEn], index) => ({
    groupCode,
    code,
    nameKo,
    nameEn,
    sortOrder: index,
  }))
  const isAffiliation = ({ groupCode }: (typeof rows)[number]) => groupCode === CODE_GROUP.affiliation
  await tx
    .insertInto('codes')
    .values(rows.filter((row) => !isAffiliation(row)))
    .onConflict((conflict) =>
      conflict.columns(['groupCode', 'code']).doUpdateSet(excluded('nameKo', 'nameEn', 'sortOrder')),
    )
    .execute()
  // After the installation only administrators change affiliations (rules/affiliations#seed).
  const known = await tx
    .selectFrom('codes')
    .select('code')
    .where('groupCode', '=', CODE_GROUP.affiliation)
    .limit(1)
    .executeTakeFirst()
  if (known !== undefined) return
  await tx
    .insertInto('codes')
    .values(rows.filter(isAffiliation))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Writes missing built-in roles and permissions. A new role gets its permissions, and every built-in role a new permission of
 * its list. Changes no other permission.
 */
async function seedRoles(tx: Tx): Promise<void> {
  const newRoles = await tx
    .insertInto('roles')
    .values(
      roles.map((role, index) => ({
        code: role.code,
        groupName: role.groupName,
        nameEn: role.en,
        sortOrder: index,
        builtIn: true,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('code')
    .execute()
  const newFunctions = await tx
    .insertInto('functions')
    .values(FUNCTIONS.map((name) => ({ name })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute()
  const isNew = (code: string, name: string) =>
    newRoles.some((role) => role.code === code) || newFunctions.some((row) => row.name === name)
  const grants = roles
    .flatMap((role) => role.functions.map((name) => ({ roleCode: role.code, functionName: name })))
    .filter((grant) => isNew(grant.roleCode, grant.functionName))
  if (grants.length === 0) return
  await tx.insertInto('roleFunctions').values(grants).execute()
}

/** Writes missing provinces and districts, and updates the names and coordinates of the others. */
async function seedRegions(tx: Tx): Promise<void> {
  const { provinces, districts } = readRegions()
  await tx
    .insertInto('provinces')
    .values(provinces)
    .onConflict((conflict) => conflict.column('code').doUpdateSet(excluded('name')))
    .execute()
  await tx
    .insertInto('districts')
    .values(districts)
    .onConflict((conflict) => conflict.column('code').doUpdateSet(excluded('name', 'x', 'y')))
    .execute()
}

/** Returns the SQL expressions for the proposed values of these columns in an upsert. */
function excluded<C extends string>(...columns: C[]): Record<C, RawBuilder<never>> {
  return Object.fromEntries(columns.map((name) => [name, sql.ref(`excluded.${name}`)])) as Record<
    C,
    RawBuilder<never>
  >
}

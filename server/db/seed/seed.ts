import { type RawBuilder, sql, type Transaction } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { FUNCTIONS } from '../../../contract/permissions.ts'
import type { Database } from '../types.ts'
import { codes } from './codes.ts'
import { readRegions } from './regions.ts'
import { roles } from './roles.ts'

/**
 * Writes what every installation has: codes, roles, functions, regions. Runs at every start: names that a new version
 * corrects are updated, and what an administrator changed stays: affiliations are written only where there are none, a
 * role's functions only with a new role or a new function. Two servers may write at once: the later one waits for each row and finds it as it
 * wants it.
 */
export async function seedAll(tx: Transaction<Database>): Promise<void> {
  await seedCodes(tx)
  await seedRoles(tx)
  await seedRegions(tx)
}

async function seedCodes(tx: Transaction<Database>): Promise<void> {
  const rows = codes.map(([group_code, code, name_ko, name_en], index) => ({
    group_code,
    code,
    name_ko,
    name_en,
    sort_order: index,
  }))
  const isAffiliation = ({ group_code }: (typeof rows)[number]) => group_code === CODE_GROUP.affiliation
  await tx
    .insertInto('codes')
    .values(rows.filter((row) => !isAffiliation(row)))
    .onConflict((conflict) =>
      conflict.columns(['group_code', 'code']).doUpdateSet(excluded('name_ko', 'name_en', 'sort_order')),
    )
    .execute()
  // After the installation only administrators change affiliations (rules/affiliations#seed).
  const known = await tx
    .selectFrom('codes')
    .select('code')
    .where('group_code', '=', CODE_GROUP.affiliation)
    .limit(1)
    .executeTakeFirst()
  if (known !== undefined) return
  await tx
    .insertInto('codes')
    .values(rows.filter(isAffiliation))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function seedRoles(tx: Transaction<Database>): Promise<void> {
  const newRoles = await tx
    .insertInto('roles')
    .values(
      roles.map((role, index) => ({
        code: role.code,
        group_name: role.groupName,
        name_en: role.en,
        sort_order: index,
        built_in: true,
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
    .flatMap((role) => role.functions.map((name) => ({ role_code: role.code, function_name: name })))
    .filter((grant) => isNew(grant.role_code, grant.function_name))
  if (grants.length === 0) return
  await tx.insertInto('role_functions').values(grants).execute()
}

async function seedRegions(tx: Transaction<Database>): Promise<void> {
  const { provinces, districts } = readRegions()
  await tx
    .insertInto('provinces')
    .values(provinces)
    .onConflict((conflict) => conflict.column('code').doUpdateSet(excluded('name')))
    .execute()
  await tx
    .insertInto('districts')
    .values(
      districts.map((district) => ({
        code: district.code,
        province_code: district.provinceCode,
        name: district.name,
        x: district.x,
        y: district.y,
      })),
    )
    .onConflict((conflict) => conflict.column('code').doUpdateSet(excluded('name', 'x', 'y')))
    .execute()
}

/** Returns the proposed values of these columns in an upsert. */
function excluded<C extends string>(...columns: C[]): Record<C, RawBuilder<never>> {
  return Object.fromEntries(columns.map((name) => [name, sql.ref(`excluded.${name}`)])) as Record<
    C,
    RawBuilder<never>
  >
}

import { refuse } from '../../../contract/errors.ts'
import {
  type checkPartnerImport as checking,
  type importPartners as endpoint,
  PARTNER_IMPORT_PREVIEWED,
} from '../../../contract/partners/import.ts'
import type { Handler } from '../../http/handler.ts'
import { allOrNone, ERRORS_SHOWN } from '../../services/import-rows.ts'
import { checkRows } from './import-check.ts'
import { insertPartners, newPartner } from './write.ts'

/** Checks an import (rules/partners#import-check). Writes nothing. */
export const checkPartnerImport: Handler<typeof checking> = async ({ db, language }, { rows }) => {
  const { partners, errors, warnings, nameOf } = await checkRows(db, rows, language)
  return {
    rowCount: rows.length,
    errorCount: errors.length,
    errors: errors.slice(0, ERRORS_SHOWN),
    warnings: warnings.slice(0, ERRORS_SHOWN),
    preview: partners.slice(0, PARTNER_IMPORT_PREVIEWED).map(({ input }) => ({
      ...input,
      affiliationName: nameOf(input.affiliationCode, language),
    })),
  }
}

/** Registers all rows or none in one transaction, after it repeats all checks (rules/partners#import-partners). */
export const importPartners: Handler<typeof endpoint> = async (call, { rows }) => {
  await call.db.transaction().execute(async (tx) => {
    const { partners, errors } = await checkRows(tx, rows, call.language)
    if (errors.length > 0) refuse('IMPORT_INVALID')
    const made = partners.map(({ input, region }) => newPartner(input, region))
    const ids = await allOrNone(() => insertPartners(tx, made))
    await call.auditEach(
      tx,
      made.map((detail, index) => ({ id: ids[index] ?? '', target: detail.code, detail })),
    )
  })
  return { rowCount: rows.length }
}

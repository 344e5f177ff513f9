import { can } from '../../../contract/permissions.ts'
import {
  type getSetup as readEndpoint,
  SETUP_STEPS,
  type SetupLack,
  type SetupStep,
  type updateSetup as updateEndpoint,
} from '../../../contract/settings.ts'
import { DEFAULT_ADMIN_EMAIL } from '../../config.ts'
import type { Handler } from '../../http/handler.ts'
import { findSetup } from './queries.ts'
import { mailSetup } from './test-mail.ts'

/** Returns which parts of the portal are set up, derived from the data (rules/settings#guide). */
export const getSetup: Handler<typeof readEndpoint> = async ({ db, actor, services: { config } }) => {
  const found = await findSetup(db, actor.id)
  const own = can(actor, 'autho_user_manage') ? 1 : 0
  const lacks: Partial<Record<SetupStep, SetupLack[]>> = {
    ownAccount: found.email === DEFAULT_ADMIN_EMAIL ? ['ownEmail'] : [],
    mail: mailSetup(config) === null ? ['mailServer'] : [],
  }
  const isDone: Record<SetupStep, boolean> = {
    ownAccount: found.has_password && found.email !== DEFAULT_ADMIN_EMAIL,
    company: found.company_name !== null,
    portalUrl: (found.portal_url ?? '') !== '' || config.portalUrl !== '',
    offices: found.has_offices,
    mail: found.mail_tested !== null && found.mail_tested === mailSetup(config),
    affiliations: found.has_partners,
    hr: found.administrators > own,
  }
  return {
    state: found.state,
    steps: SETUP_STEPS.map((step) => ({ step, done: isDone[step], lacks: lacks[step] ?? [] })),
  }
}

/** Postpones the setup guide, or finishes it. */
export const updateSetup: Handler<typeof updateEndpoint> = async (call, { state }) => {
  await call.db.transaction().execute(async (tx) => {
    await tx.updateTable('settings').set({ setup_state: state }).execute()
    await call.audit(tx, { target: 'portal', detail: { state } })
  })
  await call.services.settings.fresh()
  return {}
}

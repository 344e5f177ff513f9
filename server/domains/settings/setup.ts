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

/**
 * Returns the state of the setup guide, and its steps with whether each is done and what it lacks, derived from the
 * data (rules/settings#guide).
 */
export const getSetup: Handler<typeof readEndpoint> = async ({
  db,
  actor,
  services: { config, settings },
}) => {
  const mail = mailSetup(settings.mailServer())
  const found = await findSetup(db, actor.id)
  const own = can(actor, 'autho_user_manage') ? 1 : 0
  const lacks: Partial<Record<SetupStep, SetupLack[]>> = {
    ownAccount: found.email === DEFAULT_ADMIN_EMAIL ? ['ownEmail'] : [],
    mail: mail === null ? ['mailServer'] : [],
  }
  const isDone: Record<SetupStep, boolean> = {
    ownAccount: found.hasPassword && found.email !== DEFAULT_ADMIN_EMAIL,
    company: found.companyName !== null,
    portalUrl: (found.portalUrl ?? '') !== '' || config.portalUrl !== '',
    offices: found.hasOffices,
    mail: found.mailTested !== null && found.mailTested === mail,
    affiliations: found.hasPartners,
    profiles: found.profileEditorsDecided,
    hr: found.administrators > own,
  }
  return {
    state: found.state,
    steps: SETUP_STEPS.map((step) => ({ step, done: isDone[step], lacks: lacks[step] ?? [] })),
  }
}

/** Saves whether the setup guide is postponed or finished, with an audit row. Changes none of its steps. */
export const updateSetup: Handler<typeof updateEndpoint> = async (call, { state }) => {
  await call.db.transaction().execute(async (tx) => {
    await tx.updateTable('settings').set({ setupState: state }).execute()
    await call.audit(tx, { target: 'portal', detail: { state }, records: null })
  })
  await call.services.settings.fresh()
}

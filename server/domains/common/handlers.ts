import { ALL, CODE_GROUP, toTree } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { menuFor } from '../../../contract/pages.ts'
import { can } from '../../../contract/permissions.ts'
import type { Handlers } from '../../http/handler.ts'
import { requireAccess } from '../../http/authorize.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { findCodes } from './queries.ts'

/**
 * Handlers of the calls that every screen needs: code lists, the menu, a check of a permission, the state of the
 * session, and the caller's name and permissions.
 */
export const common: Handlers<'common'> = {
  /**
   * Returns the codes of a group in the caller's language. With `includeAll`, an entry for all codes is first and closed
   * affiliations are marked; without it, closed ones are left out. Only the affiliations are public, for the sign-up.
   * @throws {Refusal} as `requireAccess` of a guest who requests another group
   */
  async listCodes({ db, actor, language }, { codeGroup, includeAll, asTree }) {
    if (codeGroup !== CODE_GROUP.affiliation) requireAccess({ access: 'signed-in' }, actor)
    const t = catalogues[language].lists
    const found = await findCodes(db, codeGroup, language)
    const codes = asTree ? toTree(found, ({ code }) => code) : found
    // A filter also finds records in a closed affiliation, but no record can be put into it (rules/affiliations#close).
    if (!includeAll) return codes.filter(({ isClosed }) => !isClosed)
    const marked = codes.map(({ isClosed, codeName, ...code }) => ({
      ...code,
      codeName: isClosed ? t.closed(codeName) : codeName,
    }))
    return [{ code: ALL, codeName: t.all }, ...marked]
  },

  /** Returns the groups of menu items that the caller's permissions show, with titles in the caller's language. */
  async listMenus({ actor, language }) {
    const { titles, menu } = catalogues[language]
    const texts = { ...titles, ...menu.items }
    return menuFor(actor.functions).map(({ group, items }) => ({
      groupTitle: menu.groups[group],
      items: items.map(({ title, path }) => ({ itemTitle: texts[title], url: path })),
    }))
  },

  /** Refuses a caller who lacks a permission, with FUNCTION_DENIED. */
  async checkFunction({ actor }, { functionName }) {
    if (!can(actor, functionName)) refuse('FUNCTION_DENIED')
  },

  /** Returns permissions and remaining time of the session, as `readSession`. Leaves its idle timer. */
  checkSession: readSession,
  /** Returns the same, and restarts the idle timer of the session. */
  extendSession: readSession,

  /**
   * Returns login ID, name, role and permissions of the caller, and hints for the pages: the branch of a branch role,
   * the state of the setup guide, a missing mail server, and the day by which a second factor is required.
   */
  async getAuthority({ actor, language, services }) {
    const { setup } = services.settings.now()
    return {
      userId: actor.userId,
      name: actor.name,
      groupName: actor.groupName,
      groupLabel: language === 'ko' ? actor.groupName : actor.groupNameEn,
      functions: [...actor.functions],
      ...(actor.within !== null && { within: [...actor.within] }),
      ...(setup !== 'finished' && can(actor, 'autho_setting_manage') && { setup }),
      ...(services.settings.mailServer().smtpUrl === '' &&
        can(actor, 'autho_user_insert') && { mailMissing: true }),
      ...(actor.factorDay !== '' && { factorDay: actor.factorDay }),
    }
  },
}

/**
 * Returns the permissions of the caller's role, and the seconds until the session expires without activity and in any
 * case. Whether the call counts as activity is up to its endpoint.
 */
async function readSession({ actor }: { actor: SignedIn }) {
  const { groupName, functions, idleSeconds, absoluteSeconds } = actor
  return {
    groupName,
    functions: [...functions],
    // Never more than there is.
    idleSeconds: Math.floor(idleSeconds),
    absoluteSeconds: Math.floor(absoluteSeconds),
  }
}

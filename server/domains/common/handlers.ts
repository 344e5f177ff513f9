import { ALL, CODE_GROUP, toTree } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { menuFor } from '../../../contract/pages.ts'
import { can } from '../../../contract/permissions.ts'
import type { Handlers } from '../../http/handler.ts'
import { requireAccess } from '../../http/authorize.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { findCodes } from './queries.ts'

/** Calls that every screen needs: code lists, the menu, the caller's account. */
export const common: Handlers<'common'> = {
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

  async listMenus({ actor, language }) {
    const { titles, menu } = catalogues[language]
    const texts = { ...titles, ...menu.items }
    return menuFor(actor.functions).map(({ group, items }) => ({
      groupTitle: menu.groups[group],
      items: items.map(({ title, path }) => ({ itemTitle: texts[title], url: path })),
    }))
  },

  async checkFunction({ actor }, { functionName }) {
    if (!can(actor, functionName)) refuse('FUNCTION_DENIED')
  },

  checkSession: watched,
  extendSession: watched,

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
 * Returns the remaining time and permissions of the caller's session. Whether the call counts as activity is up to its
 * endpoint.
 */
async function watched({ actor }: { actor: SignedIn }) {
  const { groupName, functions, idleSeconds, absoluteSeconds } = actor
  return {
    groupName,
    functions: [...functions],
    // Never more than there is.
    idleSeconds: Math.floor(idleSeconds),
    absoluteSeconds: Math.floor(absoluteSeconds),
  }
}

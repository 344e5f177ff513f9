import { ALL, CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { can } from '../../../contract/permissions.ts'
import type { Handlers } from '../../http/handler.ts'
import { findCodes, findMenus } from './queries.ts'

/** What every screen needs: code lists, the menu, who I am (spec §7). */
export const common: Handlers<'common'> = {
  async listCodes({ db, actor, language }, { HIGH_CODE, IS_ALL }) {
    if (HIGH_CODE !== CODE_GROUP.affiliation) {
      if (actor === null) return refuse('SESSION_REQUIRED')
      if (actor.passwordTemporary) return refuse('PASSWORD_CHANGE_REQUIRED')
    }
    const codes = await findCodes(db, HIGH_CODE, language)
    const withAll = IS_ALL === true || IS_ALL === 'Y'
    return withAll ? [{ CODE: ALL, CODE_NAME: catalogues[language].lists.all }, ...codes] : codes
  },

  async listMenus({ db, actor, language }) {
    const items = await findMenus(db, actor.functions, language)
    const groups = Map.groupBy(items, (item) => item.high)
    return [...groups].map(([high, group]) => ({
      HIGH_MENU: high,
      DATA: group.map((item) => ({ LOW_MENU: item.low, URL: item.url })),
    }))
  },

  async checkFunction({ actor }, { FUNCTION_NAME }) {
    if (!can(actor, FUNCTION_NAME)) refuse('FUNCTION_DENIED')
    return {}
  },

  async checkSession({ actor }) {
    return { GROUP_NAME: actor.groupName, FUNCTIONS: [...actor.functions] }
  },

  async getAuthority({ actor, language }) {
    return {
      USER_ID: actor.userId,
      NAME: actor.name,
      GROUP_NAME: actor.groupName,
      GROUP_LABEL: language === 'ko' ? actor.groupName : actor.groupNameEn,
      FUNCTIONS: [...actor.functions],
    }
  },
}

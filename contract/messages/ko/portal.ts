import { affiliations } from './affiliations.ts'
import { approvals } from './approvals.ts'
import { exports } from './exports.ts'
import { files } from './files.ts'
import { keys } from './keys.ts'
import { lists } from './lists.ts'
import { notices } from './notices.ts'
import { partners } from './partners.ts'
import { settings } from './settings.ts'
import { users } from './users.ts'

/** The Korean texts of the pages with the menu; the page loads them with the first of these. */
export const portal = {
  affiliations,
  approvals,
  exports,
  files,
  /** Under a record; its rows bring their own texts. */
  history: {
    title: '변경 이력',
    open: '이력 보기',
    close: '이력 접기',
    last: (time: string, who: string, what: string) => `마지막 변경: ${time} ${who} · ${what}`,
    never: '변경 이력이 없습니다.',
    system: '시스템',
  },
  keys,
  lists,
  notices,
  partners,
  settings,
  titles: {
    // Its other texts come with what shows it.
    main: '홈',
    auditSearch: '감사 기록 조회',
    roleManage: '권한 관리',
    ...affiliations.titles,
    ...approvals.titles,
    ...keys.titles,
    ...notices.titles,
    ...partners.titles,
    ...settings.titles,
    ...users.titles,
  },
  users,
}

import type { Messages } from './messages/ko.ts'
import type { FunctionName } from './permissions.ts'

/** The groups of the header's menu, in order. */
export type MenuGroup = keyof Messages['menu']['groups']

/** A page, as the server's menu, the router and the tests use it. */
export interface Page {
  /** Its screen: the file `web/screens/<screen>.page.tsx`. */
  screen: `${string}/${string}`
  /** Key of its title (`titles` of its noun's texts), which is also the text of its menu item. */
  title: keyof Messages['titles']
  /** True if its path redirects to /login without a session. */
  needsLogin: boolean
  /** The permission without which its calls are refused. */
  permission?: FunctionName
  /** Another permission that opens it as well: the page offers the actions that the user may take. */
  orPermission?: FunctionName
  /**
   * True if the page checks that permission by a call of its own, and shows nothing before the response
   * (rules/frame#function-pages).
   */
  asksFirst?: true
  /** Its menu group; within a group, the menu has the order of this list. */
  menu?: MenuGroup
  /** The query parameters of its URL, which the router types; all others are dropped (rules/lists#list-address). */
  words?: readonly string[]
}

/** Properties of a page that needs no session. */
const open = { needsLogin: false } as const
/** Properties of a page for every user. */
const needsLogin = { needsLogin: true } as const
/** Creates the properties of a page that needs a permission. */
const forFunction = <F extends FunctionName>(permission: F) => ({ ...needsLogin, permission }) as const
/** Properties of a page for those who read users. */
const forReaders = { ...forFunction('autho_user_manage'), orPermission: 'autho_user_search' } as const
/** Properties of a page for those who search keys. */
const forKeys = { ...forFunction('autho_key_search'), orPermission: 'autho_key_own' } as const
/** Creates the properties of a page that checks a permission before it shows anything. */
const asksFor = <F extends FunctionName>(permission: F) =>
  ({ ...forFunction(permission), asksFirst: true }) as const
/** Properties of a page of the settings. */
const setting = asksFor('autho_setting_manage')
/** Properties of a page of the logs. */
const audit = asksFor('autho_audit_search')
/** Properties of a page about services and programs, with its menu group. */
const services = { ...asksFor('autho_service_manage'), menu: 'keys' } as const
/** Properties of a page about roles. */
const roles = asksFor('autho_role_manage')
/** Properties of a list in the settings menu without filters. */
const plainList = { menu: 'settings', words: ['page', 'perPage'] } as const

/** Query parameters for the first and the last day of a certificate of erasure. */
const spanWords = ['erasedFrom', 'erasedTo'] as const
/** The query parameters of every list, in addition to its filters. */
const listWords = ['page', 'perPage', 'sort', 'order'] as const
/** Query parameters for region, affiliation and partner, which `keyWords` contains. */
const placeWords = ['provinceName', 'districtName', 'affiliationCode', 'partnerCode'] as const
/** Query parameters of the key history and its charts. */
const keyWords = ['issuedFrom', 'issuedTo', ...placeWords, 'requesterName', 'userId', ...listWords] as const
/** Query parameters of the notice board. */
const noticeWords = ['searchType', 'searchText', 'show', 'page', 'perPage'] as const

/** Pages without the menu, by path: those before a session, and those that a login may require first. */
export const slimPages = {
  '/': { screen: 'account/login', title: 'login', ...open },
  '/login': { screen: 'account/login', title: 'login', ...open },
  '/logout': { screen: 'account/logout', title: 'logout', ...open },
  '/password': { screen: 'account/password', title: 'password', ...needsLogin },
  '/second-factor': { screen: 'account/set-up-factor', title: 'setUpFactor', ...needsLogin },
  '/privacy': { screen: 'account/privacy', title: 'privacy', ...open, words: ['version'] },
  '/find/id': { screen: 'account/find-id', title: 'findId', ...open },
  '/reset/pw': { screen: 'account/reset-password', title: 'resetPassword', ...open },
  '/sso': {
    screen: 'account/sso',
    title: 'login',
    ...open,
    words: ['code', 'state', 'iss', 'error', 'error_description', 'confirm'],
  },
  '/invitation': { screen: 'account/invitation', title: 'invitation', ...open },
  '/email': { screen: 'account/confirm-email', title: 'confirmEmail', ...open },
  '/signup': { screen: 'account/sign-up', title: 'signUp', ...open },
} as const satisfies Record<string, Page>

/** Pages with the menu, by path, in its order. */
export const framedPages = {
  '/main': { screen: 'home/home', title: 'main', ...needsLogin },
  '/mypage': { screen: 'users/own/my-page', title: 'myPage', ...needsLogin },
  '/notification/search': {
    screen: 'notifications/notifications',
    title: 'notifications',
    ...needsLogin,
    words: ['unreadOnly', 'page', 'perPage'],
  },
  '/notification/setting': {
    screen: 'notifications/notification-setting',
    title: 'notificationSetting',
    ...needsLogin,
  },
  // No route guard: their calls return 401 (rules/frame#login-guard).
  '/notice/search': {
    screen: 'notices/search/notice-search',
    title: 'noticeSearch',
    ...open,
    menu: 'notices',
    words: noticeWords,
  },
  '/notice/detail': {
    screen: 'notices/read/notice-detail',
    title: 'noticeDetail',
    ...open,
    words: ['noticeId', 'writer', 'user_id', ...noticeWords],
  },
  '/notice/insert': {
    screen: 'notices/write/notice-insert',
    title: 'noticeInsert',
    ...open,
    permission: 'autho_notice_insert',
    menu: 'notices',
    words: ['noticeId', 'writer', 'uploadId', ...noticeWords],
  },
  '/user/search': {
    screen: 'users/search/user-search',
    title: 'userSearch',
    ...forReaders,
    menu: 'users',
    words: [
      'keyword',
      'affiliationCode',
      'teamId',
      'name',
      'phoneNumber',
      'approvalCode',
      'roleCode',
      'partnerCode',
      'validity',
      'lastLogin',
      'lastLoginSince',
      'lastLoginDays',
      'withdrawn',
      'fields',
      ...listWords,
    ],
  },
  '/user/detail': {
    screen: 'users/record/user-detail',
    title: 'userDetail',
    ...forReaders,
    words: ['userId'],
  },
  '/user/withdrawn': {
    screen: 'users/record/withdrawn-user',
    title: 'userWithdrawn',
    ...forReaders,
    words: ['userId'],
  },
  '/user/approval': {
    screen: 'approvals/approvals',
    title: 'approvals',
    ...forFunction('autho_user_manage'),
    menu: 'users',
    words: ['keyword', ...listWords],
  },
  '/user/insert': {
    screen: 'users/record/user-insert',
    title: 'userInsert',
    ...asksFor('autho_user_insert'),
    menu: 'users',
    words: ['roleCode'],
  },
  '/user/import': {
    screen: 'users/import/user-import',
    title: 'userImport',
    ...forFunction('autho_user_insert'),
    orPermission: 'autho_user_manage',
    menu: 'users',
    words: ['mode'],
  },
  '/user/validity': {
    screen: 'users/search/validity',
    title: 'userValidity',
    ...asksFor('autho_user_manage'),
    menu: 'users',
  },
  '/colleague/search': {
    screen: 'users/search/colleagues',
    title: 'colleagues',
    ...needsLogin,
    menu: 'users',
    words: ['keyword', 'affiliationCode', 'teamId', 'page', 'perPage'],
  },
  '/organization': {
    screen: 'users/search/organization',
    title: 'organization',
    ...needsLogin,
    menu: 'users',
    words: ['affiliationCode', 'teamId', 'page', 'perPage'],
  },
  '/key/search': {
    screen: 'keys/key-search',
    title: 'keySearch',
    ...forKeys,
    menu: 'keys',
    words: keyWords,
  },
  '/key/statistics': {
    screen: 'keys/key-statistics',
    title: 'keyStatistics',
    ...forKeys,
    menu: 'keys',
    words: keyWords,
  },
  '/key/services': { screen: 'keys/key-services', title: 'keyServices', ...services },
  '/integration': { screen: 'keys/program-accounts', title: 'programAccounts', ...services },
  '/integration/webhooks': { screen: 'events/webhooks', title: 'webhooks', ...services },
  '/key/programs': {
    screen: 'keys/key-programs',
    title: 'keyPrograms',
    ...asksFor('autho_service_manage'),
    menu: 'keys',
    words: ['keyword', 'page', 'perPage'],
  },
  '/key/secrets': {
    screen: 'keys/key-secrets',
    title: 'keySecrets',
    ...asksFor('autho_service_manage'),
    menu: 'keys',
    words: ['page', 'perPage'],
  },
  '/developer': { screen: 'developer/developer', title: 'developer', ...needsLogin, words: ['call'] },
  '/partner/search': {
    screen: 'partners/partner-search',
    title: 'partnerSearch',
    ...asksFor('autho_partner_search'),
    menu: 'partners',
    words: ['partnerCode', 'affiliationCode', 'validFrom', 'validTo', 'nearLimit', ...listWords],
  },
  '/partner/insert': {
    screen: 'partners/partner-insert',
    title: 'partnerInsert',
    ...asksFor('autho_partner_search'),
    menu: 'partners',
  },
  '/partner/import': {
    screen: 'partners/partner-import',
    title: 'partnerImport',
    ...asksFor('autho_partner_search'),
    menu: 'partners',
  },
  '/partner/detail': {
    screen: 'partners/partner-detail',
    title: 'partnerDetail',
    ...asksFor('autho_partner_search'),
    words: ['partnerCode'],
  },
  '/setting/manage': { screen: 'settings/settings', title: 'settingManage', ...setting, menu: 'settings' },
  '/setting/security': {
    screen: 'settings/security',
    title: 'settingSecurity',
    ...setting,
    menu: 'settings',
  },
  '/setting/sso': { screen: 'settings/sso', title: 'settingSso', ...setting, menu: 'settings' },
  '/setting/mail': { screen: 'settings/mail', title: 'settingMail', ...setting, menu: 'settings' },
  '/setting/privacy': { screen: 'settings/privacy', title: 'settingPrivacy', ...setting, menu: 'settings' },
  '/setting/policy': { screen: 'audit/policy', title: 'settingPolicy', ...setting, menu: 'settings' },
  '/setting/system': { screen: 'settings/system', title: 'settingSystem', ...setting, menu: 'settings' },
  '/setting/retention': {
    screen: 'settings/retention',
    title: 'settingRetention',
    ...setting,
    menu: 'settings',
    words: ['page', 'perPage'],
  },
  '/setting/erasure': { screen: 'settings/erasure', title: 'settingErasure', ...setting, words: spanWords },
  '/affiliation/manage': {
    screen: 'affiliations/affiliations',
    title: 'affiliationManage',
    ...setting,
    menu: 'settings',
  },
  '/role/manage': { screen: 'roles/roles', title: 'roleManage', ...roles, menu: 'settings' },
  '/right/review': { screen: 'audit/reviews', title: 'reviews', ...roles, ...plainList },
  '/right/quarter': { screen: 'audit/review', title: 'review', ...roles, words: ['quarter'] },
  '/audit/search': {
    screen: 'audit/audit-search',
    title: 'auditSearch',
    ...audit,
    menu: 'settings',
    words: ['changedFrom', 'changedTo', 'actor', 'target', 'action', 'address', ...listWords],
  },
  '/access/search': {
    screen: 'audit/access-search',
    title: 'accessSearch',
    ...audit,
    menu: 'settings',
    words: ['accessedFrom', 'accessedTo', 'actor', 'subject', 'action', 'address', 'outcome', ...listWords],
  },
  '/access/detail': { screen: 'audit/access-detail', title: 'accessDetail', ...audit, words: ['accessId'] },
  '/access/inspection': { screen: 'audit/inspections', title: 'inspections', ...audit, ...plainList },
  '/access/leaks': { screen: 'audit/incidents', title: 'incidents', ...audit, ...plainList },
  '/access/leak': { screen: 'audit/incident', title: 'incident', ...audit, words: ['incidentId'] },
  '/access/month': { screen: 'audit/inspection', title: 'inspection', ...audit, words: ['month'] },
  '/setup': { screen: 'settings/setup', title: 'setup', ...setting },
} as const satisfies Record<string, Page>

/** Every page by its path. */
export const pages = { ...slimPages, ...framedPages }

/** The path of a page, such as '/user/search'. */
export type PagePath = keyof typeof pages

/** The names of the query parameters of a page's URL. */
export type WordOf<P> = P extends { words: readonly (infer Word extends string)[] } ? Word : never

/** Returns whether a page is offered to a user with these permissions: it needs none, or the user has one of its two. */
export function isOffered({ permission, orPermission }: Page, functions: readonly FunctionName[]): boolean {
  return (
    permission === undefined || [permission, orPermission].some((name) => name && functions.includes(name))
  )
}

/**
 * Returns the menu groups in which a user with these permissions may open a page, in the order of the menu, each with
 * these pages.
 */
export function menuFor(functions: readonly FunctionName[]) {
  const allowed = Object.entries<Page>(pages)
    .map(([path, page]) => ({ path, ...page }))
    .filter((page) => isOffered(page, functions))
  const groups = new Set(allowed.flatMap(({ menu }) => menu ?? []))
  return [...groups].map((group) => ({ group, items: allowed.filter(({ menu }) => menu === group) }))
}

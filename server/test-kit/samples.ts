import { CERTIFY_TYPE } from '../../contract/account.ts'
import { CODE_GROUP } from '../../contract/common.ts'
import type { Endpoint, InputOf } from '../../contract/endpoint.ts'
import type { contract, Domain } from '../../contract/index.ts'
import { BULLET, SEARCH_TYPE } from '../../contract/notices.ts'
import { PARTNER_TYPE } from '../../contract/partners.ts'
import { ROLE } from '../../contract/permissions.ts'
import { APPROVAL, ENDING, LAST_LOGIN, VALIDITY } from '../../contract/users.ts'
import { PASSWORD } from './people.ts'

/** The user and the partner that the samples name; a test that wants them accepted makes them. */
export const SAMPLE = {
  userId: 'sample.user',
  email: 'sample.user@example.com',
  partner: 'SAMPLE-1',
  role: 'AUT900',
}

type Samples = {
  [D in Domain]: {
    [K in keyof (typeof contract)[D]]: (typeof contract)[D][K] extends Endpoint
      ? Required<InputOf<(typeof contract)[D][K]>>
      : never
  }
}

const basicCard = {
  USER_ID: SAMPLE.userId,
  BELONGTO_CODE: 'BEL001',
  RANK: '과장',
  NAME: '김하늘',
  PHONE_NUMBER: '01012345678',
  E_MAIL: SAMPLE.email,
}
const adminCard = {
  EXPIRY_DATETIME_START: '2026-01-01',
  EXPIRY_DATETIME_END: '2099-12-31',
  PARTNER_CODE: SAMPLE.partner,
  AUTHORITYS_CODE: ROLE.user,
  APPROVA_CODE: APPROVAL.approved,
}
const importRow = {
  ...basicCard,
  USER_ID: 'imported.user',
  E_MAIL: 'imported@example.com',
  EXPIRY_DATETIME_START: '2026-01-01',
  EXPIRY_DATETIME_END: '2099-12-31',
  PARTNER_CODE: SAMPLE.partner,
  AUTHORITYS_CODE: ROLE.user as string,
}
const userFilters = {
  BELONGTO_CODE: 'BEL001',
  NAME: '김',
  PHONE_NUMBER: '010',
  APPROVA_CODE: 'ALL',
  AUTHORITYS_CODE: ROLE.user,
  PARTNER_CODE: 'SAMPLE',
  VALIDITY: VALIDITY.active,
  LAST_LOGIN: LAST_LOGIN.since,
  LAST_LOGIN_SINCE: '2026-01-01',
  LAST_LOGIN_DAYS: 90,
} as const
const page = { PAGE: 1, PER_PAGE: 5 }
const partner = {
  PARTNER_CODE: 'SAMPLE-2',
  PARTNER_TYPE: PARTNER_TYPE.partner,
  MAX_KEY_NUM_DAY: 10,
  MAX_KEY_NUM_WEEK: 50,
  MAX_KEY_NUM_MONTH: 100,
  TOTAL_KEY_NUM: -1,
  EXPIRY_DATETIME_START: '2026-01-01',
  EXPIRY_DATETIME_END: '2026-12-31 23:59:59',
  BELONGTO_CODE: 'BEL008',
  X: 126.9774,
  Y: 37.5949,
  SIDO_NAME: '서울특별시',
  SIGUNGU_NAME: '종로구',
}
const keyFilters = {
  BELONGTO_CODE: 'ALL',
  USER_NAME: '김',
  PHONE_NUMBER: '',
  ISSUANCE_DATETIME_START: '2026-01-01',
  ISSUANCE_DATETIME_END: '2026-12-31',
  SIDO_NAME: '서울특별시',
  SIGUNGU_NAME: 'ALL',
}
const noticeSettings = {
  PUBLISH_DATETIME: '2099-01-02 09:00',
  PINNED_UNTIL: '2099-12-31',
  MUST_READ: 'Y',
} as const
const file = { SAVE_FILE_NAME: '0b9f0c9e-3f0e-4c55-9a55-1f5a3b1a0001', SAVE_PATH: '2026/03' }

/**
 * An input that fits, for every call of the contract and with every field of it: what is wrong is made from
 * these. A call or a field without a sample does not compile.
 */
export const samples: Samples = {
  account: {
    login: { ID: SAMPLE.userId, PW: PASSWORD },
    logout: {},
    checkId: { ID: 'a.free.id' },
    certifyEmail: {
      E_MAIL: 'new@example.com',
      CERTIFY_TYPE_CODE: CERTIFY_TYPE.signUp,
      USER_ID: 'a.free.id',
      PHONE_NUMBER: '01012345678',
    },
    signUp: {
      ...basicCard,
      PASSWORD: 'another-Maru-2026!',
      CERTIFY_TYPE_CODE: CERTIFY_TYPE.signUp,
      CERTIFY_NUMBER: '123456',
    },
    findId: { E_MAIL: SAMPLE.email, CERTIFY_TYPE_CODE: CERTIFY_TYPE.findId, CERTIFY_NUMBER: '123456' },
    resetPassword: {
      USER_ID: SAMPLE.userId,
      E_MAIL: SAMPLE.email,
      CERTIFY_TYPE_CODE: CERTIFY_TYPE.resetPassword,
      CERTIFY_NUMBER: '123456',
    },
    checkPassword: { PASSWORD },
    listSessions: {},
    endOtherSessions: {},
    setPassword: { ORI_PASSWORD: PASSWORD, NEW_PASSWORD: 'another-Maru-2026!' },
  },
  users: {
    listUsers: { ...userFilters, SORT: 'NAME', ORDER: 'ASC', ...page },
    exportUsers: {
      ...userFilters,
      SORT: 'NAME',
      ORDER: 'ASC',
      FORMAT: 'csv',
      REASON: '계정 점검',
      PASSWORD,
    },
    checkImport: { ROWS: [importRow] },
    importUsers: { ROWS: [importRow], MANAGER_PASSWORD: PASSWORD },
    getUser: { USER_ID: SAMPLE.userId },
    updateUser: { INIT_USER_ID: SAMPLE.userId, ...basicCard, ...adminCard, VERSION: 'A'.repeat(22) },
    withdrawUser: { USER_ID: SAMPLE.userId },
    listEnding: { STATE: ENDING.ending, ...page },
    extendUser: { USER_ID: SAMPLE.userId, EXPIRY_DATETIME_END: '2026-12-31' },
    liftSuspension: { USER_ID: SAMPLE.userId },
    registerUser: {
      ...basicCard,
      ...adminCard,
      USER_ID: 'a.free.id',
      E_MAIL: 'new@example.com',
      PASSWORD: 'another-Maru-2026!',
      MANAGER_PASSWORD: PASSWORD,
    },
    listPartnersOfAffiliation: { BELONGTO_CODE: 'BEL001' },
    listRoles: {},
  },
  approvals: {
    listRequests: page,
    approveRequests: {
      REQUEST_LIST: ['1'],
      EXPIRY_DATETIME_START: '2026-01-01',
      EXPIRY_DATETIME_END: '2099-12-31',
      AUTHORITYS_CODE: ROLE.user,
      PARTNER_LIST: [{ BELONGTO_CODE: 'BEL001', PARTNER_CODE: SAMPLE.partner }],
    },
    refuseRequests: { REQUEST_LIST: ['1'], REASON: '소속을 다시 확인해주세요.' },
    listRequestsOfUser: { USER_ID: SAMPLE.userId },
  },
  common: {
    listCodes: { HIGH_CODE: CODE_GROUP.affiliation, IS_ALL: true },
    listMenus: {},
    checkFunction: { FUNCTION_NAME: 'autho_partner_search' },
    getAuthority: {},
    checkSession: {},
  },
  notices: {
    listNotices: {
      SEARCH_TYPE: SEARCH_TYPE.all,
      TITLE: '점검',
      USER_NAME: '점검',
      PINNED_FIRST: 'Y',
      ...page,
    },
    getNotice: { NOTICE_ID: '1' },
    createNotice: { BULLET_CODE: BULLET.notice, TITLE: '서버 점검', MEMO: '토요일\n22시', ...noticeSettings },
    updateNotice: {
      BULLET_CODE: BULLET.keyIssue,
      TITLE: '서버 점검',
      MEMO: '',
      NOTICE_ID: '1',
      ...noticeSettings,
      VERSION: '1',
    },
    deleteNotice: { NOTICE_ID: '1' },
    confirmNotice: { NOTICE_ID: '1' },
    listUnread: { NOTICE_ID: '1', ...page },
    remindUnread: { NOTICE_ID: '1' },
    uploadFile: {
      NOTICE_ID: '1',
      ORIGINAL_FILE_NAMES: '점검 안내.pdf',
      REPLACES_FILE_ID: file.SAVE_FILE_NAME,
    },
    beginUpload: {
      NOTICE_ID: '1',
      ORIGINAL_FILE_NAME: '점검 안내.pdf',
      FILE_SIZE: 1000,
      REPLACES_FILE_ID: file.SAVE_FILE_NAME,
    },
    finishUpload: { UPLOAD_ID: file.SAVE_FILE_NAME },
    cancelUpload: { UPLOAD_ID: file.SAVE_FILE_NAME },
    deleteFile: {
      NOTICE_ID: '1',
      FILE_ID: '1',
      DELETE_SAVE_FILE_NAMES: file.SAVE_FILE_NAME,
      SAVE_PATH: file.SAVE_PATH,
    },
    downloadFile: file,
    linkFile: file,
  },
  keys: {
    listKeys: {
      ...keyFilters,
      SORT: 'ISSUANCE_DATE',
      ORDER: 'ASC',
      ...page,
    },
    exportKeys: {
      ...keyFilters,
      SORT: 'ISSUANCE_DATE',
      ORDER: 'ASC',
      FORMAT: 'csv',
      REASON: '발급 내역 확인',
      PASSWORD,
    },
    listKeyProvinces: {},
    listKeyDistricts: { SIDO_NAME: '서울특별시' },
    issueKey: { REQUEST_KEY: 'device-0001' },
    revokeKey: { KEY_ID: '1', REASON: '단말기 분실' },
    verifyKey: { ISSUED_KEY: `MARU1.1.${'A'.repeat(43)}` },
    listServices: {},
    createService: { SERVICE_NAME: '지도 서비스' },
    revokeService: { SERVICE_ID: '1' },
    getPartnerUsage: { PARTNER_CODE: SAMPLE.partner },
    getKeyStatistics: keyFilters,
  },
  roles: {
    listRolesWithFunctions: {},
    createRole: { ROLE_NAME: '파트너 담당', ROLE_NAME_EN: 'Partner officer' },
    renameRole: { ROLE_CODE: SAMPLE.role, ROLE_NAME: '파트너 담당', ROLE_NAME_EN: 'Partner officer' },
    removeRole: { ROLE_CODE: SAMPLE.role },
    grantFunction: { ROLE_CODE: SAMPLE.role, FUNCTION_NAME: 'autho_partner_search' },
    revokeFunction: { ROLE_CODE: SAMPLE.role, FUNCTION_NAME: 'autho_key_search' },
    listRoleChanges: page,
  },
  partners: {
    listPartnerProvinces: {},
    listPartnerDistricts: { SIDO_NUMBER: '11' },
    checkPartnerCode: { ID: 'SAMPLE-2' },
    createPartner: partner,
    getPartner: { PARTNER_CODE: SAMPLE.partner },
    updatePartner: { ...partner, PARTNER_CODE: SAMPLE.partner, VERSION: 'A'.repeat(22) },
    deletePartner: { PARTNER_CODE: SAMPLE.partner },
    listPartners: {
      BELONGTO_CODE: 'ALL',
      PARTNER_CODE: 'S',
      EXPIRY_DATETIME_START: '2026-01-01',
      EXPIRY_DATETIME_END: '2026-12-31',
      SORT: 'PARTNER_CODE',
      ORDER: 'DESC',
      ...page,
    },
    exportPartners: {
      BELONGTO_CODE: 'ALL',
      PARTNER_CODE: 'S',
      EXPIRY_DATETIME_START: '2026-01-01',
      EXPIRY_DATETIME_END: '2026-12-31',
      SORT: 'PARTNER_CODE',
      ORDER: 'DESC',
      FORMAT: 'csv',
      REASON: '발급 한도 점검',
    },
  },
}

/** The sample of a call by where the contract keeps it. */
export function sampleOf({ domain, name }: { domain: Domain; name: string }): Record<string, unknown> {
  return samples[domain][name as never]
}

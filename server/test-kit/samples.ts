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
  userId: SAMPLE.userId,
  affiliationCode: 'BEL001',
  position: '과장',
  name: '김하늘',
  phoneNumber: '01012345678',
  email: SAMPLE.email,
}
const adminCard = {
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  partnerCode: SAMPLE.partner,
  roleCode: ROLE.user,
  approvalCode: APPROVAL.approved,
}
const importRow = {
  ...basicCard,
  userId: 'imported.user',
  email: 'imported@example.com',
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  partnerCode: SAMPLE.partner,
  roleCode: ROLE.user as string,
}
const userFilters = {
  affiliationCode: 'BEL001',
  name: '김',
  phoneNumber: '010',
  approvalCode: 'ALL',
  roleCode: ROLE.user,
  partnerCode: 'SAMPLE',
  validity: VALIDITY.active,
  lastLogin: LAST_LOGIN.since,
  lastLoginSince: '2026-01-01',
  lastLoginDays: 90,
} as const
const page = { page: 1, perPage: 5 }
const partner = {
  partnerCode: 'SAMPLE-2',
  partnerType: PARTNER_TYPE.partner,
  maxKeysPerDay: 10,
  maxKeysPerWeek: 50,
  maxKeysPerMonth: 100,
  maxKeysTotal: null,
  validFrom: '2026-01-01',
  validTo: '2026-12-31 23:59:59',
  affiliationCode: 'BEL008',
  longitude: 126.9774,
  latitude: 37.5949,
  provinceName: '서울특별시',
  districtName: '종로구',
}
const keyFilters = {
  affiliationCode: 'ALL',
  requesterName: '김',
  phoneNumber: '',
  issuedFrom: '2026-01-01',
  issuedTo: '2026-12-31',
  provinceName: '서울특별시',
  districtName: 'ALL',
}
const noticeSettings = {
  publishAt: '2099-01-02 09:00',
  pinnedUntil: '2099-12-31',
  mustRead: true,
} as const
const file = { storedName: '0b9f0c9e-3f0e-4c55-9a55-1f5a3b1a0001', storedPath: '2026/03' }

/**
 * An input that fits, for every call of the contract and with every field of it: what is wrong is made from
 * these. A call or a field without a sample does not compile.
 */
export const samples: Samples = {
  account: {
    login: { loginId: SAMPLE.userId, password: PASSWORD },
    logout: {},
    checkId: { userId: 'a.free.id' },
    certifyEmail: {
      email: 'new@example.com',
      certificationType: CERTIFY_TYPE.signUp,
      userId: 'a.free.id',
      phoneNumber: '01012345678',
    },
    signUp: {
      ...basicCard,
      password: 'another-Maru-2026!',
      certificationType: CERTIFY_TYPE.signUp,
      certificationCode: '123456',
    },
    findId: { email: SAMPLE.email, certificationType: CERTIFY_TYPE.findId, certificationCode: '123456' },
    resetPassword: {
      userId: SAMPLE.userId,
      email: SAMPLE.email,
      certificationType: CERTIFY_TYPE.resetPassword,
      certificationCode: '123456',
    },
    checkPassword: { password: PASSWORD },
    listSessions: {},
    endOtherSessions: {},
    setPassword: { currentPassword: PASSWORD, newPassword: 'another-Maru-2026!' },
  },
  users: {
    listUsers: { ...userFilters, sort: 'name', order: 'ASC', ...page },
    exportUsers: {
      ...userFilters,
      sort: 'name',
      order: 'ASC',
      format: 'csv',
      reason: '계정 점검',
      password: PASSWORD,
    },
    checkImport: { rows: [importRow] },
    importUsers: { rows: [importRow], managerPassword: PASSWORD },
    getUser: { userId: SAMPLE.userId },
    updateUser: { originalUserId: SAMPLE.userId, ...basicCard, ...adminCard, version: 'A'.repeat(22) },
    withdrawUser: { userId: SAMPLE.userId },
    listEnding: { state: ENDING.ending, ...page },
    extendUser: { userId: SAMPLE.userId, validTo: '2026-12-31' },
    liftSuspension: { userId: SAMPLE.userId },
    registerUser: {
      ...basicCard,
      ...adminCard,
      userId: 'a.free.id',
      email: 'new@example.com',
      password: 'another-Maru-2026!',
      managerPassword: PASSWORD,
    },
    listPartnersOfAffiliation: { affiliationCode: 'BEL001' },
    listRoles: {},
  },
  approvals: {
    listRequests: page,
    approveRequests: {
      requests: ['1'],
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      roleCode: ROLE.user,
      partners: [{ affiliationCode: 'BEL001', partnerCode: SAMPLE.partner }],
    },
    refuseRequests: { requests: ['1'], reason: '소속을 다시 확인해주세요.' },
    listRequestsOfUser: { userId: SAMPLE.userId },
  },
  common: {
    listCodes: { codeGroup: CODE_GROUP.affiliation, includeAll: true },
    listMenus: {},
    checkFunction: { functionName: 'autho_partner_search' },
    getAuthority: {},
    checkSession: {},
  },
  notices: {
    listNotices: {
      searchType: SEARCH_TYPE.all,
      title: '점검',
      author: '점검',
      pinnedFirst: true,
      ...page,
    },
    getNotice: { noticeId: '1' },
    createNotice: { bulletCode: BULLET.notice, title: '서버 점검', memo: '토요일\n22시', ...noticeSettings },
    updateNotice: {
      bulletCode: BULLET.keyIssue,
      title: '서버 점검',
      memo: '',
      noticeId: '1',
      ...noticeSettings,
      version: '1',
    },
    deleteNotice: { noticeId: '1' },
    confirmNotice: { noticeId: '1' },
    listUnread: { noticeId: '1', ...page },
    remindUnread: { noticeId: '1' },
    uploadFile: {
      noticeId: '1',
      fileName: '점검 안내.pdf',
      replacesFileId: file.storedName,
    },
    beginUpload: {
      noticeId: '1',
      fileName: '점검 안내.pdf',
      fileSize: 1000,
      replacesFileId: file.storedName,
    },
    finishUpload: { uploadId: file.storedName },
    cancelUpload: { uploadId: file.storedName },
    deleteFile: {
      noticeId: '1',
      fileId: '1',
      storedName: file.storedName,
      storedPath: file.storedPath,
    },
    downloadFile: file,
    linkFile: file,
  },
  keys: {
    listKeys: {
      ...keyFilters,
      sort: 'issuedAt',
      order: 'ASC',
      ...page,
    },
    exportKeys: {
      ...keyFilters,
      sort: 'issuedAt',
      order: 'ASC',
      format: 'csv',
      reason: '발급 내역 확인',
      password: PASSWORD,
    },
    listKeyProvinces: {},
    listKeyDistricts: { provinceName: '서울특별시' },
    issueKey: { requestKey: 'device-0001' },
    revokeKey: { keyId: '1', reason: '단말기 분실' },
    verifyKey: { issuedKey: `MARU1.1.${'A'.repeat(43)}` },
    listServices: {},
    createService: { serviceName: '지도 서비스' },
    revokeService: { serviceId: '1' },
    getPartnerUsage: { partnerCode: SAMPLE.partner },
    getKeyStatistics: keyFilters,
  },
  roles: {
    listRolesWithFunctions: {},
    createRole: { roleName: '파트너 담당', roleNameEn: 'Partner officer' },
    renameRole: { roleCode: SAMPLE.role, roleName: '파트너 담당', roleNameEn: 'Partner officer' },
    removeRole: { roleCode: SAMPLE.role },
    grantFunction: { roleCode: SAMPLE.role, functionName: 'autho_partner_search' },
    revokeFunction: { roleCode: SAMPLE.role, functionName: 'autho_key_search' },
    listRoleChanges: page,
  },
  partners: {
    listPartnerProvinces: {},
    listPartnerDistricts: { provinceCode: '11' },
    checkPartnerCode: { partnerCode: 'SAMPLE-2' },
    createPartner: partner,
    getPartner: { partnerCode: SAMPLE.partner },
    updatePartner: { ...partner, partnerCode: SAMPLE.partner, version: 'A'.repeat(22) },
    deletePartner: { partnerCode: SAMPLE.partner },
    listPartners: {
      affiliationCode: 'ALL',
      partnerCode: 'S',
      validFrom: '2026-01-01',
      validTo: '2026-12-31',
      sort: 'partnerCode',
      order: 'DESC',
      ...page,
    },
    exportPartners: {
      affiliationCode: 'ALL',
      partnerCode: 'S',
      validFrom: '2026-01-01',
      validTo: '2026-12-31',
      sort: 'partnerCode',
      order: 'DESC',
      format: 'csv',
      reason: '발급 한도 점검',
    },
  },
}

/** The sample of a call by where the contract keeps it. */
export function sampleOf({ domain, name }: { domain: Domain; name: string }): Record<string, unknown> {
  return samples[domain][name as never]
}

// Written by `npm run tables` from a migrated database. Do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { InspectionRule } from '../../contract/audit/inspections.ts'
import type { MailChoice } from '../../contract/notifications/kinds.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import type { ErasureMethod, RetentionKind } from '../../contract/settings/retention.ts'
import type {
  GrantReasons,
  NameSearch,
  ProfileEditors,
  SessionBinding,
  ValidityEnd,
} from '../../contract/settings/security.ts'

/** Column that may be null. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
/** Time that a statement may write as text. */
type Time = ColumnType<Date, Date | string, Date | string>
/** Time that the database sets if an insert states none. */
type GeneratedTime = ColumnType<Date, Date | string | undefined, Date | string>
/** Time that may be null. */
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** JSON, which a statement writes as text. */
type Json<T> = ColumnType<T, string, string>
/** JSON that the database sets if an insert states none. */
type GeneratedJson<T> = ColumnType<T, string | undefined, string>
/** JSON that may be null. */
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

/** The tables that the migrations create. */
export interface Database {
  accessAnnotations: { month: string; position: string; reason: string; annotatedAt: GeneratedTime }
  accessCounts: { day: string; act: string; call: string; refused: boolean; n: number }
  accessLog: {
    month: string
    position: string
    at: Time
    act: 'login' | 'read' | 'search' | 'change' | 'export'
    call: string
    actorId: Nullable<string>
    actor: string
    address: string
    requestId: string
    result: string
    detail: string
    subjects: string[]
    named: string[]
    hash: Buffer
  }
  accessLogChecks: { id: GeneratedAlways<string>; checkedAt: GeneratedTime; months: number; problems: number }
  accessLogHeads: {
    month: string
    position: string
    at: Time
    hash: Buffer
    archivedAt: NullableTime
    erasedAt: NullableTime
  }
  accountLinks: {
    tokenHash: Buffer
    userId: string
    kind: 'INVITATION' | 'EMAIL'
    email: Nullable<string>
    requestedBy: Nullable<string>
    tries: Generated<number>
    createdAt: GeneratedTime
    expiresAt: Time
  }
  accountNotices: { userId: string; kind: string; about: string; createdAt: GeneratedTime }
  approvalRequests: {
    id: GeneratedAlways<string>
    userId: Nullable<string>
    loginId: string
    name: string
    email: string
    affiliationCode: string
    requestedAt: GeneratedTime
    state: Generated<'waiting' | 'approved' | 'refused' | 'withdrawn'>
    decidedBy: Nullable<string>
    decidedAt: NullableTime
    reason: Nullable<string>
    kind: Generated<'account' | 'affiliation'>
    toAffiliationCode: Nullable<string>
  }
  auditCounts: { day: string; action: string; n: number }
  auditLog: {
    id: GeneratedAlways<string>
    at: GeneratedTime
    action: string
    actorId: Nullable<string>
    target: Nullable<string>
    detail: GeneratedJson<unknown>
    address: string
    requestId: string
    records: Nullable<string[]>
  }
  backupRuns: {
    id: GeneratedAlways<string>
    dueAt: Time
    folder: string
    begunAt: GeneratedTime
    endedAt: NullableTime
    failure: Nullable<string>
    rowCount: Nullable<string>
    fileCount: Nullable<string>
    missingCount: Nullable<string>
    bytes: Nullable<string>
    testedAt: NullableTime
    testFailure: Nullable<string>
    removedAt: NullableTime
  }
  certifications: {
    typeCode: string
    email: string
    loginId: string
    salt: Buffer
    codeHash: Buffer
    tries: Generated<number>
    expiresAt: Time
    requester: Generated<string>
    foreignTries: Generated<number>
  }
  codes: {
    groupCode: string
    code: string
    nameKo: string
    nameEn: string
    sortOrder: number
    closedAt: NullableTime
    defaultPartnerId: Nullable<string>
    parentCode: Nullable<string>
    isExternal: Generated<boolean>
  }
  dailyRuns: { job: string; day: string; doneAt: GeneratedTime }
  discardedFiles: {
    id: string
    noticeId: string
    savePath: string
    saveFileName: string
    originalName: string
    sizeBytes: string
    createdAt: Time
    discardedAt: GeneratedTime
  }
  districts: { code: string; provinceCode: string; name: string; x: number; y: number }
  erasures: {
    id: GeneratedAlways<string>
    at: GeneratedTime
    kind: RetentionKind
    method: ErasureMethod
    keptFor: number
    n: number
  }
  eventDeliveries: {
    webhookId: string
    auditId: string
    state: Generated<'waiting' | 'delivered' | 'dead'>
    attempts: Generated<number>
    nextAttemptAt: GeneratedTime
    attemptedAt: NullableTime
    status: Nullable<number>
    answer: Generated<string>
  }
  factorFailures: {
    userId: string
    passwordMark: Buffer
    failures: number
    since: GeneratedTime
    allFailures: Generated<number>
    allSince: GeneratedTime
  }
  factorResets: {
    id: GeneratedAlways<string>
    userId: string
    askedBy: string
    askedAt: GeneratedTime
    reason: string
    state: Generated<'waiting' | 'confirmed' | 'refused' | 'withdrawn' | 'needless'>
    decidedBy: Nullable<string>
    decidedAt: NullableTime
    decisionReason: Nullable<string>
  }
  fileLinks: {
    tokenHash: Buffer
    fileId: string
    sessionHash: Buffer
    createdAt: GeneratedTime
    usedAt: NullableTime
    usedAddress: Nullable<string>
  }
  functions: { name: FunctionName }
  heartbeat: {
    id: Generated<boolean>
    writtenAt: GeneratedTime
    trustedAt: GeneratedTime
    seenAt: GeneratedTime
    doubtedSince: NullableTime
  }
  identities: {
    id: GeneratedAlways<string>
    providerId: string
    subject: string
    userId: string
    createdAt: GeneratedTime
    lastLoginAt: NullableTime
  }
  identityProviders: {
    id: GeneratedAlways<string>
    name: string
    issuer: string
    clientId: string
    clientSecret: Buffer
    subjectClaim: Generated<'sub' | 'oid'>
    emailDomains: Generated<string[]>
    firstLogin: Generated<'refuse' | 'request' | 'create'>
    factorCounts: Generated<boolean>
    version: Generated<number>
    triedVersion: Nullable<number>
    enabledAt: NullableTime
    createdAt: GeneratedTime
    scimAffiliationCode: Nullable<string>
    scimStoppedAt: NullableTime
    scimReleasedUntil: NullableTime
    endsSession: Generated<boolean>
    groupsClaim: Generated<string>
    groupRoles: Generated<string[]>
  }
  incidentRecords: {
    id: GeneratedAlways<string>
    incidentId: string
    kind: 'KNOWN' | 'NOTICE' | 'NO_NOTICE' | 'REPORT' | 'NO_REPORT' | 'CLOSED'
    happenedAt: Time
    recordedAt: GeneratedTime
    recordedBy: string
    method: Generated<string>
    people: Generated<string>
    receiptNumber: Generated<string>
    remark: Generated<string>
    body: Generated<string>
  }
  incidents: {
    id: GeneratedAlways<string>
    title: string
    knownAt: Time
    notes: Generated<string>
    noticeDraft: Generated<string>
    reportDraft: Generated<string>
    createdAt: GeneratedTime
    createdBy: string
    closedAt: NullableTime
    leakCertainty: Generated<'POSSIBLE' | 'CONFIRMED'>
    records: Generated<number>
  }
  inspectionFindings: {
    id: GeneratedAlways<string>
    month: string
    rule: InspectionRule
    day: string
    personId: Nullable<string>
    loginId: string
    name: string
    address: string
    amount: string
    verdict: Generated<'' | 'EXPLAINED' | 'ACTION'>
    remark: Generated<string>
    remarkedAt: NullableTime
    remarkerId: Nullable<string>
    remarkerName: Generated<string>
  }
  inspections: {
    month: string
    records: string
    chainEnd: Buffer
    rules: Json<unknown>
    searchedAt: GeneratedTime
    searcherName: string
    opinion: Generated<string>
    signedAt: NullableTime
    signerLoginId: Generated<string>
    signerName: Generated<string>
  }
  installation: { id: Generated<string> }
  issuedKeys: {
    id: GeneratedAlways<string>
    userId: string
    requestKey: string
    partnerId: string
    affiliationCode: string
    provinceName: string
    districtName: string
    issuedAt: GeneratedTime
    cellId: Generated<string>
    issuedOn: GeneratedAlways<string | null>
    revokedAt: NullableTime
    revokedBy: Nullable<string>
    revokeReason: Nullable<string>
    secretVersion: Generated<number>
  }
  keyCells: {
    id: GeneratedAlways<string>
    partnerId: string
    affiliationCode: string
    provinceName: string
    districtName: string
  }
  keyMonths: { month: string; cellId: string; n: number }
  keySecrets: {
    version: number
    fingerprint: Buffer
    since: GeneratedTime
    forgottenAt: NullableTime
    liveKeys: Generated<number>
  }
  keyTotals: { affiliationCode: string; provinceName: string; day: string; n: number }
  keyUserTotals: { userId: string; n: number }
  keyWarnings: {
    partnerId: string
    period: 'day' | 'week' | 'month' | 'total'
    startsOn: string
    keyLimit: number
    mark: number
    queuedAt: GeneratedTime
  }
  leakPeople: {
    searchId: string
    personId: string
    calls: string[]
    touches: string
    firstAt: Time
    lastAt: Time
  }
  leakSearches: {
    id: GeneratedAlways<string>
    incidentId: string
    origin: 'ACCOUNT' | 'ADDRESS' | 'TOKEN' | 'EXPORT'
    accountId: Nullable<string>
    value: string
    searchedFrom: Time
    searchedTo: Time
    searchedAt: GeneratedTime
    searchedBy: string
    people: string
    records: string
  }
  logExports: {
    destination: 'syslog' | 'files'
    log: 'audit' | 'access'
    month: Nullable<string>
    position: string
    number: string
  }
  loginFailures: {
    loginId: string
    failures: number
    lastFailedAt: GeneratedTime
    network: Generated<string>
    total: Generated<number>
  }
  loginIdKeys: { id: GeneratedAlways<string>; sealed: Buffer; createdAt: GeneratedTime }
  loginIds: { loginId: string; userId: string }
  loginNetworks: { userId: string; network: string; lastLoginAt: GeneratedTime }
  loginTickets: {
    tokenHash: Buffer
    userId: string
    browserHash: Buffer
    passwordMark: Buffer
    createdAt: GeneratedTime
    challenge: Nullable<string>
    providerId: Nullable<string>
  }
  mailTemplates: {
    kind: string
    language: string
    subject: string
    text: string
    changedBy: string
    changedAt: GeneratedTime
  }
  mails: {
    id: GeneratedAlways<string>
    recipient: Nullable<string>
    subject: string
    text: string
    html: string
    createdAt: GeneratedTime
    expiresAt: NullableTime
    nextTryAt: GeneratedTime
    tries: Generated<number>
    lastError: Nullable<string>
    failedAt: NullableTime
    urgent: Generated<boolean>
    requester: Generated<string>
    turn: Generated<string>
  }
  noticeCommentMentions: { commentId: string; userId: string; name: string }
  noticeComments: {
    id: GeneratedAlways<string>
    noticeId: string
    authorId: Nullable<string>
    body: string
    createdAt: GeneratedTime
    editedAt: NullableTime
    threadId: Nullable<string>
    answeredId: Nullable<string>
  }
  noticeFiles: {
    id: string
    noticeId: string
    savePath: string
    saveFileName: string
    originalName: string
    sizeBytes: string
    createdAt: GeneratedTime
    missingSince: NullableTime
    downloads: Generated<number>
    picture: Nullable<string>
    width: Nullable<number>
    height: Nullable<number>
  }
  noticeReads: {
    noticeId: string
    userId: string
    viewedAt: GeneratedTime
    confirmedAt: NullableTime
    acknowledgedAt: NullableTime
  }
  noticeReminders: { userId: string; day: string; sent: number }
  notices: {
    id: GeneratedAlways<string>
    bulletCode: string
    title: string
    memo: Nullable<string>
    authorId: string
    createdAt: GeneratedTime
    updatedAt: GeneratedTime
    publishedAt: GeneratedTime
    pinnedUntil: Nullable<string>
    mustRead: Generated<boolean>
    version: Generated<number>
    remindedAt: NullableTime
    memoFormat: Generated<'plain' | 'markdown'>
    memoText: Nullable<string>
    audienceAffiliations: Nullable<string[]>
    audienceRoles: Nullable<string[]>
    allowComments: Generated<boolean>
    allowAcknowledgements: Generated<boolean>
  }
  notificationMails: { notificationId: string; at: GeneratedTime }
  notificationReads: { userId: string; notificationId: string; readAt: GeneratedTime }
  notificationStates: {
    userId: string
    readUntil: GeneratedTime
    hidden: Generated<string[]>
    mail: GeneratedJson<Record<string, MailChoice>>
  }
  notifications: {
    id: GeneratedAlways<string>
    kind: string
    userId: Nullable<string>
    partnerId: Nullable<string>
    detail: GeneratedJson<unknown>
    at: GeneratedTime
    noticeId: Nullable<string>
    actorId: Nullable<string>
  }
  partners: {
    id: GeneratedAlways<string>
    code: string
    type: 'fa' | 'pa'
    affiliationCode: string
    provinceCode: string
    provinceName: string
    districtName: string
    x: number
    y: number
    limitDay: Nullable<number>
    limitWeek: Nullable<number>
    limitMonth: Nullable<number>
    limitTotal: Nullable<number>
    validFrom: Nullable<string>
    validTo: Nullable<string>
    memo: Nullable<string>
    createdAt: GeneratedTime
    updatedAt: GeneratedTime
    name: Generated<string>
    contact: Generated<string>
    stoppedAt: NullableTime
  }
  passkeyEnrolments: { userId: string; challenge: string; createdAt: GeneratedTime }
  passkeys: {
    id: GeneratedAlways<string>
    userId: string
    name: string
    rpId: string
    credentialId: string
    publicKey: Buffer
    counter: string
    transports: string[]
    createdAt: GeneratedTime
    lastUsedAt: NullableTime
  }
  passwordHistory: {
    id: GeneratedAlways<string>
    userId: string
    passwordHash: string
    createdAt: GeneratedTime
  }
  privacyAcceptances: { userId: string; version: number; acceptedAt: GeneratedTime }
  privacyNotices: {
    version: number
    textKo: string
    textEn: string
    isMaterial: boolean
    publishedBy: string
    publishedAt: GeneratedTime
  }
  programAccounts: { userId: string; scopes: string[]; allowedNetworks: Generated<string[]> }
  programTokens: {
    id: GeneratedAlways<string>
    userId: string
    name: string
    tokenHash: Buffer
    previousHash: Nullable<Buffer>
    previousUntil: NullableTime
    createdAt: GeneratedTime
    expiresAt: Time
    lastUsedAt: NullableTime
    lastAddress: Nullable<string>
    networks: Generated<string[]>
    endedAt: NullableTime
    endReason: Nullable<'expired' | 'revoked' | 'account'>
    toldAt: GeneratedTime
    scopes: Generated<string[]>
    allowedNetworks: Generated<string[]>
  }
  provinces: { code: string; name: string }
  rateLimits: { key: string; points: Generated<number>; expire: Nullable<string> }
  recoveryCodes: { userId: string; codeHash: Buffer; createdAt: GeneratedTime; usedAt: NullableTime }
  rightsReviewItems: {
    id: GeneratedAlways<string>
    quarter: string
    roleCode: string
    roleName: string
    roleNameEn: string
    functions: FunctionName[]
    members: Nullable<string>
    personId: Nullable<string>
    loginId: Generated<string>
    name: Generated<string>
    mayLogIn: Nullable<boolean>
    lastLoginAt: NullableTime
    decision: Generated<'' | 'CONFIRMED' | 'WITHDRAWN'>
    remark: Generated<string>
    remarkedAt: NullableTime
    remarkerId: Nullable<string>
    remarkerName: Generated<string>
  }
  rightsReviews: {
    quarter: string
    takenAt: GeneratedTime
    takerName: string
    opinion: Generated<string>
    signedAt: NullableTime
    signerLoginId: Generated<string>
    signerName: Generated<string>
  }
  roleFunctions: { roleCode: string; functionName: FunctionName }
  roles: {
    code: string
    groupName: string
    nameEn: string
    sortOrder: number
    builtIn: Generated<boolean>
    factorRequiredSince: NullableTime
    span: Generated<'all' | 'branch'>
    devicesTrusted: Generated<boolean>
    ssoRequired: Generated<boolean>
  }
  roomProbe: { filler: Buffer }
  savedSearches: {
    id: GeneratedAlways<string>
    userId: string
    list: string
    name: string
    conditions: Json<unknown>
    createdAt: GeneratedTime
  }
  scimCandidates: {
    userId: string
    providerId: string
    userName: string
    externalId: Nullable<string>
    askedAt: GeneratedTime
  }
  scimEndings: { providerId: string; at: GeneratedTime }
  scimGroupMembers: { groupId: string; userId: string }
  scimGroups: {
    id: GeneratedAlways<string>
    providerId: string
    displayName: string
    externalId: Nullable<string>
    createdAt: GeneratedTime
    updatedAt: GeneratedTime
  }
  scimTokens: {
    id: GeneratedAlways<string>
    providerId: string
    tokenHash: Buffer
    createdBy: string
    createdAt: GeneratedTime
    lastUsedAt: NullableTime
  }
  scimUsers: {
    userId: string
    providerId: string
    userName: string
    externalId: Nullable<string>
    isMade: boolean
    attributes: GeneratedJson<unknown>
    suspendedAt: NullableTime
    withdrawnAt: NullableTime
    createdAt: GeneratedTime
    updatedAt: GeneratedTime
    emailChangedAt: NullableTime
  }
  servers: {
    id: string
    name: string
    storage: string
    keySecret: Buffer
    envelope: Buffer
    seenAt: GeneratedTime
  }
  serviceTokens: {
    id: GeneratedAlways<string>
    name: string
    tokenHash: Buffer
    createdAt: GeneratedTime
    createdBy: string
    lastUsedAt: NullableTime
    revokedAt: NullableTime
    revokedBy: Nullable<string>
    expiresAt: NullableTime
    previousHash: Nullable<Buffer>
    previousUntil: NullableTime
    toldAt: GeneratedTime
  }
  sessions: {
    tokenHash: Buffer
    userId: string
    createdAt: GeneratedTime
    lastUsedAt: GeneratedTime
    passwordCheckedAt: NullableTime
    address: string
    userAgent: string
    id: GeneratedAlways<string>
    placeKnown: Generated<boolean>
    movedAt: NullableTime
    factorCheckedAt: NullableTime
    factorCheckedBy: Nullable<string>
    challenge: Nullable<string>
    challengedAt: NullableTime
    bindingHash: Nullable<Buffer>
    factorMadeAt: NullableTime
    factorTries: Generated<number>
    providerId: Nullable<string>
  }
  settings: {
    id: Generated<boolean>
    companyName: Nullable<string>
    logoText: Nullable<string>
    portalUrl: Nullable<string>
    offices: NullableJson<unknown>
    logo: Nullable<Buffer>
    logoType: Nullable<string>
    logoDigest: Nullable<string>
    mailTested: Nullable<string>
    setupState: Generated<'open' | 'later' | 'finished'>
    changedAt: NullableTime
    changedBy: Nullable<string>
    sessionLimit: Generated<number>
    sessionBinding: Generated<SessionBinding>
    adminNetworks: Generated<string[]>
    reviewsFrom: Generated<string>
    noticeComments: Generated<boolean>
    noticeAcknowledgements: Generated<boolean>
    companyNameEn: Nullable<string>
    logoTextEn: Nullable<string>
    inspectionRules: GeneratedJson<unknown>
    retention: GeneratedJson<unknown>
    erasingFrom: GeneratedTime
    factorGraceDays: Generated<number>
    uploadQuotaMb: Generated<number>
    validityEnd: Generated<ValidityEnd>
    profileEditors: Generated<ProfileEditors>
    profileEditorsDecided: Generated<boolean>
    mailUrl: Nullable<string>
    mailUser: Generated<string>
    mailPassword: Nullable<Buffer>
    mailFrom: Nullable<string>
    sessionIdleMinutes: Generated<number>
    suspendAfterDays: Generated<number>
    accessLogMonths: Generated<number>
    backupKeep: Generated<number>
    backupTestDays: Generated<number>
    logCheckDays: Generated<number>
    lawNotes: GeneratedJson<unknown>
    nameSearch: Generated<NameSearch>
    grantReasons: Generated<GrantReasons>
    customFields: GeneratedJson<unknown>
    phoneNumbers: Generated<'mobile' | 'landline'>
    mailTemplatesVersion: Generated<number>
    positions: Generated<string[]>
  }
  ssoStates: {
    stateHash: Buffer
    providerId: string
    providerVersion: number
    purpose: 'login' | 'link' | 'try' | 'request' | 'confirm'
    userId: Nullable<string>
    nonce: string
    verifier: string
    bindingHash: Buffer
    createdAt: GeneratedTime
    subject: Nullable<string>
    email: Nullable<string>
  }
  storageMark: {
    onlyOne: Generated<boolean>
    marks: Generated<string[]>
    acceptedAt: NullableTime
    sweptAt: NullableTime
    stopped: Nullable<'owner' | 'mark' | 'mass'>
    unnamed: Generated<number>
  }
  teams: {
    id: GeneratedAlways<string>
    affiliationCode: string
    parentId: Nullable<string>
    name: string
    nameEn: Generated<string>
    createdAt: GeneratedTime
  }
  totpSecrets: {
    userId: string
    sealed: Buffer
    createdAt: GeneratedTime
    lastUsedAt: NullableTime
    lastStep: string
    sealedBy: Nullable<Buffer>
  }
  trustedDevices: {
    id: GeneratedAlways<string>
    userId: string
    tokenHash: Buffer
    userAgent: string
    address: string
    createdAt: GeneratedTime
    lastUsedAt: GeneratedTime
  }
  uploadDays: { userId: string; day: string; bytes: string }
  uploads: {
    id: string
    userId: string
    noticeId: Nullable<string>
    replacesFileId: Nullable<string>
    originalName: string
    sizeBytes: Nullable<string>
    savePath: string
    saveFileName: string
    storageState: Generated<string>
    createdAt: GeneratedTime
    touchedAt: GeneratedTime
    heldBy: Nullable<string>
    heldUntil: NullableTime
    releaseWanted: Generated<boolean>
    cancelled: Generated<boolean>
    finishedAt: NullableTime
    expectedBytes: Nullable<string>
    scannedAt: NullableTime
    quarantinedAt: NullableTime
    finding: Nullable<string>
    storedAt: NullableTime
    lastModified: Nullable<string>
    picture: Nullable<string>
    width: Nullable<number>
    height: Nullable<number>
    reservedBytes: Nullable<string>
  }
  userCounts: { affiliationCode: string; roleCode: string; approvalCode: string; n: number }
  userTeams: { userId: string; teamId: string; isMain: boolean }
  users: {
    id: GeneratedAlways<string>
    loginId: string
    passwordHash: string
    passwordTemporary: Generated<boolean>
    name: string
    position: string
    phoneNumber: string
    email: string
    affiliationCode: string
    roleCode: string
    approvalCode: string
    validFrom: Nullable<string>
    validTo: Nullable<string>
    partnerId: Nullable<string>
    language: Generated<'ko' | 'en'>
    createdAt: GeneratedTime
    updatedAt: GeneratedTime
    lastLoginAt: NullableTime
    withdrawnAt: NullableTime
    suspendedAt: NullableTime
    confirmedAt: GeneratedTime
    withdrawnBy: Nullable<string>
    withdrawnReason: Nullable<string>
    suspendedFor: Nullable<'LEAVE' | 'INCIDENT' | 'OTHER'>
    suspendedReason: Nullable<string>
    temporaryUntil: NullableTime
    wasApproved: GeneratedAlways<boolean>
    phoneShown: Generated<boolean>
    emailShown: Generated<boolean>
    erasedAt: NullableTime
    dutiesSince: GeneratedTime
    factorsResetAt: NullableTime
    passwordOwnFrom: NullableTime
    phoneHidden: Generated<boolean>
    emailHidden: Generated<boolean>
    breakGlass: Generated<boolean>
    employeeNumber: Nullable<string>
    customValues: GeneratedJson<unknown>
  }
  webhooks: {
    id: GeneratedAlways<string>
    name: string
    url: string
    secret: Buffer
    previousSecret: Nullable<Buffer>
    previousUntil: NullableTime
    kinds: Generated<string[]>
    createdBy: string
    createdAt: GeneratedTime
    disabledAt: NullableTime
    disabledByJob: Generated<boolean>
    failingSince: NullableTime
    pausedUntil: GeneratedTime
  }
}

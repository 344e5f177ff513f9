import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { code, recordVersion, userId } from '../fields.ts'
import { network } from '../networks.ts'
import { inputSchemasOf, namesOf, outputSchemasOf, type Setting, type ValuesOf } from './declared.ts'

/** The settings of the form that have a column of their own, with the card that they belong to. */
export const SECURITY_SETTINGS = {
  /** The users who maintain names and positions (rules/settings#profile-editors). */
  profileEditors: {
    card: 'profiles',
    choices: {
      users: { ko: '사용자 본인', en: 'Each user' },
      hr: { ko: '인사 담당자', en: 'HR' },
    },
    usual: 'users',
    label: { ko: '이름과 직급을 수정하는 사람', en: 'Who maintains names and positions' },
    hint: {
      ko: '인사 담당자를 선택하면 사용자는 내 정보에서 이름과 직급을 볼 수만 있습니다. 사용자를 관리할 수 있는 사람이 사용자 수정에서 변경합니다.',
      en: 'With HR, users can only read their name and position on their own page. Those who may manage users change them.',
    },
  },
  /** Whether the validity period of a user must have an end (rules/users#open-end). */
  validityEnd: {
    card: 'profiles',
    choices: {
      required: { ko: '반드시 입력', en: 'Required' },
      optional: { ko: '비워둘 수 있음', en: 'May be empty' },
    },
    usual: 'required',
    label: { ko: '유효기간 종료일 입력', en: 'End of the validity period' },
    hint: {
      ko: '비워둘 수 있으면 종료일이 없는 정규 직원의 계정은 만료되지 않습니다. 이미 입력한 종료일은 그대로 둡니다.',
      en: 'If it may be empty, accounts of permanent staff do not expire. Dates that were entered stay.',
    },
  },
  /** Whether the phone number of a user may be a landline (rules/users#landlines). */
  phoneNumbers: {
    card: 'profiles',
    choices: {
      mobile: { ko: '11자리만', en: '11 digits' },
      landline: { ko: '유선전화도 (9~11자리)', en: 'Landlines too (9 to 11 digits)' },
    },
    usual: 'mobile',
    label: { ko: '전화번호 자릿수', en: 'Phone numbers' },
    hint: {
      ko: '휴대전화가 없는 직원은 02-123-4567 같은 유선전화 번호를 입력할 수 있습니다. 다시 11자리만으로 바꿔도 이미 입력한 번호는 그대로 둡니다.',
      en: 'Staff without a mobile phone may enter a landline such as 02-123-4567. Numbers that were entered stay if you change it back.',
    },
  },
  /** Whether a permission is granted only with a reason (rules/roles#grant-records). */
  grantReasons: {
    card: 'records',
    choices: {
      optional: { ko: '묻지 않음', en: 'Not asked' },
      required: { ko: '반드시 입력', en: 'Required' },
    },
    usual: 'optional',
    label: { ko: '권한 부여 사유 입력', en: 'Reason for granting permissions' },
    hint: {
      ko: '반드시 입력하도록 하면 사용자의 권한을 변경하거나 가입을 승인할 때, 권한에 기능을 추가할 때 사유와 요청한 사람, 승인한 사람을 입력해야 합니다. 모두 감사 기록에 남습니다. 일반 사용자 권한은 묻지 않습니다.',
      en: 'If it is required, a change of roles, an approval and a permission added to a role need a reason, a requester and an approver, which the audit log keeps. The role Ordinary user needs none.',
    },
  },
  /** Minimum number of characters that a search by name needs (rules/settings#name-search). */
  nameSearch: {
    card: 'profiles',
    choices: {
      any: { ko: '한 글자부터', en: 'One character' },
      two: { ko: '두 글자부터', en: 'Two characters' },
    },
    usual: 'any',
    label: { ko: '사람을 찾을 때 입력할 글자 수', en: 'Minimum characters in a name search' },
    hint: {
      ko: '두 글자로 정하면 성 한 글자로 여러 사람의 정보를 한꺼번에 조회할 수 없습니다. 사용자, 임직원, 키 발급 이력의 이름 검색에 적용됩니다.',
      en: 'With two, nobody reads the data of many people by one letter of a family name. It applies to searches by name of users, the directory and the key history.',
    },
  },
  /** Days without a login after which an account is suspended; 0 for never (rules/users#suspension). */
  suspendAfterDays: {
    card: 'profiles',
    variable: 'SUSPEND_AFTER_DAYS',
    min: 30,
    max: 9999,
    isOptional: true,
    usual: 180,
    label: { ko: '장기 미사용 계정 정지(일)', en: 'Suspend inactive accounts (days)' },
    hint: {
      ko: (max, min) =>
        `${min}~${max}, 0이면 정지하지 않습니다. 이 기간 동안 로그인하지 않은 계정을 정지하며, 14일 전에 메일로 알립니다.`,
      en: (max, min) =>
        `${min} to ${max}; 0 is never. Accounts without a login for so long are suspended, after a mail 14 days before.`,
    },
  },
  /** Minutes without a call after which a session ends (rules/account#session). */
  sessionIdleMinutes: {
    card: 'sessions',
    variable: 'SESSION_IDLE_MINUTES',
    // The page warns two minutes before the end.
    min: 5,
    max: 1440,
    usual: 30,
    label: { ko: '자동 로그아웃 시간(분)', en: 'Idle timeout (minutes)' },
    hint: {
      ko: (max, min) =>
        `${min}~${max}분. 이 시간 동안 사용하지 않으면 자동으로 로그아웃되며, 2분 전에 화면에 알립니다.`,
      en: (max, min) =>
        `${min} to ${max} minutes. Unused sessions end after this time; the page warns two minutes before.`,
    },
  },
  /** Months that the access log stays in the database before it moves to files (rules/audit#access-log). */
  accessLogMonths: {
    card: 'records',
    variable: 'ACCESS_LOG_MONTHS',
    min: 12,
    max: 120,
    usual: 24,
    label: { ko: '접속기록 조회 기간(개월)', en: 'Access log in the database (months)' },
    hint: {
      ko: (max, min) =>
        `${min}~${max}개월. 지난 달은 서버의 압축 파일로 옮기고, 보관 기간(설정 > 보관과 파기)이 지나면 삭제합니다. 5만 명 이상이나 고유식별정보·민감정보를 처리하거나 기간통신사업자이면 24개월 이상이어야 합니다.`,
      en: (max, min) =>
        `${min} to ${max} months. Older months move to compressed files on the server, until their retention ends. With data of 50,000 people or more, unique or sensitive data, or as a telecommunications carrier, at least 24 months are required.`,
    },
  },
  /** Days in which the access log has to be verified again (rules/running#check-log). */
  logCheckDays: {
    card: 'records',
    min: 1,
    max: 366,
    usual: 31,
    label: { ko: '접속기록 검증 주기(일)', en: 'Days between checks of the access log' },
    hint: {
      ko: (max, min) =>
        `${min}~${max}일. 운영자가 서버에서 접속기록이 바뀌지 않았는지 이 주기 안에 검증해야 정책 점검에 적합으로 표시됩니다. 서명은 다른 곳의 저장소에도 보관해야 합니다.`,
      en: (max, min) =>
        `${min} to ${max} days. The policy page counts the log as guarded only if the operator verified it within this time and its signatures are also stored elsewhere.`,
    },
  },
  /**
   * Number of scheduled backups that are kept. The portal allows no fewer than the default, so that no thief deletes
   * older ones (rules/settings#backups).
   */
  backupKeep: {
    card: 'backups',
    variable: 'BACKUP_KEEP',
    min: 7,
    max: 1000,
    usual: 7,
    label: { ko: '보관하는 백업 수', en: 'Backups to keep' },
    hint: {
      ko: (max, min) =>
        `${min}~${max.toLocaleString('ko')}개. 새 백업이 끝나면 이 수를 넘는 오래된 백업을 지웁니다. 서버에 BACKUP_DIR이 설정되어 있어야 백업합니다.`,
      en: (max, min) =>
        `${min} to ${max.toLocaleString('en')}. After each backup, the oldest beyond this number are deleted. Backups need BACKUP_DIR on the server.`,
    },
  },
  /** Days between restore tests of the newest backup (rules/settings#backups). */
  backupTestDays: {
    card: 'backups',
    variable: 'BACKUP_TEST_DAYS',
    min: 1,
    max: 365,
    usual: 7,
    label: { ko: '백업 복구 시험 주기(일)', en: 'Days between restore tests' },
    hint: {
      ko: (max, min) => `${min}~${max}일마다 가장 최근 백업을 임시 데이터베이스에 복구해 확인합니다.`,
      en: (max, min) =>
        `Every ${min} to ${max} days the newest backup is restored into a temporary database.`,
    },
  },
  /** Days for which a user may log in without a required second factor (rules/settings#required-factors). */
  factorGraceDays: {
    card: 'factors',
    max: 90,
    usual: 14,
    label: { ko: '2단계 인증 등록 유예 기간', en: 'Days to set up a second factor' },
    hint: {
      ko: (max) =>
        `0~${max}일. 설정을 저장한 날이나 그 권한을 받은 날 중 늦은 날부터 셉니다. 기간이 지나면 로그인한 뒤 등록을 마칠 때까지 다른 화면을 사용할 수 없습니다. 0이면 바로 등록해야 합니다.`,
      en: (max) =>
        `0 to ${max} days, counted from the day of this setting or of receiving the role, whichever is later. After that, users must finish the setup after login before they can use other screens. 0 means immediately.`,
    },
  },
  /** Concurrent sessions of one user; 0 for no limit (rules/settings#session-limit). */
  sessionLimit: {
    card: 'sessions',
    max: 50,
    usual: 0,
    label: { ko: '동시 로그인 기기 수', en: 'Concurrent devices' },
    hint: {
      ko: (max) =>
        `0~${max}, 0이면 제한하지 않습니다. 넘으면 가장 먼저 로그인한 기기가 로그아웃됩니다. 계정을 여럿이 함께 쓰거나 쓰지 않는 기기에 로그인이 남는 것을 막습니다.`,
      en: (max) =>
        `0 to ${max}; 0 is no limit. Beyond the limit, the device that logged in first is logged out. This prevents shared accounts and forgotten logins on unused devices.`,
    },
  },
  /** Megabytes that one user may upload per day; 0 for no limit (rules/settings#upload-quota). */
  uploadQuotaMb: {
    card: 'uploads',
    max: 1_000_000,
    usual: 10_000,
    label: { ko: '1인당 하루 업로드 한도(MB)', en: 'Uploads per user and day (MB)' },
    hint: {
      ko: (max) =>
        `0~${max.toLocaleString('ko')}, 0이면 제한하지 않습니다. 공지사항의 첨부파일과 본문 사진을 합해 셉니다. 파일을 지워도 그날의 한도는 늘어나지 않고, 자정(한국 시간)에 다시 시작됩니다. 한 사람이 저장 공간을 모두 채우는 것을 막습니다.`,
      en: (max) =>
        `0 to ${max.toLocaleString('en')}; 0 is no limit. Attached files of notices and pictures in their text count together. Deleting a file does not restore the quota of that day. The count restarts at midnight in Korea. The limit keeps one user from filling the storage.`,
    },
  },
  /**
   * The binding of a session to its network: none, the network in which it began (for IPv4 the /24, for IPv6 the /64), or its exact
   * address (rules/settings#session-binding).
   */
  sessionBinding: {
    card: 'sessions',
    choices: {
      off: { ko: '어디서나', en: 'Anywhere' },
      network: {
        ko: '로그인한 대역에서만 (IPv4 /24, IPv6 /64)',
        en: 'Only in the network of the login (IPv4 /24, IPv6 /64)',
      },
      exact: { ko: '로그인한 IP 주소에서만', en: 'Only at the IP address of the login' },
    },
    usual: 'off',
    label: { ko: '세션을 사용할 수 있는 곳', en: 'Where a session may be used' },
    hint: {
      ko: '다른 곳에서 사용된 세션은 바로 종료되고 본인에게 알림이 갑니다. 세션을 가로채도 다른 곳에서는 사용할 수 없지만, 주소가 자주 바뀌는 모바일 회선에서는 다시 로그인해야 합니다.',
      en: 'A session that is used from elsewhere ends immediately, and its user is notified. A stolen session does not work elsewhere. On mobile connections whose address changes often, users have to log in again.',
    },
  },
} as const satisfies Record<
  string,
  Setting & { card: 'profiles' | 'factors' | 'sessions' | 'uploads' | 'records' | 'backups' }
>

/** The names of `SECURITY_SETTINGS`, in their order. */
export const SECURITY_NAMES = namesOf(SECURITY_SETTINGS)
/** The values of `SECURITY_SETTINGS` by name. */
export type SecuritySettings = ValuesOf<typeof SECURITY_SETTINGS>
/** Value of the setting `profileEditors`. */
export type ProfileEditors = SecuritySettings['profileEditors']
/** Value of the setting `validityEnd`. */
export type ValidityEnd = SecuritySettings['validityEnd']
/** Value of the setting `grantReasons`. */
export type GrantReasons = SecuritySettings['grantReasons']
/** Value of the setting `nameSearch`. */
export type NameSearch = SecuritySettings['nameSearch']
/** Value of the setting `sessionBinding`. */
export type SessionBinding = SecuritySettings['sessionBinding']

/** The most addresses in the list of administrators' networks. */
export const MAX_ADMIN_NETWORKS = 100

/** The most emergency accounts (rules/sso#emergency-accounts). */
export const MAX_EMERGENCY_ACCOUNTS = 3

/** The most roles in a list of the form: more than any portal has. */
const MAX_FACTOR_ROLES = 500

/** A list of role codes, each once. */
const roleCodes = z.array(code, 'notAList').check(
  z.maxLength(MAX_FACTOR_ROLES, `maxLength|${MAX_FACTOR_ROLES}`),
  z.overwrite((codes) => [...new Set(codes)]),
)

/** The fields of the form of the security settings. */
export const securityForm = z.strictObject({
  /** Codes of the roles whose users must have a second factor. */
  factorRoles: roleCodes,
  /** Codes of the roles whose users may trust devices. */
  trustRoles: roleCodes,
  /** Codes of the roles whose users log in by single sign-on alone. */
  ssoRoles: roleCodes,
  /** Login IDs of the administrators who may still log in by password. */
  emergencyAccounts: z.array(userId, 'notAList').check(
    z.maxLength(MAX_EMERGENCY_ACCOUNTS, `tooManyChosen|${MAX_EMERGENCY_ACCOUNTS}`),
    z.overwrite((ids) => [...new Set(ids)]),
  ),
  ...inputSchemasOf(SECURITY_SETTINGS),
  adminNetworks: z.array(network, 'notAList').check(
    z.maxLength(MAX_ADMIN_NETWORKS, `tooManyNetworks|${MAX_ADMIN_NETWORKS}`),
    z.overwrite((networks) => [...new Set(networks)]),
  ),
})

/** Access policy of the calls about security settings. */
const manage = { function: ['autho_setting_manage'] } as const

/**
 * Returns the settings that protect accounts and sessions, which of them an environment variable fixes, all roles, and
 * the caller's IP address (rules/settings#security).
 */
export const getSecurity = endpoint({
  path: '/set/v1/get/security',
  summary: 'Security settings',
  access: manage,
  output: z.object({
    /** Every role, by its code and its name in the caller's language. */
    roles: z.array(z.object({ roleCode: z.string(), roleName: z.string() })),
    factorRoles: z.array(z.string()),
    trustRoles: z.array(z.string()),
    ssoRoles: z.array(z.string()),
    emergencyAccounts: z.array(z.string()),
    ...outputSchemasOf(SECURITY_SETTINGS),
    /** The settings that an environment variable fixes. */
    fixed: z.array(z.object({ field: z.enum(SECURITY_NAMES), variable: z.string() })),
    adminNetworks: z.array(z.string()),
    /** IP address of the caller, as the server sees it. */
    address: z.string(),
    version: recordVersion,
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Saves the security settings. RECORD_CHANGED if another user has saved since the caller read them; ADDRESS_SHUTS_OUT
 * for a list without the caller's address; ADMIN_REACH_REQUIRED for a caller who does not reach administrators;
 * ROLE_NOT_FOUND for a removed role; SETTING_FIXED for a change of a setting that an environment variable fixes;
 * EMERGENCY_ACCOUNT_NEEDED and EMERGENCY_ACCOUNT_UNFIT for single sign-on. Roles that need single sign-on and emergency
 * accounts stay as they are if they are left out.
 */
export const updateSecurity = endpoint({
  path: '/set/v1/upd/security',
  summary: 'Change the security settings',
  access: manage,
  confirmed: 'always',
  // The caller leaves out what an environment variable fixes, because its value may be outside the bounds.
  input: z.extend(z.partial(securityForm, { ssoRoles: true, emergencyAccounts: true }), {
    version: recordVersion,
  }),
  errors: [
    'RECORD_CHANGED',
    'ADDRESS_SHUTS_OUT',
    'ADMIN_REACH_REQUIRED',
    'ROLE_NOT_FOUND',
    'SETTING_FIXED',
    'EMERGENCY_ACCOUNT_NEEDED',
    'EMERGENCY_ACCOUNT_UNFIT',
  ],
  audit: 'setting.update',
  auditsChangeOnly: true,
  personal: 'none',
})

import { failures } from './failures.ts'
import { files } from './files.ts'
import { partners } from './partners.ts'
import type { Messages } from '../ko.ts'

/** `ko/errors.ts` in English. */
export const errors: Messages['errors'] = {
  ...failures,
  ...files.failures,
  ENVELOPE_INVALID: 'The request could not be read. Reload the page and try again.',
  INPUT_INVALID: 'Please check what you entered.',
  SERVICE_TOKEN_REQUIRED: 'The service token is not valid.',
  PROGRAM_TOKEN_REQUIRED: 'The program token is invalid or was ended.',
  PROGRAM_TOKEN_SCOPE: 'This program token may not make this call.',
  SESSION_MOVED:
    'You were logged out because the session was used from another address. Please log in again.',
  ADDRESS_REFUSED:
    'Administrators may use the portal from allowed addresses only. Please log in again from one of them.',
  LOGIN_ADDRESS_REFUSED: 'Administrators may log in from allowed addresses only.',
  CONFIRMATION_REQUIRED: 'Please enter your password again for this action.',
  SESSION_NOT_FOUND: 'This device is already logged out.',
  DEVICE_NOT_FOUND: 'This device was already removed.',
  ADDRESS_SHUTS_OUT:
    'Your current address is not on the list, so you could no longer log in after saving. Please add it.',
  SSO_PROVIDER_NOT_FOUND:
    'This single sign-on is not available now. Reload the page or log in with your password.',
  SSO_UNAVAILABLE:
    'The single sign-on server cannot be reached. Try again later, or log in with your password.',
  SSO_STATE_INVALID: 'This login has expired, was already used, or began in another browser. Start again.',
  SSO_DENIED: 'You canceled the single sign-on, or its server refused it.',
  SSO_CLIENT_REFUSED:
    'The single sign-on server refused the settings of this portal. Its client secret may have expired: tell an administrator. You can log in with your password.',
  SSO_ANSWER_INVALID:
    'The answer of the single sign-on server cannot be trusted, so you are not logged in. Try again, or log in with your password.',
  SSO_DOMAIN_REFUSED:
    'This account has no email address of an allowed domain. Try again with your company account.',
  SSO_ACCOUNT_UNKNOWN:
    'No portal account is linked. If you have one, link it first. A provider that sends no email address is linked on your own page.',
  SSO_EMAIL_DIFFERS: 'Use the email address of your single sign-on account.',
  SSO_TAKEN:
    'That account is linked with another portal account, or you have linked this single sign-on already.',
  SSO_REQUIRED:
    'This account logs in by single sign-on only. Use the single sign-on button on the login page.',
  SSO_CONFIRMATION_UNAVAILABLE:
    'The single sign-on server does not say when you logged in again, so it cannot confirm it is you. Set up a second factor, or ask an administrator.',
  EMERGENCY_ACCOUNT_NEEDED: 'Required single sign-on needs at least one emergency account.',
  EMERGENCY_ACCOUNT_UNFIT:
    'Only administrators who can log in, and have a password of their own and a second factor, can be emergency accounts.',
  SSO_DOMAINS_NEEDED: 'Enter email domains to create accounts without approval.',
  SSO_NOT_TRIED: 'Enable it after a successful test login with the present settings.',
  SSO_LINKED: 'Users are linked, so issuer and subject claim cannot change. Add another single sign-on.',
  SSO_FULL: 'At most five single sign-ons can be added.',
  SSO_SECRET_REQUIRED: 'Enter the client secret.',
  SCIM_TOKEN_REQUIRED: 'The SCIM token is not valid.',
  SCIM_PROVIDER_OFF: 'This single sign-on is disabled, so Maru handles no SCIM requests.',
  SCIM_STOPPED:
    'Too many accounts were suspended or withdrawn in a short time. An administrator can let it go on in the portal.',
  SCIM_TOKENS_FULL: 'A single sign-on has at most two tokens. End one first.',
  SCIM_TOKEN_NOT_FOUND: 'This token has already ended.',
  SCIM_AFFILIATION_REQUIRED: 'Choose the affiliation of new accounts first.',
  SCIM_NOT_STOPPED: 'It already goes on.',
  SCIM_GROUP_NOT_FOUND: 'The group does not exist.',
  SCIM_CANDIDATE_NOT_FOUND: 'One of the accounts cannot be adopted. Refresh the list and try again.',
  ADMIN_REACH_REQUIRED:
    'This setting affects administrators. Only users who may manage administrators can change it.',
  PASSWORD_CHANGE_REQUIRED: 'Please change your temporary password first.',
  FACTOR_SETUP_REQUIRED:
    'This account must have a second factor. Please log in to the portal and set one up.',
  PRIVACY_ACCEPTANCE_REQUIRED:
    'This account must accept the privacy notice. Please log in to the portal and accept it.',
  PRIVACY_NOTICE_MISSING: 'This privacy notice does not exist.',
  PRIVACY_NOTICE_CHANGED: 'The privacy notice has changed. Please read it and accept it again.',
  PATH_NOT_FOUND: 'This API path does not exist.',
  METHOD_NOT_ALLOWED: 'Only POST requests are accepted.',
  CROSS_SITE: 'Requests from other sites are not accepted.',
  CONTENT_TYPE_UNSUPPORTED: 'A request must be application/json.',
  PAYLOAD_TOO_LARGE: 'The request is too large. Please shorten it and try again.',
  TOO_MANY_CALLS: 'You have sent too many requests in a short time. Please try again in a moment.',
  TOO_MANY_TRIES: 'Too many requests. Please try again in a moment.',
  LOGIN_FAILED: 'The ID or the password is not correct.',
  PASSWORD_DISABLED:
    'After too many wrong passwords in a row the password of this ID is disabled. Reset your password, or ask an administrator to unlock the account.',
  LOGIN_LOCKED: 'After 5 wrong passwords this ID cannot log in for 15 minutes. Please try again later.',
  ACCOUNT_NOT_APPROVED:
    'This account is not approved yet. Please log in after an administrator has approved it.',
  ACCOUNT_NOT_YET_VALID: 'This account is not valid yet. Please contact the administrator.',
  ACCOUNT_EXPIRED: 'This account has expired. Please contact the administrator.',
  ACCOUNT_SUSPENDED:
    'This account was suspended because it was not used for a long time. Please contact the administrator.',
  ACCOUNT_SUSPENDED_BY_HAND:
    'This account has been suspended by an administrator. Please ask an administrator.',
  ACCOUNT_WITHDRAWN: 'This account has been withdrawn.',
  TEMPORARY_PASSWORD_ENDED:
    'The temporary password no longer works: it has expired, or the second factor of the account was reset. Use "Reset password" or ask an administrator. After a reset of the second factor this is possible once 3 days have passed.',
  SECOND_FACTOR_REQUIRED: 'A second factor is needed.',
  SECOND_FACTOR_WRONG: 'The code is not correct, or it has been used. Please check it again.',
  SECOND_FACTOR_LOCKED: 'After several wrong codes, you cannot log in right now. Please try again later.',
  TICKET_INVALID: 'The login has taken too long. Please start over with your ID and password.',
  ENROLMENT_INVALID: 'The setup has taken too long. Please start over.',
  PASSKEY_INVALID: 'The passkey could not be verified. Please try again.',
  PASSKEY_CLONED:
    'This passkey may have been copied and cannot be used. Please log in another way, delete it and tell an administrator.',
  PASSKEYS_FULL: 'You can have 10 passkeys. Please remove one that is not in use first.',
  PASSKEYS_UNAVAILABLE:
    'Passkeys need a portal address that begins with https and is a domain name. Please ask an administrator.',
  FACTOR_NOT_FOUND: 'No second factor is set up.',
  FACTOR_NEEDED:
    'This account must have a second factor, so the last one cannot be removed. Please set another one up first.',
  RESET_NOT_FOUND: 'This request was already decided, or it has expired. Please reload the page.',
  RESET_WAITS: 'A reset was already requested. It is waiting for another administrator.',
  RESET_NEEDS_TWO:
    'No other administrator can confirm a reset. It takes one who has had a second factor for 3 days, who did not make or change your account within 30 days, nor you theirs, and who did not register, invite or rename this user, send a password or request another e-mail. Please ask the server operator to run maru admin reset.',
  RESET_OWN:
    'The administrator who requested the reset can neither confirm nor reject it. Another administrator must.',
  RESET_NOT_OWN: 'Only the requester can cancel it.',
  RESET_ASKER_GONE:
    'The requester may no longer administer this account, so the request cannot be confirmed. Please reject it and make a new request.',
  FOUR_EYES_FACTOR:
    'Two administrators must confirm this, each with an authenticator app or a passkey of their own that they set up at least 3 days ago. Set up a second factor, wait until it is 3 days old, or log in again with an older one instead of a recovery code.',
  FOUR_EYES_RELATED:
    'The administrators are not independent. Within 30 days one of them, or the same third person, made, approved, changed or reset the account of the other. Or one of them registered, invited or renamed the user of this request, sent this user a password, or requested another e-mail. Or the requester set up the second factor less than 3 days ago. Another administrator has to request or confirm it. If there is none, ask the server operator to run maru admin reset.',
  FACTOR_RESET_HOLD:
    'The second factor of this account was reset, or an identity provider changed its e-mail, within the last 3 days. Until then only its user can change the e-mail and the password, after logging in. Try again later, or ask the server operator to run maru admin reset.',
  PASSWORD_NEEDED: 'To confirm the change, please enter your old password.',
  PASSWORD_WRONG: 'The password is not correct. Please enter it again.',
  PASSWORD_REUSED: 'Your last 3 passwords cannot be used again.',
  PASSWORD_COMMON: 'This password is too common. Please choose another one.',
  PASSWORD_PERSONAL: 'The password must not contain your ID, phone number or e-mail address.',
  PASSWORD_CHECK_REQUIRED: 'Please confirm your password again.',
  CERTIFICATION_FAILED: 'The verification code is not correct. Please check it again.',
  LINK_INVALID: 'The link is invalid, already used, or expired. Please ask an administrator for another one.',
  DISK_FULL:
    "The server's disk is full, so nothing can be saved right now. You can still read. Please tell the administrator, and try again later.",
  MAIL_UNAVAILABLE: 'Mail cannot be sent right now. Please try again in a moment.',
  USER_ID_TAKEN: 'This ID is already in use.',
  EMAIL_TAKEN: 'This e-mail address is already in use.',
  EMPLOYEE_NUMBER_TAKEN: 'Another user has this employee number.',
  USER_NOT_FOUND: 'The user could not be found.',
  USER_NOT_APPROVED: 'Only approved users can be withdrawn.',
  USER_NOT_REMOVABLE:
    'Only an account that was never approved and has no waiting request can be deleted, and none with keys or notices.',
  EMAIL_READ_ONLY: 'The e-mail address cannot be changed.',
  PROFILE_READ_ONLY: 'Only HR changes names and positions. Please ask HR if yours must change.',
  SEARCH_NOT_FOUND: 'This saved search could not be found.',
  SEARCH_NAME_TAKEN: 'You already use this name. Please enter another one.',
  SEARCHES_FULL: 'You can save up to 20 searches. Please delete one that you no longer need.',
  BULK_TOO_LARGE: 'Up to 10,000 records can be changed at a time. Please narrow the search.',
  KEYS_TOO_MANY:
    'More than 10,000 keys cannot be revoked together with the withdrawal. Without the option, the keys expire with the withdrawal.',
  BULK_NOBODY: 'None of the selected records can be changed.',
  RENAMES_USED: 'You can change your own ID 3 times in 30 days. Try again later, or ask an administrator.',
  INCIDENT_LIFT:
    'This account was suspended for a security incident. Only a user who may manage administrators can lift that.',
  RESTORE_TOO_LATE: 'More than 30 days have passed since the withdrawal. It can no longer be undone.',
  LAST_ADMIN: 'The last administrator cannot be withdrawn, given another role or moved to another company.',
  LAST_ADMIN_ENDS:
    'The day after which no administrator can log in would come earlier. Please extend the validity of another administrator first.',
  RECORD_CHANGED:
    'Another user changed this record in the meantime. Please check the current record and save again.',
  FUNCTION_DENIED: 'You do not have permission.',
  IMPORT_INVALID: 'Some rows are wrong, so nothing was saved. Please check the file again.',
  EXPORT_BUSY: 'Other exports are running. Please try again in a moment.',
  EXPORT_TOO_LARGE: 'An Excel sheet can hold up to 1,048,575 rows. Narrow the search or choose CSV.',
  CODE_NOT_FOUND: 'This value is not in the list. Please choose again.',
  SETTING_FIXED:
    'This setting is fixed and cannot be changed here. Please check the environment variables of the server.',
  MAIL_PASSWORD_REQUIRED: 'Enter the password again after changing the mail server or its user.',
  LOGO_INVALID: 'Only PNG, JPEG and WebP images can be used.',
  ROLE_NOT_FOUND: 'The role could not be found.',
  ROLE_NAME_TAKEN: 'Another role already uses this name.',
  ROLE_IN_USE: 'This role cannot be deleted because users have it.',
  ROLE_BUILT_IN: 'A built-in role cannot be renamed or deleted.',
  ROLE_FIXED: 'The permissions of the administrator role cannot be changed.',
  ROLE_OF_BRANCH: 'A branch role cannot have this permission, because it is for the whole company.',
  AFFILIATION_OWN_EXTERNAL: 'Your own affiliation cannot become another company.',
  AFFILIATION_PARENT: 'An affiliation cannot be below itself, and there are at most four levels.',
  REQUEST_NOT_FOUND: 'The request for approval could not be found.',
  REQUEST_DECIDED: 'Another user has decided a request in the meantime, so nothing was changed.',
  PARTNER_CHOICE_MISSING: 'Please choose a partner code for every affiliation among the requests.',
  ACCESS_NOT_FOUND: 'This access record could not be found. Expired records are kept in files.',
  INSPECTION_NOT_FOUND:
    'This month cannot be inspected. Only past months with access records can be inspected.',
  INSPECTION_SIGNED: 'This month has been signed off. Its inspection can no longer be changed.',
  INSPECTION_ARCHIVED: 'The access records of this month are kept in a file and cannot be inspected.',
  REVIEW_NOT_FOUND:
    'This quarter cannot be reviewed. You can review only the permissions of the current quarter.',
  REVIEW_SIGNED: 'This quarter has been signed off. Its review can no longer be changed.',
  REVIEW_OPEN: 'Some permissions are not decided yet. Decide all of them before you sign off.',
  REVIEW_OWN: 'Another user has to review your own permissions.',
  REVIEW_ABOVE:
    'The review contains permissions above your own. A user who has them must sign off the review.',
  REVIEW_ITEM_NOT_FOUND: 'Some of these permissions are not in this review. Reload the page and try again.',
  REVIEW_ITEM_DECIDED: 'Some of these permissions were already revoked. Reload the page and try again.',
  INSPECTION_OWN: 'Some findings are about your own actions. Another user who may inspect has to sign off.',
  INSPECTION_OPEN: 'Some findings have no remark yet. Remark on all of them before you sign off.',
  INCIDENT_NOT_FOUND: 'The leak incident was not found.',
  INCIDENT_CLOSED: 'A closed incident cannot be changed.',
  INCIDENT_UNDECIDED:
    'Record the notice and the report, or the decision against them with its reason, before you close the incident.',
  INCIDENT_TIME: 'The time cannot be in the future.',
  LEAK_ORIGIN_NOT_FOUND:
    'Nothing to search for was found. Check the ID, the name of the token or the number of the record.',
  LEAK_SEARCH_SLOW: 'The search was stopped after one minute. Search shorter periods.',
  LAW_NOT_FOUND: 'The register has no such entry. Reload the page.',
  FINDING_NOT_FOUND: 'The findings have changed. Please reload the page and try again.',
  NOTICE_NOT_FOUND: 'The notice could not be found.',
  COLLEAGUES_TOO_MANY: 'You have reached the daily limit for looking up colleagues. Please try again later.',
  COMMENTS_TOO_MANY: 'You have reached the hourly limit for comments. Please try again later.',
  NOTICES_TOO_MANY: 'You have reached the hourly limit for new notices. Please try again later.',
  NOTICE_MARKED: 'Only users who manage notices can change a must-read or pinned notice or send reminders.',
  NOTICE_PUBLISHED: 'The publish time of a published notice cannot be changed.',
  NOTICE_NOT_PUBLISHED: 'This is possible once the notice is published.',
  REMINDED_ALREADY: 'A reminder was sent recently. Please try again later.',
  NOTICE_RESPONSE_OFF: 'This feature is turned off for this notice.',
  COMMENT_NOT_FOUND: 'The comment could not be found.',
  MENTIONS_TOO_MANY: 'A comment mentions at most 10 people.',
  MENTION_NOT_FOUND:
    'One of the people cannot be mentioned. Please delete the name after the @ and select it from the list again.',
  FILE_NOT_FOUND: 'The file does not exist. Please re-register.',
  FILE_ALREADY_ATTACHED: 'Only one file can be attached.',
  STORAGE_FULL: 'There is no storage space left for files. Please contact the administrator.',
  UPLOADS_OPEN: 'You are already uploading 3 files. Please finish or cancel one and try again.',
  UPLOADS_FULL:
    'Your unfinished uploads and recently deleted files exceed 5 GB. Please try again in a few days.',
  UPLOAD_QUOTA:
    'This exceeds your daily upload limit. Please choose a smaller file, or try again after midnight in Korea.',
  PICTURE_NOT_FOUND:
    'A picture in the text could not be found. Please remove the pictures that the preview does not show, and insert them again.',
  PICTURE_REFUSED: 'A text can contain PNG, JPEG, GIF and WebP pictures of up to 50 million pixels.',
  PICTURE_TOO_LARGE: 'A picture in the text can have up to 10 MB.',
  PICTURES_TOO_MANY: 'A text can contain up to 30 pictures.',
  FILE_TYPE_REFUSED: 'Files of this type cannot be attached.',
  FILE_CONTENT_REFUSED:
    'The content of the file does not match its extension, or its type cannot be attached. Please choose another file.',
  FILE_INFECTED:
    'The virus scan found something in this file, so it cannot be attached. Please contact an administrator.',
  SCAN_FAILED: 'The virus scan did not finish, so the file was not attached. Please try again in a moment.',
  FILE_TOO_LARGE: 'An attached file may have up to 1000 MB.',
  NO_PARTNER: 'An account without a partner code cannot be issued keys. Please contact the administrator.',
  PARTNER_STOPPED: 'The partner code is stopped. Please contact the administrator.',
  PARTNER_EXPIRED: 'The partner code is not valid today. Please contact the administrator.',
  KEY_LIMIT_DAY: 'The daily key limit is used up. Please try again tomorrow.',
  KEY_LIMIT_WEEK: 'The weekly key limit is used up. Please try again next Monday.',
  KEY_LIMIT_MONTH: 'The monthly key limit is used up. Please try again next month.',
  KEY_LIMIT_TOTAL: 'The total key limit is used up. Please contact the administrator.',
  KEY_NOT_FOUND: 'The issued key could not be found.',
  KEY_ALREADY_REVOKED: 'The key is already revoked.',
  SERVICE_NAME_TAKEN: 'Another service already uses this name.',
  WEBHOOK_NOT_FOUND: 'The webhook could not be found.',
  WEBHOOK_NAME_TAKEN: 'Another webhook already uses this name.',
  WEBHOOK_URL:
    'Requests to this URL are not allowed. Enter a URL that begins with https:// and is not on this server.',
  WEBHOOKS_FULL: 'No more webhooks can be registered.',
  DELIVERY_NOT_FOUND: 'There is no such delivery to send again.',
  SERVICE_NOT_FOUND: 'The service token could not be found.',
  PROGRAM_NAME_TAKEN: 'Another program already uses this name.',
  PROGRAM_NOT_FOUND: 'No active program token was found.',
  PROGRAM_ACCOUNT_NOT_FOUND: 'The program account could not be found.',
  PROGRAM_ACCOUNTS_FULL: 'There can be 100 program accounts. Please delete those that are no longer used.',
  PROGRAMS_FULL: 'You can have 20 program tokens. Please end those that you no longer use.',
  RANGE_INVALID: 'The file has no such range.',
  FILE_LINK_INVALID: 'This download link has expired. Please download the file from the page again.',
  UPLOAD_EXPIRED: 'The upload was canceled 24 hours after it began. Please choose the file again.',
  UPLOAD_INCOMPLETE: 'The file is not fully uploaded yet.',
  UPLOAD_OFFSET: 'The upload did not resume where it had stopped. Please try again.',
  PARTNER_NOT_FOUND: 'The partner code could not be found.',
  PARTNER_CODE_TAKEN: partners.code.taken,
  PARTNER_IN_USE: 'A partner code that users or issued keys refer to cannot be deleted.',
  PARTNER_IS_DEFAULT:
    'The default partner code of an affiliation cannot be deleted. Please choose another default under Affiliations first.',
  PARTNER_READ_ONLY: 'Type and affiliation of a partner code cannot be changed.',
  REGION_NOT_FOUND: 'The region could not be found. Please choose again.',
  AFFILIATION_NOT_FOUND: 'The affiliation could not be found.',
  AFFILIATION_NAME_TAKEN: 'Another affiliation already uses this name.',
  AFFILIATION_CLOSED: 'This affiliation is closed. Please choose another one.',
  AFFILIATION_LAST: 'The last affiliation cannot be closed.',
  TEAM_NOT_FOUND: 'The team could not be found. Please choose a team of the affiliation.',
  TEAM_NAME_TAKEN: 'Another team at the same place already uses this name.',
  TEAM_PARENT: 'A team cannot be below itself, and there are at most six levels.',
  TEAM_IN_USE: 'A team with members (also additional ones) or teams below it cannot be deleted.',
}

import type { Language } from './language.ts'
import type { NotificationItem } from './mails-notifications.ts'

/** The texts of an email: the subject, and its paragraphs in order; `code` is shown large. */
export interface MailText {
  subject: string
  paragraphs: string[]
  code?: string
  /** The items listed under the paragraphs, each with its own link. */
  items?: readonly NotificationItem[]
  /** The note that more items exist than are listed. */
  more?: string
  /** The parts of an edited text in order, instead of the paragraphs and the code. */
  blocks?: readonly MailBlock[]
}

/** A part of an edited text: a paragraph of one or more lines, a code, or the place of the link. */
export type MailBlock = string | { code: string } | { isLink: true }

/** The used part of a partner's limit, when its administrators are notified. */
export interface LimitUse {
  partnerCode: string
  period: 'day' | 'week' | 'month' | 'total'
  used: number
  limit: number
  /** The threshold that was reached, in percent. */
  mark: number
}

/** Every email that Maru sends, by language. Not part of the page's catalog, which does not need them. */
export interface Mails {
  signUpCode(company: string, code: string): MailText
  alreadySignedUp(company: string): MailText
  findIdCode(company: string, code: string): MailText
  resetPasswordCode(company: string, code: string): MailText
  temporaryPassword(company: string, userId: string, password: string): MailText
  passwordChanged(company: string, userId: string, time: string): MailText
  keyLimitReached(company: string, use: LimitUse): MailText
  /** @param validity the period, as `validityTexts` writes it */
  approved(company: string, userId: string, validity: string): MailText
  /** @param reason the administrator's unchanged text, possibly several lines */
  refused(company: string, userId: string, reason: string): MailText
  /** @param affiliation the new one, in the user's language */
  affiliationChanged(company: string, userId: string, affiliation: string): MailText
  affiliationRefused(company: string, userId: string, affiliation: string, reason: string): MailText
  noticeReminder(company: string, title: string, sender: string, time: string): MailText
  /** @param from the previous address of the portal; '' without one */
  newAddress(company: string, change: { by: string; from: string; to: string }): MailText
  test(company: string, userId: string): MailText
}

/** Names of the periods of a limit. */
const PERIODS = {
  ko: { day: '일', week: '주', month: '월', total: '총' },
  en: { day: 'daily', week: 'weekly', month: 'monthly', total: 'total' },
} as const

/** Returns the paragraphs of a text that a user typed: one per line, without empty ones. */
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** The Korean texts. */
const ko: Mails = {
  signUpCode: (company, code) => ({
    subject: `[${company}] 회원가입 인증번호`,
    paragraphs: [
      '회원가입을 위한 인증번호입니다. 5분 안에 입력해주세요.',
      '본인이 요청하지 않았다면 이 메일을 무시해주세요.',
    ],
    code,
  }),
  alreadySignedUp: (company) => ({
    subject: `[${company}] 이미 가입된 이메일입니다`,
    paragraphs: [
      '이 이메일로 회원가입 신청이 있었지만, 이미 계정이 있습니다.',
      '아이디나 비밀번호를 잊었다면 로그인 화면의 아이디 찾기 또는 비밀번호 재설정을 이용해주세요. 탈퇴한 계정이라면 관리자에게 탈퇴 취소를 요청해주세요. 본인이 요청하지 않았다면 이 메일을 무시해주세요.',
    ],
  }),
  findIdCode: (company, code) => ({
    subject: `[${company}] 아이디 찾기 인증번호`,
    paragraphs: [
      '아이디 찾기를 위한 인증번호입니다. 5분 안에 입력해주세요.',
      '본인이 요청하지 않았다면 이 메일을 무시해주세요.',
    ],
    code,
  }),
  resetPasswordCode: (company, code) => ({
    subject: `[${company}] 비밀번호 재설정 인증번호`,
    paragraphs: [
      '비밀번호 재설정을 위한 인증번호입니다. 5분 안에 입력해주세요.',
      '본인이 요청하지 않았다면 이 메일을 무시해주세요.',
    ],
    code,
  }),
  temporaryPassword: (company, userId, password) => ({
    subject: `[${company}] 임시 비밀번호`,
    paragraphs: [
      `${userId} 계정의 임시 비밀번호입니다. 24시간 안에 로그인한 후 새 비밀번호로 변경해주세요.`,
      '본인이 요청하지 않았다면 관리자에게 바로 알려주세요.',
    ],
    code: password,
  }),
  passwordChanged: (company, userId, time) => ({
    subject: `[${company}] 비밀번호가 변경되었습니다`,
    paragraphs: [
      `${userId} 계정의 비밀번호가 ${time}(한국 시간)에 변경되었습니다. 다른 기기의 로그인은 모두 종료되었습니다.`,
      '본인이 변경하지 않았다면 비밀번호를 재설정하고 관리자에게 바로 알려주세요.',
    ],
  }),
  keyLimitReached: (company, { partnerCode, period, used, limit, mark }) => ({
    subject: `[${company}] ${partnerCode} ${PERIODS.ko[period]} 최대 발급 수의 ${mark}% 사용`,
    paragraphs: [
      `파트너 코드 ${partnerCode}의 ${PERIODS.ko[period]} 최대 발급 수 ${limit.toLocaleString('ko')}개 중 ${used.toLocaleString('ko')}개를 발급했습니다.`,
      used >= limit
        ? '한도를 모두 사용하여 더 이상 키를 발급할 수 없습니다. 필요하면 파트너 코드 상세 화면에서 한도를 조정해주세요.'
        : '한도에 이르면 키를 발급할 수 없습니다. 필요하면 파트너 코드 상세 화면에서 한도를 조정해주세요.',
    ],
  }),
  approved: (company, userId, validity) => ({
    subject: `[${company}] 승인이 완료되었습니다`,
    paragraphs: [
      `신청하신 ${userId} 계정이 승인되었습니다. 가입할 때 정한 비밀번호로 로그인할 수 있습니다.`,
      `유효기간: ${validity}`,
    ],
  }),
  refused: (company, userId, reason) => ({
    subject: `[${company}] 승인 요청이 거절되었습니다`,
    paragraphs: [
      `${userId} 계정의 승인 요청이 아래의 사유로 거절되었습니다.`,
      ...linesOf(reason),
      '입력하신 계정 정보는 삭제되었습니다. 같은 아이디와 이메일로 다시 회원가입을 신청할 수 있습니다.',
    ],
  }),
  affiliationChanged: (company, userId, affiliation) => ({
    subject: `[${company}] 소속 변경이 승인되었습니다`,
    paragraphs: [`${userId} 계정의 소속이 변경되었습니다: ${affiliation}`],
  }),
  affiliationRefused: (company, userId, affiliation, reason) => ({
    subject: `[${company}] 소속 변경 요청이 거절되었습니다`,
    paragraphs: [
      `${userId} 계정의 소속 변경 요청(${affiliation})이 아래의 사유로 거절되었습니다.`,
      ...linesOf(reason),
      '소속은 그대로이며, 내 정보에서 다시 요청할 수 있습니다.',
    ],
  }),
  noticeReminder: (company, title, sender, time) => ({
    subject: `[${company}] 필독 공지를 확인해주세요: ${title}`,
    paragraphs: [
      '아직 확인하지 않은 필독 공지가 있습니다. 로그인한 후 공지사항에서 내용을 읽고 읽음 확인을 눌러주세요.',
      `제목: ${title}`,
      `게시: ${time}(한국 시간)`,
      `보낸 사람: ${sender}`,
    ],
  }),
  newAddress: (company, { by, from, to }) => ({
    subject: `[${company}] 포털 주소가 변경되었습니다`,
    paragraphs: [
      `${by} 계정이 포털 주소를 변경했습니다. 앞으로 포털의 모든 메일은 새 주소로 연결됩니다.`,
      `이전 주소: ${from || '없음'}`,
      `새 주소: ${to || '없음'}`,
      '모르는 변경이라면 새 주소의 링크를 누르거나 비밀번호를 입력하지 말고, 이전 주소에서 설정과 변경 이력을 확인해주세요.',
    ],
  }),
  test: (company, userId) => ({
    subject: `[${company}] 테스트 메일`,
    paragraphs: [
      `포털의 설정 화면에서 ${userId} 계정이 보낸 테스트 메일입니다.`,
      '이 메일을 받았다면 회원가입 인증번호와 알림 메일도 보낼 수 있습니다.',
    ],
  }),
}

/** The English texts. */
const en: Mails = {
  signUpCode: (company, code) => ({
    subject: `[${company}] Verification code for your sign-up`,
    paragraphs: [
      'This is the verification code for your sign-up. Please enter it within 5 minutes.',
      'If you did not ask for it, please ignore this mail.',
    ],
    code,
  }),
  alreadySignedUp: (company) => ({
    subject: `[${company}] This e-mail address has an account`,
    paragraphs: [
      'Someone tried to sign up with this e-mail address, but it already has an account.',
      'If you forgot your ID or password, use "Find ID" or "Reset password" on the login screen. If the account was withdrawn, ask an administrator to undo the withdrawal. If it was not you, please ignore this mail.',
    ],
  }),
  findIdCode: (company, code) => ({
    subject: `[${company}] Verification code to find your ID`,
    paragraphs: [
      'This is the verification code to find your ID. Please enter it within 5 minutes.',
      'If you did not ask for it, please ignore this mail.',
    ],
    code,
  }),
  resetPasswordCode: (company, code) => ({
    subject: `[${company}] Verification code to reset your password`,
    paragraphs: [
      'This is the verification code to reset your password. Please enter it within 5 minutes.',
      'If you did not ask for it, please ignore this mail.',
    ],
    code,
  }),
  temporaryPassword: (company, userId, password) => ({
    subject: `[${company}] Temporary password`,
    paragraphs: [
      `This is a temporary password for the account ${userId}. Log in with it within 24 hours and choose a new one.`,
      'If you did not ask for it, please tell an administrator immediately.',
    ],
    code: password,
  }),
  passwordChanged: (company, userId, time) => ({
    subject: `[${company}] Your password was changed`,
    paragraphs: [
      `The password of the account ${userId} was changed at ${time} (Korean time). Every other device has been logged out.`,
      'If it was not you, reset your password and tell an administrator immediately.',
    ],
  }),
  keyLimitReached: (company, { partnerCode, period, used, limit, mark }) => ({
    subject: `[${company}] ${partnerCode} has used ${mark}% of its ${PERIODS.en[period]} key limit`,
    paragraphs: [
      `The partner code ${partnerCode} has been issued ${used.toLocaleString('en')} of ${limit.toLocaleString('en')} keys (${PERIODS.en[period]} limit).`,
      used >= limit
        ? 'The limit is used up and no more keys are issued. If they are needed, change the limit in the details of the partner code.'
        : 'Once the limit is reached no more keys are issued. If they are needed, change the limit in the details of the partner code.',
    ],
  }),
  approved: (company, userId, validity) => ({
    subject: `[${company}] Your account has been approved`,
    paragraphs: [
      `The account ${userId} that you requested has been approved. You can log in with the password that you chose.`,
      `Valid ${validity}.`,
    ],
  }),
  refused: (company, userId, reason) => ({
    subject: `[${company}] Your request for an account was rejected`,
    paragraphs: [
      `Your request for the account ${userId} was rejected for this reason:`,
      ...linesOf(reason),
      'The account data that you entered has been deleted. You may sign up again with the same ID and e-mail address.',
    ],
  }),
  affiliationChanged: (company, userId, affiliation) => ({
    subject: `[${company}] Your change of affiliation has been approved`,
    paragraphs: [`The affiliation of the account ${userId} is ‘${affiliation}’ now.`],
  }),
  affiliationRefused: (company, userId, affiliation, reason) => ({
    subject: `[${company}] Your change of affiliation has been rejected`,
    paragraphs: [
      `The request to change the affiliation of the account ${userId} to ‘${affiliation}’ has been rejected for this reason:`,
      ...linesOf(reason),
      'Your affiliation stays as it was. You can request the change again on My info.',
    ],
  }),
  noticeReminder: (company, title, sender, time) => ({
    subject: `[${company}] Please confirm a must-read notice: ${title}`,
    paragraphs: [
      'There is a must-read notice that you have not confirmed yet. Log in, read it on the notice board and press "Confirm reading".',
      `Title: ${title}`,
      `Published: ${time} (Korean time)`,
      `Sent by: ${sender}`,
    ],
  }),
  newAddress: (company, { by, from, to }) => ({
    subject: `[${company}] The address of the portal was changed`,
    paragraphs: [
      `The account ${by} changed the address of the portal. All mails of the portal now link to the new address.`,
      `Previous address: ${from || 'none'}`,
      `New address: ${to || 'none'}`,
      'If you do not expect this change, do not open links to the new address or enter a password there. Check the settings and their history at the previous address.',
    ],
  }),
  test: (company, userId) => ({
    subject: `[${company}] Test mail`,
    paragraphs: [
      `The account ${userId} sent this test mail from the settings of the portal.`,
      'If you received it, verification codes and notifications can be sent too.',
    ],
  }),
}

/** The texts of every email in every language; a language that lacks one does not compile. */
export const mailTexts: Record<Language, Mails> = { ko, en }

/** The validity period in a text; `to` is '' for no end. */
export const validityTexts: Record<Language, (from: string, to: string) => string> = {
  ko: (from, to) => (to === '' ? `${from}부터` : `${from} ~ ${to}`),
  en: (from, to) => (to === '' ? `from ${from}` : `from ${from} to ${to}`),
}

/** The text of an email's link, which opens the page of the email's subject. */
export const linkTexts: Record<Language, string> = { ko: '바로가기', en: 'Open the page' }

/** The text of the link to the notification preferences. */
export const choicesTexts: Record<Language, string> = {
  ko: '메일로 받을 알림 선택',
  en: 'Choose which notifications are mailed',
}

import type { Language } from './language.ts'
import type { MailText } from './mails.ts'
import { particleOf } from './particles.ts'

/** The values in an email about second factors. */
interface Said {
  company: string
  userId: string
  /** Time in Asia/Seoul. */
  time: string
  /** Number of unused recovery codes. */
  left: number
  /** The user's name for the passkey concerned. */
  passkeyName: string
  /** Name of the identity provider concerned. */
  providerName: string
  /** Browser and system of a trusted device; '' if they are unknown. */
  device: string
}

/** Emails about a user's second factors. */
export interface FactorMails {
  appAdded(of: Said): MailText
  appRemoved(of: Said): MailText
  passkeyAdded(of: Said): MailText
  passkeyRenamed(of: Said): MailText
  passkeyRemoved(of: Said): MailText
  passkeyCloned(of: Said): MailText
  deviceTrusted(of: Said): MailText
  codesRenewed(of: Said): MailText
  codeUsed(of: Said): MailText
  linked(of: Said): MailText
  unlinked(of: Said): MailText
  resetAsked(of: Said): MailText
  resetDone(of: Said): MailText
  resetRefused(of: Said): MailText
}

/** Last paragraph of most of these emails: what to do about an unknown change. */
const NOT_YOU_KO = '본인이 한 일이 아니라면 바로 비밀번호를 변경하고 관리자에게 알려주세요.'
/** `NOT_YOU_KO` in English. */
const NOT_YOU_EN = 'If this was not you, change your password immediately and tell an administrator.'

/** The Korean texts. */
const ko: FactorMails = {
  appAdded: ({ company, userId, time }) => ({
    subject: `[${company}] 2단계 인증에 인증 앱이 등록되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 2단계 인증에 인증 앱이 등록되었습니다. 이제 로그인할 때 인증 앱의 코드를 입력합니다.`,
      NOT_YOU_KO,
    ],
  }),
  appRemoved: ({ company, userId, time }) => ({
    subject: `[${company}] 2단계 인증의 인증 앱이 삭제되었습니다`,
    paragraphs: [`${time}에 ${userId} 계정의 2단계 인증에서 인증 앱이 삭제되었습니다.`, NOT_YOU_KO],
  }),
  passkeyAdded: ({ company, userId, time, passkeyName }) => ({
    subject: `[${company}] 2단계 인증에 패스키가 등록되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 2단계 인증에 패스키 “${passkeyName}”${particleOf(passkeyName, '이/가')} 등록되었습니다. 이제 로그인할 때 패스키를 사용할 수 있습니다.`,
      NOT_YOU_KO,
    ],
  }),
  passkeyRenamed: ({ company, userId, time, passkeyName }) => ({
    subject: `[${company}] 패스키의 이름이 변경되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 패스키 이름이 “${passkeyName}”${particleOf(passkeyName, '으로/로')} 변경되었습니다.`,
      NOT_YOU_KO,
    ],
  }),
  passkeyRemoved: ({ company, userId, time, passkeyName }) => ({
    subject: `[${company}] 2단계 인증의 패스키가 삭제되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 2단계 인증에서 패스키 “${passkeyName}”${particleOf(passkeyName, '이/가')} 삭제되었습니다.`,
      NOT_YOU_KO,
    ],
  }),
  passkeyCloned: ({ company, userId, time, passkeyName }) => ({
    subject: `[${company}] 패스키가 복제되었을 수 있습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 패스키 “${passkeyName}”${particleOf(passkeyName, '으로/로')} 로그인을 시도했으나 거부되었습니다. 사용 횟수가 이전보다 줄어 같은 패스키가 둘일 수 있습니다. 다른 방법으로 로그인하여 그 패스키를 삭제하고 관리자에게 알려주세요.`,
      NOT_YOU_KO,
    ],
  }),
  deviceTrusted: ({ company, userId, time, device }) => ({
    subject: `[${company}] 신뢰하는 기기가 등록되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 신뢰하는 기기${device && `(${device})`}가 등록되었습니다. 이 기기에서는 30일 동안 비밀번호만으로 로그인할 수 있습니다. 내 정보에서 삭제할 수 있습니다.`,
      NOT_YOU_KO,
    ],
  }),
  codesRenewed: ({ company, userId, time }) => ({
    subject: `[${company}] 복구 코드가 다시 발급되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 복구 코드가 다시 발급되었습니다. 이전 복구 코드는 사용할 수 없습니다.`,
      NOT_YOU_KO,
    ],
  }),
  codeUsed: ({ company, userId, time, left }) => ({
    subject: `[${company}] 복구 코드로 로그인했습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정에 복구 코드로 로그인했습니다. 남은 복구 코드는 ${left}개입니다. 휴대전화를 변경했다면 인증 앱이나 패스키를 다시 등록해주세요.`,
      NOT_YOU_KO,
    ],
  }),
  linked: ({ company, userId, time, providerName }) => ({
    subject: `[${company}] 통합 로그인이 연결되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정이 ${providerName} 계정과 연결되었습니다. 이제 그 계정으로도 로그인할 수 있습니다.`,
      `본인이 한 일이 아니라면 바로 내 정보에서 연결을 해제하고 비밀번호를 변경한 뒤 관리자에게 알려주세요.`,
    ],
  }),
  unlinked: ({ company, userId, time, providerName }) => ({
    subject: `[${company}] 통합 로그인 연결이 해제되었습니다`,
    paragraphs: [`${time}에 ${userId} 계정과 ${providerName} 계정의 연결이 해제되었습니다.`, NOT_YOU_KO],
  }),
  resetAsked: ({ company, userId, time }) => ({
    subject: `[${company}] 2단계 인증 초기화가 요청되었습니다`,
    paragraphs: [
      `${time}에 관리자가 ${userId} 계정의 2단계 인증 초기화를 요청했습니다. 다른 관리자가 확인하면 2단계 인증과 복구 코드가 모두 삭제됩니다.`,
      '요청하신 적이 없다면 바로 관리자에게 알려주세요. 2단계 인증으로 로그인하시면 이 요청은 취소됩니다.',
    ],
  }),
  resetDone: ({ company, userId, time }) => ({
    subject: `[${company}] 2단계 인증이 초기화되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 2단계 인증과 복구 코드가 모두 삭제되고 모든 기기에서 로그아웃되었습니다. 비밀번호만으로 로그인한 뒤 내 정보에서 2단계 인증을 다시 등록해주세요. 앞으로 3일 동안은 로그인한 본인만 이메일과 비밀번호를 바꿀 수 있습니다. 다른 사람이 정해 준 비밀번호는 더 이상 사용할 수 없으며, 3일 뒤에 다시 받을 수 있습니다.`,
      '요청하신 적이 없다면 바로 비밀번호를 변경하고 관리자에게 알려주세요.',
    ],
  }),
  resetRefused: ({ company, userId, time }) => ({
    subject: `[${company}] 2단계 인증 초기화 요청이 거절되었습니다`,
    paragraphs: [
      `${time}에 ${userId} 계정의 2단계 인증 초기화 요청이 거절되었습니다. 2단계 인증은 그대로 사용합니다.`,
      '휴대전화와 복구 코드를 잃어버렸다면 관리자에게 다시 문의해주세요.',
    ],
  }),
}

/** The English texts. */
const en: FactorMails = {
  appAdded: ({ company, userId, time }) => ({
    subject: `[${company}] An authenticator app was added`,
    paragraphs: [
      `An authenticator app was added as the second factor of the account ${userId} at ${time} (Korean time). From now on a login asks for its code.`,
      NOT_YOU_EN,
    ],
  }),
  appRemoved: ({ company, userId, time }) => ({
    subject: `[${company}] The authenticator app was removed`,
    paragraphs: [
      `The authenticator app of the account ${userId} was removed as its second factor at ${time} (Korean time).`,
      NOT_YOU_EN,
    ],
  }),
  passkeyAdded: ({ company, userId, time, passkeyName }) => ({
    subject: `[${company}] A passkey was added`,
    paragraphs: [
      `The passkey “${passkeyName}” was added as a second factor of the account ${userId} at ${time} (Korean time). From now on it can be used to log in.`,
      NOT_YOU_EN,
    ],
  }),
  passkeyRenamed: ({ company, userId, time, passkeyName }) => ({
    subject: `[${company}] A passkey was renamed`,
    paragraphs: [
      `A passkey of the account ${userId} was renamed to “${passkeyName}” at ${time} (Korean time).`,
      NOT_YOU_EN,
    ],
  }),
  passkeyRemoved: ({ company, userId, time, passkeyName }) => ({
    subject: `[${company}] A passkey was removed`,
    paragraphs: [
      `The passkey “${passkeyName}” of the account ${userId} was removed as its second factor at ${time} (Korean time).`,
      NOT_YOU_EN,
    ],
  }),
  passkeyCloned: ({ company, userId, time, passkeyName }) => ({
    subject: `[${company}] A passkey may have been copied`,
    paragraphs: [
      `A login with the passkey “${passkeyName}” of the account ${userId} was refused at ${time} (Korean time). Its use counter decreased, so a copy of it may exist. Please log in another way, delete that passkey and tell an administrator.`,
      NOT_YOU_EN,
    ],
  }),
  deviceTrusted: ({ company, userId, time, device }) => ({
    subject: `[${company}] A device was trusted`,
    paragraphs: [
      `A device${device && ` (${device})`} of the account ${userId} was trusted at ${time} (Korean time). For 30 days it can log in with the password alone. You can remove it on My info.`,
      NOT_YOU_EN,
    ],
  }),
  codesRenewed: ({ company, userId, time }) => ({
    subject: `[${company}] New recovery codes were created`,
    paragraphs: [
      `New recovery codes of the account ${userId} were created at ${time} (Korean time). The previous ones no longer work.`,
      NOT_YOU_EN,
    ],
  }),
  codeUsed: ({ company, userId, time, left }) => ({
    subject: `[${company}] A recovery code was used to log in`,
    paragraphs: [
      `A recovery code of the account ${userId} was used to log in at ${time} (Korean time). Codes left: ${left}. If you changed your phone, please set up the authenticator app or the passkey again.`,
      NOT_YOU_EN,
    ],
  }),
  linked: ({ company, userId, time, providerName }) => ({
    subject: `[${company}] Your account was linked for single sign-on`,
    paragraphs: [
      `The account ${userId} was linked with a ${providerName} account on ${time} (Korean time). That account can now log in, too.`,
      'If this was not you, remove the link on your own page, change your password immediately and tell an administrator.',
    ],
  }),
  unlinked: ({ company, userId, time, providerName }) => ({
    subject: `[${company}] A single sign-on link was removed`,
    paragraphs: [
      `The link of the account ${userId} with a ${providerName} account was removed on ${time} (Korean time).`,
      NOT_YOU_EN,
    ],
  }),
  resetAsked: ({ company, userId, time }) => ({
    subject: `[${company}] A reset of your second factors was requested`,
    paragraphs: [
      `An administrator requested a reset of the second factors of the account ${userId} at ${time} (Korean time). They and the recovery codes are removed once another administrator confirms it.`,
      'If you did not ask for this, tell an administrator immediately. Logging in with your second factor cancels the request.',
    ],
  }),
  resetDone: ({ company, userId, time }) => ({
    subject: `[${company}] Your second factors were reset`,
    paragraphs: [
      `The second factors and recovery codes of the account ${userId} were removed at ${time} (Korean time), and you were logged out everywhere. Please log in with your password and set up a second factor again on My info. For 3 days, only you can change your e-mail and password, while you are logged in. A password that another user set for you no longer works. You can get a new one after 3 days.`,
      'If you did not ask for it, change your password immediately and tell an administrator.',
    ],
  }),
  resetRefused: ({ company, userId, time }) => ({
    subject: `[${company}] The reset of your second factors was rejected`,
    paragraphs: [
      `The reset of the second factors of the account ${userId} was rejected at ${time} (Korean time). They stay as they are.`,
      'If you have lost your phone and the recovery codes, please ask an administrator again.',
    ],
  }),
}

/** The texts of these emails in every language. */
export const factorMailTexts: Record<Language, FactorMails> = { ko, en }

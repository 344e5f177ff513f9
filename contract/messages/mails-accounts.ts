import type { Language } from './language.ts'
import type { MailText } from './mails.ts'

/** Emails about an account that an administrator made, and about its address. */
export interface AccountMails {
  /** @param code the code that the user types on the page, if the portal's address is unknown and the email has no link */
  invitation(company: string, userId: string, code: string | null): MailText
  confirmEmail(company: string, userId: string, code: string | null): MailText
  /** Sent to the current address of the account, before the new one is confirmed. */
  emailRequested(company: string, userId: string, newEmail: string): MailText
  /** Sent to the previous address of the account. */
  emailChanged(company: string, userId: string, newEmail: string): MailText
  /** Sent to the owner of an address that another user wants to use. */
  emailInUse(company: string): MailText
  newEmailCode(company: string, code: string): MailText
  /** Sent to the owner after too many consecutive wrong passwords. */
  passwordDisabled(company: string, userId: string): MailText
}

/** The Korean texts. */
const ko: AccountMails = {
  invitation: (company, userId, code) => ({
    subject: `[${company}] 계정이 등록되었습니다. 비밀번호를 만들어주세요`,
    paragraphs: [
      `${userId} 계정이 등록되었습니다. 7일 안에 비밀번호를 만들면 로그인할 수 있습니다.`,
      ...(code === null
        ? ['아래 링크는 한 번만 사용할 수 있습니다. 다른 사람에게 전달하지 마세요.']
        : [
            '포털 주소 뒤에 /invitation 을 붙여 열고 이 코드를 입력해주세요. 코드는 한 번만 사용할 수 있습니다.',
          ]),
    ],
    ...(code === null ? {} : { code }),
  }),
  confirmEmail: (company, userId, code) => ({
    subject: `[${company}] 이메일 주소를 확인해주세요`,
    paragraphs: [
      `관리자가 ${userId} 계정의 이메일을 이 주소로 변경하려고 합니다. 본인의 계정이 맞으면 7일 안에 확인해주세요. 확인하기 전에는 변경되지 않습니다.`,
      ...(code === null
        ? []
        : ['포털 주소 뒤에 /email 을 붙여 열고 이 코드를 입력해주세요. 코드는 한 번만 사용할 수 있습니다.']),
      '본인의 계정이 아니라면 이 메일을 무시해주세요.',
    ],
    ...(code === null ? {} : { code }),
  }),
  emailRequested: (company, userId, newEmail) => ({
    subject: `[${company}] 이메일 변경이 요청되었습니다`,
    paragraphs: [
      `관리자가 ${userId} 계정의 이메일을 ${newEmail} 주소로 변경하도록 요청했습니다. 새 주소에서 확인하면 변경됩니다.`,
      '모르는 변경이라면 관리자에게 바로 알려주세요.',
    ],
  }),
  emailChanged: (company, userId, newEmail) => ({
    subject: `[${company}] 이메일이 변경되었습니다`,
    paragraphs: [
      `${userId} 계정의 이메일이 ${newEmail} 주소로 변경되었습니다. 앞으로 메일은 새 주소로 보냅니다.`,
      '본인이 변경하지 않았다면 관리자에게 바로 알려주세요.',
    ],
  }),
  emailInUse: (company) => ({
    subject: `[${company}] 이미 사용 중인 이메일입니다`,
    paragraphs: [
      '다른 계정의 이메일을 이 주소로 변경하려는 요청이 있었지만, 이 주소는 이미 회원님의 계정에서 사용하고 있어 변경하지 않았습니다.',
      '본인이 요청하지 않았다면 이 메일을 무시해주세요.',
    ],
  }),
  newEmailCode: (company, code) => ({
    subject: `[${company}] 이메일 변경 인증번호`,
    paragraphs: [
      '이메일을 이 주소로 변경하기 위한 인증번호입니다. 5분 안에 입력해주세요.',
      '본인이 요청하지 않았다면 이 메일을 무시해주세요.',
    ],
    code,
  }),
  passwordDisabled: (company, userId) => ({
    subject: `[${company}] 비밀번호 로그인이 중지되었습니다`,
    paragraphs: [
      `${userId} 계정의 비밀번호나 인증 코드가 연속해서 너무 많이 틀려 비밀번호 로그인을 중지했습니다. 이전에 로그인한 적이 있는 네트워크에서는 계속 로그인할 수 있습니다.`,
      '다시 사용하려면 비밀번호를 재설정하거나, 로그인한 상태에서 비밀번호를 변경하거나, 관리자에게 잠금 해제를 요청해주세요.',
      '본인이 시도하지 않았다면 다른 사람이 비밀번호를 알아내려 한 것일 수 있습니다. 관리자에게 알려주세요.',
    ],
  }),
}

/** The English texts. */
const en: AccountMails = {
  invitation: (company, userId, code) => ({
    subject: `[${company}] Your account is ready. Please create a password`,
    paragraphs: [
      `The account ${userId} was created for you. Create a password within 7 days to log in.`,
      ...(code === null
        ? ['The link can be used once. Please do not pass it on.']
        : [
            'Open the portal with /invitation at the end of its address, and enter this code. It can be used once.',
          ]),
    ],
    ...(code === null ? {} : { code }),
  }),
  confirmEmail: (company, userId, code) => ({
    subject: `[${company}] Please confirm your e-mail address`,
    paragraphs: [
      `An administrator wants to change the e-mail of the account ${userId} to this address. If the account is yours, confirm it within 7 days. Until then nothing changes.`,
      ...(code === null
        ? []
        : [
            'Open the portal with /email at the end of its address, and enter this code. It can be used once.',
          ]),
      'If the account is not yours, please ignore this mail.',
    ],
    ...(code === null ? {} : { code }),
  }),
  emailRequested: (company, userId, newEmail) => ({
    subject: `[${company}] Your e-mail is about to change`,
    paragraphs: [
      `An administrator asked to change the e-mail of the account ${userId} to ${newEmail}. It changes once it is confirmed at the new address.`,
      'If you did not expect this, please tell an administrator immediately.',
    ],
  }),
  emailChanged: (company, userId, newEmail) => ({
    subject: `[${company}] Your e-mail was changed`,
    paragraphs: [
      `The e-mail of the account ${userId} was changed to ${newEmail}. Mails are sent to the new address from now on.`,
      'If it was not you, please tell an administrator immediately.',
    ],
  }),
  emailInUse: (company) => ({
    subject: `[${company}] This e-mail address has an account`,
    paragraphs: [
      'Another user tried to change an account’s e-mail to this address. It belongs to your account, so nothing was changed.',
      'If it was not you, please ignore this mail.',
    ],
  }),
  newEmailCode: (company, code) => ({
    subject: `[${company}] Verification code for your new e-mail`,
    paragraphs: [
      'This is the verification code to change your e-mail to this address. Please enter it within 5 minutes.',
      'If you did not ask for it, please ignore this mail.',
    ],
    code,
  }),
  passwordDisabled: (company, userId) => ({
    subject: `[${company}] Login by password was disabled`,
    paragraphs: [
      `There were too many wrong passwords or codes in a row for the account ${userId}, so its password was disabled. You can still log in from networks where you have logged in before.`,
      'To use it again, reset your password, change it while you are logged in, or ask an administrator to unlock the account.',
      'If it was not you, someone may be guessing your password. Please tell an administrator.',
    ],
  }),
}

/** The texts of these emails in every language. */
export const accountMails: Record<Language, AccountMails> = { ko, en }

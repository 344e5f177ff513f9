import type { MailProblem } from '../../settings.ts'

/** The reasons for which a test mail was not sent. They load with the settings page, not with every page. */
export const mailProblems: Record<MailProblem, string> = {
  refused:
    'The mail server cannot be reached. Please check that it runs, that address and port are right, and that no firewall is in the way.',
  unknownHost: 'There is no mail server of this name. Please check the address in SMTP_URL.',
  timeout: 'The mail server did not answer in time. Please check address, port and firewall.',
  certificate:
    'The certificate of the mail server is not trusted. If an authority of your own issued it, name its certificate in NODE_EXTRA_CA_CERTS.',
  noTls:
    'No encryption could be agreed on with the mail server. Please check that port 465 goes with smtps:// and 587 with smtp://.',
  login: 'The mail server refused the login. Please check user and password in SMTP_URL.',
  sender: "The mail server refused the sender's address. Please check MAIL_FROM.",
  recipient: "The mail server refused the recipient's address. Please check it.",
  folder: 'The folder for mails cannot be written. Please check the rights on DATA_DIR.',
  other: 'The mail server did not take the mail.',
}

import type { MailProblem } from '../../settings.ts'

/** The reasons for which a test mail was not sent. They load with the settings page, not with every page. */
export const mailProblems: Record<MailProblem, string> = {
  refused:
    'The mail server cannot be reached. Please check that it runs, that the address and port are correct, and that no firewall blocks it.',
  unknownHost: 'There is no mail server of this name. Please check its address.',
  timeout: 'The mail server did not answer in time. Please check address, port and firewall.',
  certificate:
    'The certificate of the mail server is not trusted. If a certificate authority of your company issued it, set NODE_EXTRA_CA_CERTS to its certificate.',
  noTls:
    'No encrypted connection to the mail server could be established, because the server does not use the chosen security on this port. Usually it is TLS on 465 and STARTTLS on 587. Please change port or security and try again.',
  oldTls:
    'No encrypted connection to the mail server could be established, because the server supports only old versions of TLS or weak ciphers. Please enable TLS 1.2 or newer on the server.',
  login: 'The mail server refused the login. Please check user and password.',
  sender: "The mail server refused the sender's address. Please check the sender.",
  recipient: "The mail server refused the recipient's address. Please check it.",
  folder: 'The folder for mails cannot be written. Please check the permissions of DATA_DIR.',
  other: 'The mail server did not accept the mail.',
}

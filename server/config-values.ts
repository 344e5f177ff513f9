import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { parseRecipients } from './operator/encryption.ts'
import { readStorageUrl } from './services/storage/url.ts'
import type { SyslogReceiver } from './services/syslog.ts'

/** Returns a schema for a text with a whole number from `min` to `max`, both included. The result is the number. */
export const wholeNumber = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^-?\d+$/, 'must be a whole number')),
    z.pipe(
      z.transform(Number),
      z.number().check(z.gte(min, `must be ${min} or more`), z.lte(max, `must be ${max} or less`)),
    ),
  )

/** Returns a schema for a text of exactly this number of ASCII characters. */
export const ascii = (bytes: number) =>
  z
    .string()
    .check(z.regex(new RegExp(`^[\\x20-\\x7e]{${bytes}}$`), `must be exactly ${bytes} ASCII characters`))

/**
 * Returns whether a text is an SMTP URL without parts that would be ignored, such as a path. A user name requires a password, and
 * the reverse.
 */
export function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return (
    (protocol === 'smtp:' || protocol === 'smtps:') &&
    hostname !== '' &&
    port !== '0' &&
    (username === '') === (password === '') &&
    (pathname === '' || pathname === '/') &&
    search === '' &&
    hash === ''
  )
}

/** Returns the part of a database URL that names hosts: behind the user, before path and query. '' for an empty URL. */
function hostsIn(url: string): string {
  const [authority = ''] = url.replace(/^\w+:\/\//, '').split(/[/?]/, 1)
  return authority.slice(authority.lastIndexOf('@') + 1)
}

/** Schema for the URL of a PostgreSQL with one host, or an empty text. */
export const postgresUrl = z.string().check(
  z.regex(/^(postgres(ql)?:\/\/.+)?$/, 'must look like postgres://user:password@host:5432/name'),
  z.refine((url) => !hostsIn(url).includes(','), {
    error: 'must name one host: put a proxy such as HAProxy in front of several (docs/scaling.md)',
  }),
)

/**
 * Schema for file extensions, separated by commas, in any case and with or without a dot. The result has lower case and
 * no dots; it is empty if the variable is not set.
 */
export const fileTypes = z._default(
  z.pipe(
    z
      .string()
      .check(
        z.regex(
          /^\s*(\.?[a-z0-9_+-]{1,20}\s*(,\s*|$))*$/i,
          'must be extensions with commas between, like pdf,hwp,docx',
        ),
      ),
    z.transform((text) => text.toLowerCase().match(/[a-z0-9_+-]+/g) ?? []),
  ),
  [],
)

/**
 * Returns a schema for times of a day in Asia/Seoul, 'HH:MM', separated by commas. The result is a list.
 * @param preset the result if the variable is not set
 */
export const timesOfDay = (preset: string[]) =>
  z._default(
    z.pipe(
      z
        .string()
        .check(
          z.regex(
            /^([01]\d|2[0-3]):[0-5]\d(\s*,\s*([01]\d|2[0-3]):[0-5]\d)*$/,
            'must be times of a day with commas between, like 03:00 or 03:00,12:30',
          ),
        ),
      z.transform((text) => text.split(',').map((time) => time.trim())),
    ),
    preset,
  )

/** Schema for public keys of age, separated by commas. The result is a list, empty if the variable is not set. */
export const recipients = z._default(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => parseRecipients(text) !== null,
          'must be public keys of age with commas between, each like age1… (never a private key)',
        ),
      ),
    z.transform((text) => parseRecipients(text) ?? []),
  ),
  [],
)

/**
 * Pattern of a number of proxies, 1 to 9. `true` is not allowed for TRUST_PROXY: it would trust the left-most entry of
 * X-Forwarded-For, which the client wrote.
 */
const HOPS = /^[1-9]$/

/** Returns the value of TRUST_PROXY as `Config.trustProxy` has it. */
function readTrustProxy(text: string): false | string | number {
  if (text === 'false') return false
  return HOPS.test(text) ? Number(text) : text
}

/** Returns whether a text is an address, a range of addresses, or a name that Fastify has for ranges. */
function isProxy(text: string): boolean {
  const name = text.trim()
  if (['loopback', 'linklocal', 'uniquelocal'].includes(name)) return true
  const [address = '', bits, ...more] = name.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/**
 * Schema for the proxies whose X-Forwarded-For header is trusted: false for none, as by default, their number in a row
 * (1 to 9), or their addresses.
 */
export const trustProxy = z._default(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => text === 'false' || HOPS.test(text) || text.split(',').every(isProxy),
          'must be false, the number of proxies in a row (1 to 9), or their addresses like 10.0.0.1 and 10.0.0.0/8 with commas between',
        ),
      ),
    z.transform(readTrustProxy),
  ),
  false,
)

/**
 * Schema for host names and addresses, separated by commas without blanks. The result is a list, empty if the variable
 * is not set.
 */
export const hosts = z._default(
  z.pipe(
    z
      .string()
      .check(
        z.regex(
          /^([\w.:-]+(,[\w.:-]+)*)?$/,
          'must be host names or addresses like login.company.local with commas between, without port',
        ),
      ),
    z.transform((text) => text.split(',').filter((host) => host !== '')),
  ),
  [],
)

/** Schema for KEY_SECRET of at least 32 characters without spaces; empty to use the secret in DATA_DIR. */
export const keySecret = z._default(
  z.string().check(z.regex(/^(\S{32,})?$/, 'must be at least 32 characters without spaces, drawn at random')),
  '',
)

/**
 * Schema for previous values of KEY_SECRET, separated by spaces. A value has at least 32 characters and contains no
 * spaces. The result is a list, empty if the variable is not set.
 */
export const formerSecrets = z._default(
  z.pipe(
    z
      .string()
      .check(
        z.regex(
          /^\s*(\S{32,}(\s+|$))*$/,
          'must be former values of KEY_SECRET, each at least 32 characters, with a space between two',
        ),
      ),
    z.transform((text) => text.split(/\s+/).filter((secret) => secret !== '')),
  ),
  [],
)

/**
 * Schema for the location of attached files, as STORAGE_URL states it, or of ACCESS_LOG_COPY_URL. The result is the
 * same text, '' if the variable is not set.
 */
export const storageUrl = z._default(
  z
    .string()
    .check(
      z.refine(
        (text) => readStorageUrl(text, '') !== null,
        'must look like file:///folder or s3://key:secret@host/bucket?region=eu-west-1 (write @ : / ? # % of key and secret as %40 %3A %2F %3F %23 %25)',
      ),
    ),
  '',
)

/** Pattern of LOG_SYSLOG_URL: scheme, host and port. */
const SYSLOG_URL = /^(tls|tcp):\/\/([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i

/** Returns whether a text has the form of LOG_SYSLOG_URL, with a port from 1 to 65535. False for ''. */
const isSyslogUrl = (text: string) => {
  const port = Number(SYSLOG_URL.exec(text)?.[3])
  return port > 0 && port < 65_536
}

/** Schema for a receiver of syslog, as LOG_SYSLOG_URL states it. The result is null if the variable is not set. */
export const syslogUrl = z._default(
  z.pipe(
    z.string().check(z.refine(isSyslogUrl, 'must look like tls://siem.company.kr:6514')),
    z.transform((text): SyslogReceiver | null => {
      const [, scheme = '', host = '', port] = SYSLOG_URL.exec(text) ?? []
      return {
        isTls: scheme.toLowerCase() === 'tls',
        host: host.replaceAll(/[[\]]/g, ''),
        port: Number(port),
      }
    }),
  ),
  null,
)

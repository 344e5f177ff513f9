import { hostname } from 'node:os'
import { type ExportedRow, jsonOf } from './rows.ts'

/** Most bytes of a message: receivers cut longer ones (RFC 5425 recommends 8192, rsyslog takes 8096). */
const MOST_BYTES = 8000
/** Fields that a long message leaves out, in this order: lists and values of any length. */
const OMITTED = ['detail', 'subjects', 'unknownSubjects', 'records', 'filters', 'target']
/** Facility 13 (log audit) and severity 6 (informational). */
const PRIORITY = 13 * 8 + 6

/** Name of this machine in the characters that syslog allows; '-' if there is none. */
const HOST =
  hostname()
    .replaceAll(/[^\x21-\x7e]/g, '')
    .slice(0, 255) || '-'

/**
 * Returns a row as a message of RFC 5424 with JSON as its text (rules/events#syslog). Leaves out OMITTED as needed for
 * MOST_BYTES.
 */
export function syslogMessageOf(row: ExportedRow): string {
  for (let count = 0; ; count += 1) {
    const omitted = OMITTED.slice(0, count).filter((name) => name in row.fields)
    const message = `<${PRIORITY}>1 ${row.at} ${HOST} maru - ${row.log} - ${jsonOf(row, omitted)}`
    if (Buffer.byteLength(message) <= MOST_BYTES || count >= OMITTED.length) return message
  }
}

/** Requests that carry bytes outside the envelope: forms, and uploads by tus. */
import fc from 'fast-check'
import { API_BASE } from '../../../contract/envelope.ts'
import { uploadFile, UPLOADS_PATH } from '../../../contract/notices.ts'
import { wireNames } from '../../../contract/wire.ts'
import { at, drawn, noise, pacesOf } from './drawn.ts'

const FIELDS = ['noticeId', 'fileName', 'replacesFileId', 'file'].map((name) =>
  wireNames(uploadFile).toWire(name),
)
const BOUNDARY = 'a-line-between'

const part = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...FIELDS) },
      { weight: 1, arbitrary: fc.constantFrom('X', '__proto__', '', 'N'.repeat(200)) },
    ),
    fc.constantFrom('', '; filename="x"', '; filename="../x.txt"', "; filename*=UTF-8''%ff", '; filename='),
    fc.constantFrom('', 'Content-Type: application/json\r\n', 'Content-Type: text/plain\r\n', 'X\r\n'),
    fc.oneof(
      at.map((place) => `@@noticeId@${place}`),
      noise,
      fc.constantFrom('측정.txt', '["측정.txt"]', '{"a":', 'A'.repeat(20_000)),
    ),
  )
  .map(
    ([name, file, type, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n${value}\r\n`,
  )

/** Fields, then the file: as the page sends it. */
const goodForm = at.map((place) =>
  [
    [FIELDS[0], '', `@@noticeId@${place}`],
    [FIELDS[1], '', '측정.txt'],
    [FIELDS[3], '; filename="x"', 'A'.repeat(1000)],
  ]
    .map(
      ([name, file, value]) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`,
    )
    .join(''),
)

/** The multipart call, as the page sends it and otherwise. */
export const forms = fc
  .tuple(
    fc.oneof(
      goodForm,
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
    ),
    fc.constantFrom(`--${BOUNDARY}--\r\n`, '', `--${BOUNDARY}`, '--', `\r\n--${BOUNDARY}--`),
    fc.constantFrom(`; boundary=${BOUNDARY}`, `; boundary=${BOUNDARY}`, '', '; boundary=', '; boundary="x'),
    fc.constantFrom(...pacesOf('at once', 'at once', 'slowly', 'cut off')),
  )
  .map(([parts, end, boundary, pace]) =>
    drawn({
      kind: 'form',
      path: API_BASE + uploadFile.path,
      headers: { 'content-type': `multipart/form-data${boundary}` },
      body: parts + end,
      pace,
    }),
  )

/** tus: heads, and pieces at right and wrong places. */
export const tus = fc
  .tuple(
    fc.constantFrom('HEAD', 'PATCH', 'PATCH', 'PATCH', 'POST', 'GET', 'DELETE', 'OPTIONS', 'PUT'),
    fc.oneof(
      { weight: 4, arbitrary: at.map((place) => `@@uploadId@${place}`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '1',
          '999999999999999999',
          '9223372036854775808',
          '0',
          'x',
          '%00',
          '..',
          '',
        ),
      },
    ),
    fc.constantFrom('1.0.0', '1.0.0', '1.0.0', '0.2.2', ''),
    fc.constantFrom('0', '0', '0', '1', '5', '-1', '1e3', '99999999999999999999', 'x', ''),
    fc.constantFrom('application/offset+octet-stream', 'application/offset+octet-stream', 'text/plain', ''),
    fc.constantFrom('', 'A', 'A'.repeat(100), 'A'.repeat(70_000)),
    fc.constantFrom(...pacesOf('at once', 'at once', 'at once', 'slowly', 'cut off')),
  )
  .map(([method, id, version, offset, type, body, pace]) =>
    drawn({
      kind: 'tus',
      method,
      path: `${API_BASE}${UPLOADS_PATH}/${id}`,
      headers: { 'tus-resumable': version, 'upload-offset': offset, 'content-type': type },
      body: method === 'PATCH' || method === 'POST' ? body : '',
      pace,
    }),
  )

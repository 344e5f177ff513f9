import { randomUUID } from 'node:crypto'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { API_BASE, DEFAULT_ENVELOPE, SESSION_HEADER } from '../../contract/envelope.ts'
import {
  beginUpload,
  BULLET,
  createNotice,
  downloadFile,
  finishUpload,
  getNotice,
  uploadFile,
  UPLOADS_PATH,
} from '../../contract/notices.ts'
import { createEnvelope } from '../../server/http/envelope.ts'
import { bytes, send } from './transfer.ts'

const envelope = createEnvelope(DEFAULT_ENVELOPE)

/** What a signed-in person does with files, over the wire as any client does. */
export interface Portal {
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>
  write(): Promise<string>
  /** The multipart call of the spec. */
  sendForm(noticeId: string, size: number, replaces?: string): Promise<void>
  /** tus, as the page does. */
  sendTus(noticeId: string, size: number, replaces?: string): Promise<void>
  /** @returns how many bytes came */
  receive(noticeId: string): Promise<number>
}

/** @param session a SESSION_UID */
export function portalAt(port: number, session: string): Portal {
  const headers = { [SESSION_HEADER]: session }

  async function ask(endpoint: Endpoint, input: unknown) {
    const answer = await send(
      {
        port,
        path: API_BASE + endpoint.path,
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
      },
      [Buffer.from(JSON.stringify({ DATA: envelope.seal(input) }))],
    )
    if (answer.status !== 200) throw new Error(`${endpoint.path}: ${answer.status} ${answer.text}`)
    return answer
  }

  const portal: Portal = {
    async call(endpoint, input) {
      const { text } = await ask(endpoint, input)
      return envelope.open(Buffer.from(text)) as never
    },

    async write() {
      const notice = { BULLET_CODE: BULLET.notice, TITLE: '측정', MEMO: '' } as const
      return (await portal.call(createNotice, notice)).NOTICE_ID
    },

    async sendForm(noticeId, size, replaces) {
      const boundary = randomUUID()
      const field = (name: string, value: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      const head = Buffer.from(
        `${field('NOTICE_ID', noticeId)}${field('ORIGINAL_FILE_NAMES', '측정.bin')}${replaces === undefined ? '' : field('REPLACES_FILE_ID', replaces)}--${boundary}\r\nContent-Disposition: form-data; name="FILE_0"; filename="x"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      )
      const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
      const answer = await send(
        {
          port,
          path: API_BASE + uploadFile.path,
          method: 'POST',
          headers: {
            ...headers,
            'Content-Type': `multipart/form-data; boundary=${boundary}`,
            'Content-Length': head.length + size + tail.length,
          },
        },
        (function* () {
          yield head
          yield* bytes(size)
          yield tail
        })(),
      )
      if (answer.status !== 200) throw new Error(`${uploadFile.path}: ${answer.status} ${answer.text}`)
    },

    async sendTus(noticeId, size, replaces = '') {
      const { UPLOAD_ID } = await portal.call(beginUpload, {
        NOTICE_ID: noticeId,
        ORIGINAL_FILE_NAME: '측정.bin',
        FILE_SIZE: size,
        REPLACES_FILE_ID: replaces,
      })
      const answer = await send(
        {
          port,
          path: `${API_BASE}${UPLOADS_PATH}/${UPLOAD_ID}`,
          method: 'PATCH',
          headers: {
            ...headers,
            'Content-Type': 'application/offset+octet-stream',
            'Content-Length': size,
            'Tus-Resumable': '1.0.0',
            'Upload-Offset': 0,
          },
        },
        bytes(size),
      )
      if (answer.status !== 204) throw new Error(`PATCH: ${answer.status} ${answer.text}`)
      await portal.call(finishUpload, { UPLOAD_ID })
    },

    async receive(noticeId) {
      const [file] = (await portal.call(getNotice, { NOTICE_ID: noticeId })).FILE_LIST
      if (file === undefined) throw new Error('The notice has no file')
      const { SAVE_FILE_NAME, SAVE_PATH } = file
      return (await ask(downloadFile, { SAVE_FILE_NAME, SAVE_PATH })).received
    },
  }
  return portal
}

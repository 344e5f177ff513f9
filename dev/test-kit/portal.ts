import { createHash, randomUUID } from 'node:crypto'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { wireNames } from '../../contract/wire.ts'
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
import { sealInput, openOutput } from './seal.ts'
import { bytes, send } from './transfer.ts'

/** A file to send. Its bytes are generated; files with different `from` have different contents. */
export interface Parcel {
  name: string
  size: number
  from?: number
}

/** Returns the SHA-256 of a file to send. */
export function sumOf({ size, from }: Parcel): string {
  const hash = createHash('sha256')
  for (const chunk of bytes(size, from)) hash.update(chunk)
  return hash.digest('hex')
}

/** Thrown when a call or upload has another status than success. */
export class RefusedError extends Error {
  readonly status: number
  /** Code of the failure; undefined if the body has none. */
  readonly code: string | undefined

  constructor(what: string, { status, text }: { status: number; text: string }) {
    super(`${what}: ${status} ${text}`)
    this.status = status
    this.code = /"code":"(\w+)"/.exec(text)?.[1]
  }
}

/**
 * Actions of a logged-in user on files, over the wire like any client. Each throws RefusedError for another status than success.
 */
export interface Portal {
  /** Makes a call and returns its output. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>
  /** Creates a notice, and returns its noticeId. */
  write(): Promise<string>
  /** Returns the files of a notice; an empty list if it has none. */
  filesOf(noticeId: string): Promise<OutputOf<typeof getNotice>['files']>
  /**
   * Attaches a file by the multipart call.
   * @param replaces fileId of the file that it replaces
   */
  sendForm(noticeId: string, parcel: Parcel, replaces?: string): Promise<void>
  /**
   * Attaches a file by tus.
   * @param replaces fileId of the file that it replaces
   * @param onBegun receives the uploadId before the first byte is sent
   */
  sendTus(
    noticeId: string,
    parcel: Parcel,
    replaces?: string,
    onBegun?: (uploadId: string) => void,
  ): Promise<void>
  /**
   * Continues an interrupted upload and attaches its file. Waits while a killed server still holds the upload.
   * @returns the byte from which it continued
   */
  resumeTus(uploadId: string, parcel: Parcel): Promise<number>
  /**
   * Downloads the first file of a notice, and returns the number of bytes.
   * @throws {Error} if the notice has no file
   */
  receive(noticeId: string, onChunk?: (chunk: Buffer) => void): Promise<number>
}

/**
 * Creates a client of the server on this port.
 * @param session sessionUid of the user
 */
export function portalAt(port: number, session: string): Portal {
  const headers = { [SESSION_HEADER]: session }
  const tus = { ...headers, 'Tus-Resumable': '1.0.0' }

  /**
   * Makes a call and returns the response.
   * @throws {RefusedError} if the status is not 200
   */
  async function ask(endpoint: Endpoint, input: unknown, onChunk?: (chunk: Buffer) => void) {
    const answer = await send(
      {
        port,
        path: API_BASE + endpoint.path,
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
      },
      [Buffer.from(sealInput(endpoint, input))],
      onChunk,
    )
    if (answer.status !== 200) throw new RefusedError(endpoint.path, answer)
    return answer
  }

  /**
   * Returns the next byte of an upload. Waits while another writer holds it.
   * @throws {RefusedError} for another status than 200 and 423
   */
  async function offsetOf(uploadId: string): Promise<number> {
    const path = `${API_BASE}${UPLOADS_PATH}/${uploadId}`
    for (;;) {
      const answer = await send({ port, path, method: 'HEAD', headers: tus })
      if (answer.status === 200) return Number(answer.headers['upload-offset'])
      // Busy: the server considers a killed writer alive for some seconds.
      if (answer.status !== 423) throw new RefusedError('HEAD', answer)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /**
   * Sends the rest of a file from an offset on.
   * @throws {RefusedError} if the status is not 204
   */
  async function patch(uploadId: string, { size, from = 0 }: Parcel, offset: number): Promise<void> {
    const answer = await send(
      {
        port,
        path: `${API_BASE}${UPLOADS_PATH}/${uploadId}`,
        method: 'PATCH',
        headers: {
          ...tus,
          'Content-Type': 'application/offset+octet-stream',
          'Content-Length': size - offset,
          'Upload-Offset': offset,
        },
      },
      bytes(size - offset, from + offset),
    )
    if (answer.status !== 204) throw new RefusedError('PATCH', answer)
  }

  const portal: Portal = {
    async call(endpoint, input) {
      const { text } = await ask(endpoint, input)
      return openOutput(endpoint, text) as never
    },

    async write() {
      const notice = { bulletCode: BULLET.notice, title: '측정', memo: '' } as const
      return (await portal.call(createNotice, notice)).noticeId
    },

    async filesOf(noticeId) {
      return (await portal.call(getNotice, { noticeId })).files
    },

    async sendForm(noticeId, { name, size, from }, replaces) {
      const boundary = randomUUID()
      const { toWire } = wireNames(uploadFile)
      const field = (of: string, value: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${toWire(of)}"\r\n\r\n${value}\r\n`
      const head = Buffer.from(
        `${field('noticeId', noticeId)}${field('fileName', name)}${replaces === undefined ? '' : field('replacesFileId', replaces)}--${boundary}\r\nContent-Disposition: form-data; name="${toWire('file')}"; filename="x"\r\nContent-Type: application/octet-stream\r\n\r\n`,
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
          yield* bytes(size, from)
          yield tail
        })(),
      )
      if (answer.status !== 200) throw new RefusedError(uploadFile.path, answer)
    },

    async sendTus(noticeId, parcel, replaces = '', onBegun = () => {}) {
      const { uploadId } = await portal.call(beginUpload, {
        noticeId,
        fileName: parcel.name,
        fileSize: parcel.size,
        replacesFileId: replaces,
      })
      onBegun(uploadId)
      await patch(uploadId, parcel, 0)
      await portal.call(finishUpload, { uploadId })
    },

    async resumeTus(uploadId, parcel) {
      const offset = await offsetOf(uploadId)
      if (offset < parcel.size) await patch(uploadId, parcel, offset)
      await portal.call(finishUpload, { uploadId })
      return offset
    },

    async receive(noticeId, onChunk) {
      const [file] = await portal.filesOf(noticeId)
      if (file === undefined) throw new Error('The notice has no file')
      const { storedName, storedPath } = file
      return (await ask(downloadFile, { storedName, storedPath }, onChunk)).received
    },
  }
  return portal
}

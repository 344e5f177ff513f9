import { queryOptions } from '@tanstack/react-query'
import { FIRST_BYTES, mayBegin, mayBeNamed } from '../../../../contract/file-types.ts'
import {
  downloadPicture,
  fileName,
  MAX_PICTURE_BYTES,
  PICTURE_NAME,
  pictureTypeOf,
} from '../../../../contract/notices.ts'
import { portalConfig } from '../../../api/config.ts'
import { callForFile } from '../../../api/client.ts'
import { queryClient } from '../../../api/query.ts'
import { isReadable } from '../../../api/readable.ts'
import { portalMessages } from '../../../language.tsx'

/** What the dialog that chooses pictures offers. */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/gif,image/webp'

/** A new name for a picture: nobody else in the text has it. */
export function newPictureName(): string {
  const { characters, length } = PICTURE_NAME
  const random = crypto.getRandomValues(new Uint32Array(length))
  return Array.from(random, (number) => characters[number % characters.length]).join('')
}

/** The words that stand for a picture until its author writes better ones: what its file is called. */
export function wordsOf(file: File): string {
  const words = portalMessages().notices.tools.words.picture
  // What a browser calls whatever was copied.
  if (file.name === 'image.png') return words
  const name = file.name.normalize('NFC').replace(/\.[^.]*$/, '')
  return (
    name
      .replaceAll(/[[\]\\`<>&\s]+/g, ' ')
      .trim()
      .slice(0, 80) || words
  )
}

/** Why a file cannot be a picture of a text; null when it can. Nothing is sent to find out. */
export async function pictureProblem(file: File): Promise<string | null> {
  const { files, notices } = portalMessages()
  const t = notices.pictures
  if (file.size > MAX_PICTURE_BYTES) return t.tooLarge(file.name)
  if (!fileName.safeParse(file.name).success) return files.badName(file.name)
  const types = portalConfig().fileTypes
  if (types && !mayBeNamed(types, file.name)) return files.typeRefused(file.name)
  if (!(await isReadable(file))) return files.unreadable
  const first = new Uint8Array(await file.slice(0, FIRST_BYTES).arrayBuffer())
  if (pictureTypeOf(first) === undefined) return t.noPicture(file.name)
  return types && !mayBegin(types, file.name, first) ? files.contentRefused(file.name) : null
}

/** A file as the picture that its first bytes say it is, whatever it is called; of anything else it is nothing that is shown. */
export async function asPicture(content: Blob): Promise<Blob> {
  const type = pictureTypeOf(new Uint8Array(await content.slice(0, 16).arrayBuffer()))
  return new Blob([content], { type: type ?? 'application/octet-stream' })
}

/** The bytes of a picture, which never change: had once, and kept while the notice is open. */
export function pictureQuery(noticeId: string | undefined, picture: string) {
  const input = { picture, ...(noticeId !== undefined && { noticeId }) }
  return queryOptions({
    queryKey: [downloadPicture.path, input] as const,
    queryFn: ({ signal }) =>
      inTurn(async () =>
        asPicture(await callForFile(downloadPicture, input, { signal, inline: 'serverFailure' })),
      ),
    staleTime: Infinity,
  })
}

/** Keeps a picture that was just chosen, so that the preview shows it at once. */
export async function keepPicture(noticeId: string | undefined, picture: string, file: File): Promise<void> {
  queryClient.setQueryData(pictureQuery(noticeId, picture).queryKey, await asPicture(file))
}

// A person has few calls at once, and needs some for other things.
const AT_ONCE = 2
let free = AT_ONCE
const waiting: (() => void)[] = []

/** Does some work when others of its kind leave it a place. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
}

/** Has every picture of a notice, for paper, which shows all of it at once. One that cannot be had keeps nobody waiting. */
export async function loadPictures(
  noticeId: string,
  pictures: readonly { picture: string }[],
): Promise<void> {
  await Promise.allSettled(
    pictures.map(({ picture }) =>
      queryClient.fetchQuery({ ...pictureQuery(noticeId, picture), retry: false }),
    ),
  )
}

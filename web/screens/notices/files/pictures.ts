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
import { callForFile } from '../../../api/call-for-file.ts'
import { queryClient } from '../../../api/query.ts'
import { isReadable } from '../../../api/readable.ts'
import { portalMessages } from '../../../language.tsx'

/** Image types that the file dialog offers, for its `accept` attribute. */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/gif,image/webp'

/** Returns a new random name (PICTURE_NAME) by which a text refers to an image. */
export function newPictureName(): string {
  const { characters, length } = PICTURE_NAME
  const random = crypto.getRandomValues(new Uint32Array(length))
  return Array.from(random, (number) => characters[number % characters.length]).join('')
}

/**
 * Returns the description that a new image gets in the text: its file name without extension and without signs
 * that Markdown reads, at most 80 characters. Returns a general word if nothing is left, and for an image from the
 * clipboard.
 */
export function wordsOf(file: File): string {
  const words = portalMessages().notices.tools.words.picture
  // Browsers give this name to every image copied to the clipboard.
  if (file.name === 'image.png') return words
  const name = file.name.normalize('NFC').replace(/\.[^.]*$/, '')
  return (
    name
      .replaceAll(/[[\]\\`<>&\s]+/g, ' ')
      .trim()
      .slice(0, 80) || words
  )
}

/**
 * Returns why a file cannot be an image of a text, in the user's language: size, name, type, content, or because
 * it is unreadable. Reads its first bytes but sends nothing to the server.
 * @returns null if it can be an image of a text
 */
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

/**
 * Returns content with the image type that its first bytes indicate, whatever its file name says. Content of
 * another kind gets a type that browsers do not display as an image.
 */
async function asPicture(content: Blob): Promise<Blob> {
  const type = pictureTypeOf(new Uint8Array(await content.slice(0, 16).arrayBuffer()))
  return new Blob([content], { type: type ?? 'application/octet-stream' })
}

/**
 * Creates the query of an image. Its bytes never change, so they are loaded once and cached. At most AT_ONCE images
 * load concurrently.
 * @param noticeId undefined for an image that is not saved with a notice yet
 */
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

/**
 * Puts an image that the user just selected into the cache of queries, so that editor and preview show it without
 * a request. Sends nothing.
 */
export async function keepPicture(noticeId: string | undefined, picture: string, file: File): Promise<void> {
  queryClient.setQueryData(pictureQuery(noticeId, picture).queryKey, await asPicture(file))
}

/** Number of images that load concurrently: a user may make only a few concurrent calls, and needs some for others. */
const AT_ONCE = 2
/** Number of images that may begin to load now. */
let free = AT_ONCE
/** Starts the loading of the images that wait, in order. */
const waiting: (() => void)[] = []

/** Runs work with at most AT_ONCE concurrent calls. Other work waits in order. */
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

/**
 * Loads all images of a notice into the cache, for printing. Never rejects: an image that cannot be loaded does not
 * prevent printing.
 */
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

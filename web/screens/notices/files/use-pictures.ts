import { useEffect, useRef, useState } from 'react'
import { picturesIn } from '../../../../contract/notices.ts'
import { CallError } from '../../../api/call-error.ts'
import { keepPicture } from './pictures.ts'
import { giveUp, mayBeTriedAgain, transfer } from './transfer.ts'

/** State of an image that the form is sending. */
export interface SentPicture {
  /** Name of the image in the text. */
  name: string
  fileName: string
  percent: number
  /** Why sending failed. */
  problem: string | undefined
}

/** An image that is sent or whose sending failed. */
interface Run {
  name: string
  file: File
  stop: AbortController
  uploadId: string | undefined
  /** Resolves to whether all bytes are stored. */
  storing: Promise<boolean>
}

/**
 * Manages the images of a text (rules/notices#pictures): sends them one after another while the user continues to
 * type. The server stores them until a notice whose text names them is saved. Sending stops when the user leaves
 * the form. A refusal that no retry can solve also cancels the upload on the server.
 * @param noticeId undefined for a new notice
 */
export function usePictures(noticeId: string | undefined) {
  const [sent, setSent] = useState<readonly SentPicture[]>([])
  const runs = useRef(new Map<string, Run>())
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  useEffect(() => {
    const { current } = runs
    return () => current.forEach(({ stop }) => stop.abort())
  }, [])

  /** Adds an image to the shown ones, or replaces its state. */
  const show = (picture: SentPicture) =>
    setSent((before) =>
      before.some(({ name }) => name === picture.name)
        ? before.map((one) => (one.name === picture.name ? picture : one))
        : [...before, picture],
    )

  /** Sends an image once the earlier ones are sent or have failed. */
  function queue(run: Omit<Run, 'storing'>): void {
    show({ name: run.name, fileName: run.file.name, percent: 0, problem: undefined })
    const storing = turn.current.then(() => send(run))
    turn.current = storing.catch(() => {})
    runs.current.set(run.name, Object.assign(run, { storing }))
  }

  /** Sends an image, and removes it from the shown ones when it is stored. @returns false if that failed; then shows why */
  async function send(run: Omit<Run, 'storing'>): Promise<boolean> {
    const { name, file, stop } = run
    if (stop.signal.aborted) return false
    const tell = (percent: number, problem?: string) => show({ name, fileName: file.name, percent, problem })
    try {
      await transfer(file, {
        picture: name,
        uploadId: run.uploadId,
        signal: stop.signal,
        onBegun: (uploadId) => void (run.uploadId = uploadId),
        show: ({ loadedBytes, totalBytes }) =>
          tell(Math.floor((loadedBytes / Math.max(1, totalBytes)) * 100)),
      })
      runs.current.delete(name)
      setSent((before) => before.filter((one) => one.name !== name))
      return true
    } catch (error) {
      if (stop.signal.aborted) return false
      if (!(error instanceof CallError)) throw error
      if (run.uploadId !== undefined && !mayBeTriedAgain(error)) {
        giveUp(run.uploadId)
        run.uploadId = undefined
      }
      tell(0, error.message)
      return false
    }
  }

  /** Sends a failed image again. */
  const retry = (name: string) => {
    const run = runs.current.get(name)
    if (run !== undefined) queue(run)
  }

  return {
    /** The images that are being sent or wait for it, and the failed ones. Stored images are not among them. */
    sent,
    /** Begins to send an image. Resolves once the page can show it. */
    start: (name: string, file: File): Promise<void> => {
      queue({ name, file, stop: new AbortController(), uploadId: undefined })
      return keepPicture(noticeId, name, file)
    },
    retry,
    /** Returns how many images that a text names are still pending. */
    countPending: (text: string): number => {
      const isNamed = new Set(picturesIn(text))
      return sent.filter(({ name, problem }) => problem === undefined && isNamed.has(name)).length
    },
    /** Sends the failed images of a text again, and resolves to whether all of its images are stored. @returns undefined if they are already */
    whenStored: (text: string): Promise<boolean> | undefined => {
      const isNamed = new Set(picturesIn(text))
      for (const { name, problem } of sent) if (problem !== undefined && isNamed.has(name)) retry(name)
      const all = [...runs.current.values()]
        .filter(({ name }) => isNamed.has(name))
        .map(({ storing }) => storing)
      return all.length === 0 ? undefined : Promise.all(all).then((have) => have.every(Boolean))
    },
  }
}

/** The images of a form and their actions. */
export type FormPictures = ReturnType<typeof usePictures>

import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { getNotice } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { pictureQuery } from './pictures.ts'
import styles from './notice-picture.module.css'

/** Source of the images in a text, and their sizes: a saved notice, or without `noticeId` the user's pending images. */
export interface PictureSource {
  noticeId?: string | undefined
  pictures: OutputOf<typeof getNotice>['pictures']
}

interface Props {
  source: PictureSource
  name: string
  /** Description of the image by its author. */
  words: string
  /** True if the image is in a link. A click then follows the link. */
  isInLink: boolean
}

/**
 * Returns the data URL of a blank image of this size in pixels. An image without a URL would look broken while it
 * is loading.
 */
const nothingOf = (width: number, height: number) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`)}`

/**
 * Shows an image in a text (rules/notices#pictures). Its space is reserved from the start, and it loads when it is near
 * the visible area. A click enlarges it to the window, unless it is in a link. If it cannot be loaded, its description
 * is shown instead.
 */
export function NoticePicture({ source, name, words, isInLink }: Props) {
  const { notices, forms } = usePortalMessages()
  const t = notices.pictures
  const place = useRef<HTMLImageElement>(null)
  const [isNear, setNear] = useState(false)
  const { data, error } = useQuery({ ...pictureQuery(source.noticeId, name), enabled: isNear })
  const [isBroken, setBroken] = useState(false)
  const [isLarge, setLarge] = useState(false)
  const size = source.pictures.find(({ picture }) => picture === name)

  useEffect(() => {
    if (place.current === null) return undefined
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '100%' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])

  const draw = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null || data === undefined) return undefined
      const url = URL.createObjectURL(data)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [data],
  )
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      place.current = image
      return draw(image)
    },
    [draw],
  )

  const alt = words || t.picture
  if (error !== null || isBroken) return <span className={styles.lost}>{t.lost(alt)}</span>
  const picture = (
    <img
      ref={show}
      className={styles.picture}
      src={nothingOf(size?.width ?? 1, size?.height ?? 1)}
      alt={alt}
      width={size?.width}
      height={size?.height}
      style={size && { aspectRatio: `${size.width} / ${size.height}` }}
      onError={() => setBroken(true)}
    />
  )
  if (isInLink) return picture
  return (
    <>
      <button
        type="button"
        className={styles.enlarge}
        aria-label={t.enlarge(alt)}
        aria-haspopup="dialog"
        disabled={data === undefined}
        onClick={() => setLarge(true)}
      >
        {picture}
      </button>
      {isLarge && (
        <Dialog title={alt} width="window" closeLabel={forms.close} onClose={() => setLarge(false)}>
          <img ref={draw} className={styles.large} src={nothingOf(1, 1)} alt={alt} />
        </Dialog>
      )}
    </>
  )
}

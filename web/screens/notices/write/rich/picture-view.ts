import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import { pictureAt } from '../../../../../contract/notices.ts'
import { queryClient } from '../../../../api/query.ts'
import { portalMessages } from '../../../../language.tsx'
import { pictureQuery } from '../../files/pictures.ts'
import picture from '../../files/notice-picture.module.css'

/**
 * View of an image in the editor. Loads an image of the notice or a pending one, and shows its description if that
 * fails. An image of another site is never loaded: its description is shown.
 */
export class PictureView implements NodeView {
  readonly dom: HTMLElement
  private url: string | undefined
  private isGone = false

  constructor({ attrs }: Node, noticeId: string | undefined) {
    const name = pictureAt(attrs['src'] as string)
    const words = (attrs['alt'] as string) || (attrs['src'] as string)
    this.dom = document.createElement(name === undefined ? 'span' : 'img')
    if (!(this.dom instanceof HTMLImageElement)) {
      this.dom.textContent = words
      return
    }
    this.dom.alt = words
    this.dom.className = picture['picture'] ?? ''
    void this.load(this.dom, noticeId, name!, words)
  }

  /** Loads an image and shows it, unless the view was destroyed meanwhile. */
  private async load(image: HTMLImageElement, noticeId: string | undefined, name: string, words: string) {
    try {
      const content = await queryClient.fetchQuery({ ...pictureQuery(noticeId, name), retry: false })
      if (this.isGone) return
      this.url = URL.createObjectURL(content)
      image.src = this.url
    } catch {
      // As for readers: an image that cannot be loaded shows its words.
      image.alt = portalMessages().notices.pictures.lost(words)
    }
  }

  /** Releases the image when the editor removes the view. */
  destroy(): void {
    this.isGone = true
    if (this.url !== undefined) URL.revokeObjectURL(this.url)
  }
}

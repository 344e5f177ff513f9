import { useRouter } from '@tanstack/react-router'
import { createElement, Fragment, type MouseEvent, type ReactNode } from 'react'
import { pictureAt } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { LinkedText, OutsideLink, targetOf } from './links.tsx'
import { NoticePicture, type PictureSource } from '../files/notice-picture.tsx'
import { alignOf, attribute, markdown, type Part, treeOf } from './markdown-parser.ts'
import styles from './memo-text.module.css'

/** Options for rendering a text. */
export interface Look {
  /** Level of the highest heading. */
  level: number
  /** Origin of the portal. */
  origin: string
  /** Announced for a link that opens a new window. */
  newWindow: string
  /** Label of a table, for users who scroll it by keyboard. */
  table: string
  /** Renders an image of the notice by its name. */
  picture: (name: string, words: string, isInLink: boolean) => ReactNode
}

/**
 * Shows a Markdown text with its images, tables that scroll, and links (rules/notices#text-of-a-notice).
 * @param level level of the highest heading on the page
 */
export function MarkdownText({
  text,
  level,
  source,
}: {
  text: string
  level: number
  source: PictureSource
}) {
  const t = usePortalMessages().notices.detail
  const picture: Look['picture'] = (name, words, isInLink) => (
    <NoticePicture key={name} source={source} name={name} words={words} isInLink={isInLink} />
  )
  const look = { level, origin: location.origin, newWindow: t.opensNewWindow, table: t.table, picture }
  return <div className={styles.markdown}>{elementsOf(text, look)}</div>
}

/**
 * Returns the React elements of a Markdown text. Creates only the elements and attributes listed here and never
 * HTML, so no text can inject markup (design/notices#markdown). Images of other sites become links, because
 * loading them would let these sites count readers.
 */
export function elementsOf(text: string, look: Look): ReactNode {
  return show(treeOf(markdown.parse(text, {})), { ...look, isInLink: false })
}

/** Options for rendering at a place of the text. */
interface Place extends Look {
  /** True inside a link, which must not contain another one. */
  isInLink: boolean
}

/** HTML elements by the token that becomes one without attributes. */
const ELEMENTS: Record<string, string> = {
  blockquote_open: 'blockquote',
  bullet_list_open: 'ul',
  list_item_open: 'li',
  thead_open: 'thead',
  tbody_open: 'tbody',
  tr_open: 'tr',
  strong_open: 'strong',
  em_open: 'em',
  s_open: 's',
}

/** Returns the React elements of some tokens. */
const show = (parts: readonly Part[], place: Place): ReactNode =>
  parts.map((part, index) => createElement(Fragment, { key: index }, elementOf(part, place)))

/** Returns the React element of a token with its children. A token without an own element becomes its text. */
function elementOf({ token, parts }: Part, place: Place): ReactNode {
  const inside = () => show(parts, place)
  const element = ELEMENTS[token.type]
  if (element !== undefined) return createElement(element, null, inside())
  switch (token.type) {
    case 'inline':
      return inside()
    case 'text':
      return place.isInLink ? (
        token.content
      ) : (
        <LinkedText text={token.content} origin={place.origin} newWindow={place.newWindow} />
      )
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'paragraph_open':
      return token.hidden ? inside() : <p>{inside()}</p>
    case 'heading_open':
      return createElement(`h${Math.min(6, Number(token.tag.slice(1)) + place.level - 1)}`, null, inside())
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{inside()}</ol>
    case 'code_inline':
      return <code>{token.content}</code>
    case 'fence':
    case 'code_block':
      return (
        <pre>
          <code>{token.content}</code>
        </pre>
      )
    case 'hr':
      return <hr />
    case 'table_open':
      return (
        // The user can scroll it by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role
        <div className={styles.scroll} role="group" aria-label={place.table} tabIndex={0}>
          <table>{inside()}</table>
        </div>
      )
    case 'th_open':
      return (
        <th scope="col" data-align={alignOf(token)}>
          {inside()}
        </th>
      )
    case 'td_open':
      return <td data-align={alignOf(token)}>{inside()}</td>
    case 'link_open':
      return (
        <TextLink href={attribute(token, 'href')} place={place}>
          {show(parts, { ...place, isInLink: true })}
        </TextLink>
      )
    case 'image': {
      const name = pictureAt(attribute(token, 'src'))
      if (name !== undefined) return place.picture(name, wordsIn(parts), place.isInLink)
      // The portal loads no image from another site, which could count its readers. The image becomes a link with its description.
      return place.isInLink ? (
        inside()
      ) : (
        <TextLink href={attribute(token, 'src')} place={place}>
          {parts.length > 0 ? show(parts, { ...place, isInLink: true }) : attribute(token, 'src')}
        </TextLink>
      )
    }
    default:
      return token.content
  }
}

/** Returns the text of an image description without markup. */
const wordsIn = (parts: readonly Part[]): string =>
  parts.map(({ token, parts: inner }) => (inner.length > 0 ? wordsIn(inner) : token.content)).join('')

/**
 * Shows a link if its target is allowed (`targetOf`): within the portal, or in a new window. Otherwise shows only
 * its text.
 */
function TextLink({ href, place, children }: { href: string; place: Place; children: ReactNode }) {
  const target = targetOf(href, place.origin)
  if (target === undefined) return children
  if (target.isPage) return <PageLink href={target.href}>{children}</PageLink>
  return (
    <OutsideLink href={target.href} newWindow={place.newWindow}>
      {children}
    </OutsideLink>
  )
}

/**
 * Shows a link to a page of the portal. A plain click navigates without a reload, and asks before it leaves a form
 * with unsaved input. With a modifier key the browser opens it.
 */
function PageLink({ href, children }: { href: string; children: ReactNode }) {
  const router = useRouter({ warn: false })
  function follow(event: MouseEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.history.push(href)
  }
  return (
    <a href={href} onClick={follow}>
      {children}
    </a>
  )
}

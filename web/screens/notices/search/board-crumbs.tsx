import { Link, useSearch } from '@tanstack/react-router'
import { Crumbs } from '../../../layout/breadcrumbs.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { board } from './board.ts'

/** Shows the breadcrumbs of a notice: a link to the board with the search and page in the URL. */
export function BoardCrumbs() {
  const { titles } = usePortalMessages()
  const search = board.write(board.read(useSearch({ strict: false })))
  return (
    <Crumbs
      list={
        <Link to="/notice/search" search={search}>
          {titles.noticeSearch}
        </Link>
      }
    />
  )
}

import { Link, useSearch } from '@tanstack/react-router'
import { Crumbs } from '../../../frame/crumbs.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { board } from './board.ts'

/** The way from the board, at its search and page, to a notice. */
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

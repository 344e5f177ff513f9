import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type FunctionName, USER_READERS } from '../../../contract/permissions.ts'
import { usePermissionLookup } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useAffiliationTexts } from './affiliation-texts.ts'
import type { Affiliation } from './lists.ts'
import styles from './affiliations.module.css'

/** Affiliation in the list, with the number of those above it. */
type Row = Affiliation & { depth: number }

/** Actions of the buttons of a row. The caller carries them out. */
interface Actions {
  nameOf: (affiliation: Affiliation) => string
  onRename: (affiliation: Affiliation) => void
  onParent: (affiliation: Affiliation) => void
  onDefault: (affiliation: Affiliation) => void
  onToggle: (affiliation: Affiliation) => void
}

/**
 * Returns the columns of the managed list: names, state, counts, default partner code, and the buttons of a row. Counts
 * and the partner code are links for users with the permission for that page. An open affiliation without a default
 * shows a warning and a button that calls `onDefault`.
 */
export function useAffiliationColumns({ nameOf, onRename, onParent, onDefault, onToggle }: Actions) {
  const t = useAffiliationTexts()
  const { regionName } = usePortalMessages()
  const may = usePermissionLookup()
  const { text, column } = columnsOf<Row, keyof typeof t.columns>(t.columns)

  const countOf = (row: Affiliation, which: 'user' | 'partner' | 'key') => {
    const count = row[`${which}Count`]
    const shown = count.toLocaleString()
    const { path, names, label } = {
      user: { path: '/user/search', names: USER_READERS, label: t.usersOf },
      partner: { path: '/partner/search', names: ['autho_partner_search'], label: t.partnersOf },
      key: { path: '/key/search', names: ['autho_key_search'], label: t.keysOf },
    }[which] as {
      path: '/user/search'
      names: readonly FunctionName[]
      label: (name: string, count: string) => string
    }
    if (count === 0 || !names.some((name) => may(name))) return shown
    return (
      <Link
        className={styles.number}
        to={path}
        search={{ affiliationCode: row.affiliationCode }}
        aria-label={label(nameOf(row), shown)}
      >
        {shown}
      </Link>
    )
  }

  const partner = (row: Affiliation): ReactNode => {
    const name = nameOf(row)
    const { partnerCode, provinceName, districtName } = row
    if (partnerCode === '') {
      return (
        <span className={styles.partner}>
          <span>
            {/* Users cannot choose a closed affiliation, so it needs no default. */}
            {row.closed ? t.missing : <Badge tone="warning">{t.missing}</Badge>}
          </span>
          {!row.closed && (
            <Button size="small" aria-label={t.makeOf(name)} onClick={() => onDefault(row)}>
              {t.make}
            </Button>
          )}
        </span>
      )
    }
    const place = regionName(`${provinceName} ${districtName}`)
    return (
      <span className={styles.partner}>
        <span title={`${partnerCode} · ${place}`}>
          {may('autho_partner_search') ? (
            <Link className={styles.number} to="/partner/detail" search={{ partnerCode }}>
              {partnerCode}
            </Link>
          ) : (
            partnerCode
          )}
          {/* The names need the space. The region is in the tooltip, and screen readers announce it. */}
          <span className="visually-hidden"> {place}</span>
        </span>
        <Button size="small" aria-label={t.changeOf(name)} onClick={() => onDefault(row)}>
          {t.change}
        </Button>
      </span>
    )
  }

  const actions = (row: Affiliation): ReactNode => {
    const name = nameOf(row)
    return (
      <span className={styles.actions}>
        <Button size="small" aria-label={t.renameOf(name)} onClick={() => onRename(row)}>
          {t.rename}
        </Button>
        <Button size="small" aria-label={t.parentOf(name)} onClick={() => onParent(row)}>
          {t.parent}
        </Button>
        <Button
          size="small"
          aria-label={row.closed ? t.reopenOf(name) : t.closeOf(name)}
          onClick={() => onToggle(row)}
        >
          {row.closed ? t.reopen : t.close}
        </Button>
      </span>
    )
  }

  return [
    text('affiliationCode', { width: 84 }),
    column(
      'name',
      ({ name, depth, external }) => (
        <span className={styles.branch} data-depth={depth}>
          {name} {external && <Badge>{t.externalBadge}</Badge>}
        </span>
      ),
      { isRowHeader: true },
    ),
    text('nameEn'),
    column(
      'closed',
      ({ closed }) => <Badge tone={closed ? 'neutral' : 'positive'}>{closed ? t.closed : t.open}</Badge>,
      { width: 92, align: 'center' },
    ),
    column('userCount', (row) => countOf(row, 'user'), { width: 76, align: 'right' }),
    column('partnerCount', (row) => countOf(row, 'partner'), { width: 98, align: 'right' }),
    column('keyCount', (row) => countOf(row, 'key'), { width: 84, align: 'right' }),
    column('partnerCode', partner, { width: 194 }),
    column('actions', actions, { width: 270 }),
  ] satisfies ListColumn<Row>[]
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getKeyStatistics } from '../../../contract/keys.ts'
import { prefetch, query } from '../../api/query.ts'
import { LoadFailed } from '../../forms/load-error.tsx'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import type { ListWords } from '../../lists/list-url.ts'
import { freshList } from '../../lists/list-state.ts'
import { useListInAddress } from '../../lists/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { KeyBarChart } from './bar-chart.tsx'
import { everyDay } from './days.ts'
import {
  KeyFilters,
  type KeyFilterValues as Filters,
  filterInput,
  keyAddress,
  NO_FILTERS,
} from './key-filters.tsx'
import layout from '../../ui/layout.module.css'
import styles from './key-statistics.module.css'

/** Returns the query for the numbers of keys. */
const statisticsQuery = (filters: Filters) => query(getKeyStatistics, filterInput(filters))

/** Prefetches the statistics for the filters in the URL. */
export function load(words: ListWords): void {
  void prefetch(statisticsQuery(keyAddress.read(words).filters))
}

/**
 * The page /key/statistics: numbers of issued keys per day, province and affiliation, by the filters of the history.
 * Each bar opens its keys in the history.
 */
export default function KeyStatistics() {
  const { keys, regionName, titles } = usePortalMessages()
  const t = keys.statistics
  const navigate = useNavigate()
  const list = useListInAddress(keyAddress)
  const found = useQuery(statisticsQuery(list.filters))
  useShowRefusal(found.error)
  const open = (narrower: Partial<Filters>) =>
    void navigate({
      to: '/key/search',
      search: keyAddress.write(freshList({ ...list.filters, ...narrower })),
    })
  const { data } = found
  const { issuedFrom: from = '', issuedTo: to = '' } = filterInput(list.filters)

  const charts = data && [
    {
      title: t.byDay,
      label: t.day,
      isWide: true,
      bars: everyDay(data.days, { from, to }).map(({ date, count }) => ({
        key: date,
        name: date,
        count,
        open: () => open({ issuedFrom: date, issuedTo: date }),
      })),
    },
    {
      title: t.byProvince,
      label: keys.filters.province,
      bars: data.provinces.map(({ provinceName, count }) => ({
        key: provinceName,
        name: regionName(provinceName),
        count,
        // A district belongs to its province: another province's would find nothing.
        open: () =>
          open(
            list.filters.provinceName === provinceName
              ? {}
              : { provinceName, districtName: NO_FILTERS.districtName },
          ),
      })),
    },
    {
      title: t.byAffiliation,
      label: keys.filters.affiliation,
      bars: data.affiliations.map(({ affiliationCode, affiliationName, count }) => ({
        key: affiliationCode,
        name: affiliationName,
        count,
        open: () => open({ affiliationCode }),
      })),
    },
  ]

  return (
    <Page title={titles.keyStatistics}>
      <div className={layout.parts}>
        <KeyFilters initial={list.filters} onSearch={list.search} />
        <ListBar total={data !== undefined && keys.total(data.totalCount.toLocaleString())}>
          <Button size="small" onClick={() => open({})}>
            {t.toList}
          </Button>
        </ListBar>
        {found.isError && <LoadFailed query={found} message={t.failed} />}
        {found.isPending && <output className={styles.loading}>{t.loading}</output>}
        {data?.totalCount === 0 && <EmptyState message={t.empty} />}
        {charts !== undefined && data?.totalCount !== 0 && <p className={layout.quiet}>{t.hint}</p>}
        {charts !== undefined && data?.totalCount !== 0 && (
          <div className={styles.charts}>
            {charts.map(({ title, label, bars, isWide }) => (
              <div key={title} className={isWide ? layout.fullRow : undefined}>
                <Card title={title}>
                  <KeyBarChart title={title} label={label} bars={bars} isOverTime={isWide === true} />
                </Card>
              </div>
            ))}
          </div>
        )}
      </div>
    </Page>
  )
}

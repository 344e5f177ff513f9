import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { getKeyStatistics } from '../../../contract/keys.ts'
import { query } from '../../api/query.ts'
import { useTellRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { useListInAddress } from '../../lists/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { everyDay } from './days.ts'
import { KeyFilters } from './key-filters.tsx'
import layout from '../../ui/layout.module.css'
import styles from './key-statistics.module.css'
import { type KeyFilters as Filters, NO_FILTERS, wireFilters, wordsOf } from './search-state.ts'

// The chart library is several times the weight of the page around it.
const BarChart = lazy(() => import('./bar-chart.tsx').then((module) => ({ default: module.KeyBarChart })))

/** /key/statistics: keys per day, province and affiliation; each bar leads to its part of the history. */
export function KeyStatistics() {
  const { keys, lists, frame } = usePortalMessages()
  const t = keys.statistics
  const navigate = useNavigate()
  const list = useListInAddress(NO_FILTERS, [])
  const found = useQuery(query(getKeyStatistics, wireFilters(list.filters)))
  useTellRefusal(found.error)
  const open = (narrower: Partial<Filters>) =>
    void navigate({ to: '/key/search', search: wordsOf({ ...list.filters, ...narrower }) })
  const { data } = found
  const { ISSUANCE_DATETIME_START: from = '', ISSUANCE_DATETIME_END: to = '' } = wireFilters(list.filters)

  const charts = data && [
    {
      title: t.byDay,
      label: t.day,
      isWide: true,
      bars: everyDay(data.DAY_LIST, { from, to }).map(({ DATE, COUNT }) => ({
        key: DATE,
        name: DATE,
        count: COUNT,
        open: () => open({ from: DATE, to: DATE }),
      })),
    },
    {
      title: t.byProvince,
      label: keys.filters.province,
      bars: data.SIDO_LIST.map(({ SIDO_NAME, COUNT }) => ({
        key: SIDO_NAME,
        name: SIDO_NAME,
        count: COUNT,
        // A district belongs to its province: another province's would find nothing.
        open: () =>
          open(
            list.filters.province === SIDO_NAME ? {} : { province: SIDO_NAME, district: NO_FILTERS.district },
          ),
      })),
    },
    {
      title: t.byAffiliation,
      label: keys.filters.affiliation,
      bars: data.BELONGTO_LIST.map(({ BELONGTO_CODE, BELONGTO_CODE_NAME, COUNT }) => ({
        key: BELONGTO_CODE,
        name: BELONGTO_CODE_NAME,
        count: COUNT,
        open: () => open({ affiliation: BELONGTO_CODE }),
      })),
    },
  ]

  return (
    <Page title={frame.titles.keyStatistics}>
      <div className={layout.parts}>
        <KeyFilters initial={list.filters} onSearch={list.search} />
        <ListBar total={data !== undefined && keys.total(data.TOTAL_COUNT.toLocaleString())}>
          <Button size="small" onClick={() => open({})}>
            {t.toList}
          </Button>
        </ListBar>
        {found.isError && (
          <ErrorState
            message={t.failed}
            retryLabel={lists.retry}
            onRetry={() => void found.refetch()}
            isPending={found.isFetching}
          />
        )}
        {found.isPending && <output className={styles.loading}>{t.loading}</output>}
        {data?.TOTAL_COUNT === 0 && <EmptyState message={t.empty} />}
        {charts !== undefined && data?.TOTAL_COUNT !== 0 && <p className={layout.quiet}>{t.hint}</p>}
        {charts !== undefined && data?.TOTAL_COUNT !== 0 && (
          <div className={styles.charts}>
            {charts.map(({ title, label, bars, isWide }) => (
              <div key={title} className={isWide ? layout.fullRow : undefined}>
                <Card title={title}>
                  <Suspense fallback={<div className={styles.place} />}>
                    <BarChart title={title} label={label} bars={bars} isOverTime={isWide === true} />
                  </Suspense>
                </Card>
              </div>
            ))}
          </div>
        )}
      </div>
    </Page>
  )
}

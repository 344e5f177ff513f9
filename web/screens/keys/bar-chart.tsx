import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  ResponsiveContainer,
  Tooltip,
  useActiveTooltipDataPoints,
  XAxis,
  YAxis,
  type MouseHandlerDataParam,
} from 'recharts'
import { usePortalMessages } from '../../language.tsx'
import styles from './key-statistics.module.css'

/** A bar: its name, its number of keys, and the action that opens the history with these keys. */
interface KeyBar {
  key: string
  name: string
  count: number
  open: () => void
}

/** Bars and names of a chart. */
interface Props {
  title: string
  /** The dimension of the bars: the heading of the table's first column. */
  label: string
  bars: readonly KeyBar[]
  /** True for vertical bars from left to right. Otherwise the bars are horizontal, the longest first. */
  isOverTime: boolean
}

/** Height of a horizontal bar with its gap, in pixels. */
const BAR_HEIGHT = 30
/** Height of a chart with vertical bars, in pixels. */
const TIME_HEIGHT = 300
/** Above this number a bar is narrower than a pixel. A line shows the same and draws without delay. */
const MOST_BARS = 400
/** Width of a date below the axis with its gap, in pixels. */
const DATE_WIDTH = 100

/**
 * Shows numbers of keys as bars and as a table. In the chart, arrow keys move between bars and announce them, and a
 * click or Enter opens the keys of a bar. The table rows are buttons. With more than 400 bars it draws a line instead.
 */
export function KeyBarChart({ title, label, bars, isOverTime }: Props) {
  const t = usePortalMessages().keys.statistics
  const activeBar = useRef<KeyBar>(undefined)
  const [width, setWidth] = useState(10 * DATE_WIDTH)
  const dates = Math.max(1, Math.floor(width / DATE_WIDTH))
  const data = [...bars]
  const axis = { stroke: 'var(--line-strong)', tick: { fill: 'var(--text-quiet)' }, tickLine: false }
  const height = isOverTime ? TIME_HEIGHT : Math.max(data.length * BAR_HEIGHT + 40, 120)
  const isLine = data.length > MOST_BARS
  const name = { dataKey: 'name' }
  const count = { allowDecimals: false, tickFormatter: (value: number) => value.toLocaleString() }
  const series = { dataKey: 'count', name: t.count, fill: 'var(--data)', isAnimationActive: false }

  return (
    <div className={styles.chart}>
      {/* The chart inside takes the focus and the arrow keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        onKeyDownCapture={(event) => {
          if (event.key === 'Enter') activeBar.current?.open()
        }}
      >
        <ResponsiveContainer width="100%" height={height} onResize={setWidth}>
          <ComposedChart
            data={data}
            layout={isOverTime ? 'horizontal' : 'vertical'}
            margin={{ top: 8, right: 40, bottom: 0, left: 0 }}
            accessibilityLayer
            title={title}
            desc={t.hint}
            {...(isLine && {
              onClick: ({ activeTooltipIndex: at }: MouseHandlerDataParam) => data[Number(at ?? -1)]?.open(),
            })}
          >
            <CartesianGrid stroke="var(--line)" vertical={!isOverTime} horizontal={isOverTime} />
            <XAxis
              {...axis}
              {...(isOverTime
                ? { ...name, interval: Math.floor(data.length / dates) }
                : { ...count, type: 'number' as const })}
            />
            <YAxis
              {...axis}
              {...(isOverTime
                ? { ...count, width: 64 }
                : { ...name, type: 'category' as const, width: 150, interval: 0 })}
            />
            <Tooltip cursor={{ fill: 'var(--hover)' }} isAnimationActive={false} content={<Tip />} />
            <ActiveBarListener
              onMove={(bar) => {
                activeBar.current = bar
              }}
            />
            {isLine ? (
              <Area {...series} type="step" stroke="var(--data)" fillOpacity={0.35} activeDot={false} />
            ) : (
              // The whole column of a bar is clickable, even for a day without keys.
              <Bar
                {...series}
                maxBarSize={36}
                background={{ fill: 'transparent' }}
                onClick={(_, index) => data[index]?.open()}
              />
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <ChartTable title={title} label={label} bars={bars} />
    </div>
  )
}

/** Calls `onMove` with the bar under the pointer or the keyboard focus; with undefined if there is none. */
function ActiveBarListener({ onMove }: { onMove: (bar: KeyBar | undefined) => void }) {
  const [at] = useActiveTooltipDataPoints<KeyBar>() ?? []
  const move = useEffectEvent(onMove)
  useEffect(() => move(at), [at])
  return null
}

/** Shows and announces the number of the bar under the pointer or the keyboard focus. The chart passes the bar. */
function Tip({ active, payload }: { active?: boolean; payload?: readonly { payload?: KeyBar }[] }) {
  const t = usePortalMessages().keys.statistics
  const bar = payload?.[0]?.payload
  // Present even while empty: a live region announces what is added to it, not its initial content.
  if (active !== true || bar === undefined) return <output />
  return (
    <output className={styles.tip}>
      <strong>{bar.name}</strong>
      {t.issued(bar.count.toLocaleString())}
    </output>
  )
}

/** Shows the numbers of a chart as a table whose rows open the keys. Rows of 0 have no keys and are left out. */
function ChartTable({ title, label, bars }: Omit<Props, 'isOverTime'>) {
  const t = usePortalMessages().keys.statistics
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.asTable}</summary>
      {isOpen && (
        // The user can scroll it by keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className={styles.scroll} tabIndex={0} aria-label={title}>
          <table aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{label}</th>
                <th scope="col">{t.count}</th>
              </tr>
            </thead>
            <tbody>
              {bars
                .filter(({ count }) => count > 0)
                .map((bar) => (
                  <tr key={bar.key}>
                    <th scope="row">
                      <button type="button" className={styles.link} onClick={bar.open}>
                        {bar.name}
                      </button>
                    </th>
                    <td>{bar.count.toLocaleString()}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

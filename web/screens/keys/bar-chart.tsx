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

/** One bar and where it leads. */
interface KeyBar {
  key: string
  name: string
  count: number
  open: () => void
}

interface Props {
  title: string
  /** What the bars are of: the head of the table's first column. */
  label: string
  bars: readonly KeyBar[]
  /** Upright bars from left to right; otherwise lying ones, the longest first. */
  isOverTime: boolean
}

const BAR_HEIGHT = 30
const TIME_HEIGHT = 300
/** Days are narrower than a pixel beyond: a line says the same, and is drawn at once. */
const MOST_BARS = 400
/** How wide a date below the axis is, with the room between it and the next. */
const DATE_WIDTH = 100

/**
 * Numbers as bars: arrow keys walk along them and say each, a click or Enter leads on; and the same as a table, whose
 * rows are buttons.
 */
export function KeyBarChart({ title, label, bars, isOverTime }: Props) {
  const t = usePortalMessages().keys.statistics
  const standing = useRef<KeyBar>(undefined)
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
      {/* The chart in it takes the focus, and the arrow keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        onKeyDownCapture={(event) => {
          if (event.key === 'Enter') standing.current?.open()
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
            <Standing
              onMove={(bar) => {
                standing.current = bar
              }}
            />
            {isLine ? (
              <Area {...series} type="step" stroke="var(--data)" fillOpacity={0.35} activeDot={false} />
            ) : (
              // The whole place of a bar leads on: that of a day without keys, too.
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

/** Tells which bar is pointed at or walked to. */
function Standing({ onMove }: { onMove: (bar: KeyBar | undefined) => void }) {
  const [at] = useActiveTooltipDataPoints<KeyBar>() ?? []
  const move = useEffectEvent(onMove)
  useEffect(() => move(at), [at])
  return null
}

/** What stands beside the bar that is pointed at or walked to, and is said; the chart hands over which. */
function Tip({ active, payload }: { active?: boolean; payload?: readonly { payload?: KeyBar }[] }) {
  const t = usePortalMessages().keys.statistics
  const bar = payload?.[0]?.payload
  // There even while empty: a live region reads out what is added to it, not what it starts with.
  if (active !== true || bar === undefined) return <output />
  return (
    <output className={styles.tip}>
      <strong>{bar.name}</strong>
      {t.issued(bar.count.toLocaleString())}
    </output>
  )
}

/** A chart's numbers as a table, whose rows lead on; what is 0 leads nowhere, and is left out. */
function ChartTable({ title, label, bars }: Omit<Props, 'isOverTime'>) {
  const t = usePortalMessages().keys.statistics
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.asTable}</summary>
      {isOpen && (
        // Scrolls by keyboard too.
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

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
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

/**
 * Numbers as bars: arrow keys walk along them and say each, a click leads on; and the same as a table, whose rows are
 * buttons.
 */
export function KeyBarChart({ title, label, bars, isOverTime }: Props) {
  const t = usePortalMessages().keys.statistics
  const data = [...bars]
  const axis = { stroke: 'var(--line-strong)', tick: { fill: 'var(--text-quiet)' }, tickLine: false }
  const height = isOverTime ? TIME_HEIGHT : Math.max(data.length * BAR_HEIGHT + 40, 120)
  const name = { dataKey: 'name' }
  const count = { allowDecimals: false, tickFormatter: (value: number) => value.toLocaleString() }

  return (
    <div className={styles.chart}>
      <ResponsiveContainer width="100%" height={height}>
        <BarChart
          data={data}
          layout={isOverTime ? 'horizontal' : 'vertical'}
          margin={{ top: 8, right: 24, bottom: 0, left: 0 }}
          accessibilityLayer
          title={title}
        >
          <CartesianGrid stroke="var(--line)" vertical={!isOverTime} horizontal={isOverTime} />
          <XAxis
            {...axis}
            {...(isOverTime ? { ...name, minTickGap: 24 } : { ...count, type: 'number' as const })}
          />
          <YAxis
            {...axis}
            {...(isOverTime
              ? { ...count, width: 64 }
              : { ...name, type: 'category' as const, width: 150, interval: 0 })}
          />
          <Tooltip cursor={{ fill: 'var(--hover)' }} isAnimationActive={false} content={<Tip />} />
          <Bar
            dataKey="count"
            name={t.count}
            fill="var(--accent)"
            isAnimationActive={false}
            cursor="pointer"
            maxBarSize={36}
            onClick={(_, index) => data[index]?.open()}
          />
        </BarChart>
      </ResponsiveContainer>
      <details className={styles.table}>
        <summary>{t.asTable}</summary>
        {/* Scrolls by keyboard too. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section className={styles.scroll} tabIndex={0} aria-label={title}>
          <table aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{label}</th>
                <th scope="col">{t.count}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((bar) => (
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
      </details>
    </div>
  )
}

/** What stands beside the bar that is pointed at or walked to; the chart hands over which. */
function Tip({ active, payload }: { active?: boolean; payload?: readonly { payload?: KeyBar }[] }) {
  const t = usePortalMessages().keys.statistics
  const bar = payload?.[0]?.payload
  if (active !== true || bar === undefined) return null
  return (
    <div className={styles.tip}>
      <strong>{bar.name}</strong>
      {t.issued(bar.count.toLocaleString())}
    </div>
  )
}

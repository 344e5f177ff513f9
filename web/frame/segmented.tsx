import { useId, type ReactNode } from 'react'
import styles from './segmented.module.css'

/** One choice of a `Segmented`. */
interface Segment<T extends string> {
  value: T
  /** The name that is read out, and shown as a tooltip when there is an icon instead of words. */
  label: string
  icon?: ReactNode
  /** The language of the label, when it is not the page's. */
  lang?: string
}

/** Few choices side by side of which one holds, e.g. language and theme: native radios in small boxes. */
export function Segmented<T extends string>(props: {
  label: string
  value: T
  segments: readonly Segment<T>[]
  onChange: (value: T) => void
}) {
  const { label, value, segments, onChange } = props
  const name = useId()
  return (
    <fieldset className={styles.group} aria-label={label}>
      {segments.map((segment) => (
        <label
          key={segment.value}
          className={styles.segment}
          lang={segment.lang}
          title={segment.icon === undefined ? undefined : segment.label}
        >
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
          />
          {segment.icon}
          <span className={segment.icon === undefined ? undefined : 'visually-hidden'}>{segment.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

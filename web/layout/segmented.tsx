import { useId, type ReactNode } from 'react'
import styles from './segmented.module.css'

/** A choice of a `SegmentedControl`. */
interface Segment<T extends string> {
  value: T
  /** Visible name, or with an icon the tooltip and the name for screen readers. */
  label: string
  icon?: ReactNode
  /** Language of the label, if it is not the page's. */
  lang?: string
}

/** Shows a few choices side by side, as native radio buttons in small boxes. */
export function SegmentedControl<T extends string>(props: {
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

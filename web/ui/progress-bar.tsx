import styles from './progress-bar.module.css'

/** Shows a progress bar. It moves without a value if `percent` is undefined. */
export function ProgressBar({ label, percent }: { label: string; percent: number | undefined }) {
  return <progress className={styles.bar} aria-label={label} max={100} value={percent} />
}

import styles from './progress-bar.module.css'

/** How far something has come; without a value it is under way and nobody knows how far. */
export function ProgressBar({ label, percent }: { label: string; percent: number | undefined }) {
  return <progress className={styles.bar} aria-label={label} max={100} value={percent} />
}

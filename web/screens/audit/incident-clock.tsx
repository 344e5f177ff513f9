import { useEffect, useState } from 'react'
import type { IncidentRecord } from '../../../contract/audit.ts'
import layout from '../../ui/layout.module.css'
import type { Incident } from './incident-dialog.tsx'
import { useLeakTexts } from './leak-texts.ts'

/** Milliseconds of a minute. */
const MINUTE_MS = 60_000
/** Milliseconds between two updates of the clock. */
const TICK_MS = 15_000
/** Returns a time on the wire in milliseconds since 1970. */
const timeOf = (text: string) => Date.parse(`${text.replace(' ', 'T')}+09:00`)

/**
 * Shows the time left until an incident must be notified and reported (`dueAt`), or how long ago that was, in whole
 * minutes. Once both are recorded, or the decisions against them, shows a text that says so. Counts from the server's
 * clock.
 */
export function IncidentClock({ incident }: { incident: Incident }) {
  const t = useLeakTexts().clock
  const { readAt, dueAt, incidentRecords } = incident
  const [start] = useState(() => Date.now())
  const [now, setNow] = useState(start)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const has = (...kinds: IncidentRecord[]) =>
    incidentRecords.some(({ incidentRecord }) => kinds.includes(incidentRecord))
  if (has('NOTICE', 'NO_NOTICE') && has('REPORT', 'NO_REPORT')) return t.done
  const minutes = Math.floor((timeOf(dueAt) - timeOf(readAt) - (now - start)) / MINUTE_MS)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return minutes >= 0 ? (
    <span>{t.left(hours, rest)}</span>
  ) : (
    <strong className={layout.warning}>{t.over(hours, rest)}</strong>
  )
}

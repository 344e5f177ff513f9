import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { system as en } from '../../../contract/messages/en/system.ts'
import { system as ko, type SystemTexts } from '../../../contract/messages/ko/system.ts'
import { getSystem, type SystemFact } from '../../../contract/settings.ts'
import { prefetch, recordQuery } from '../../api/query.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { createTexts, usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { bytesAsText } from '../notices/files/bytes.ts'
import styles from './system.module.css'

/** Returns the texts of the state of the system, which load with its page. */
const useTexts = createTexts({ ko, en })

/** Query for the state of the system. */
const systemQuery = recordQuery(getSystem, {})

/** Prefetches the state of the system. */
export function load(): void {
  void prefetch(systemQuery)
}

/** A part of the system. */
type Part = OutputOf<typeof getSystem>['parts'][number]

/** Badge tones of the states of a part, for `PartCard`. */
const TONES = { good: 'positive', attention: 'warning', bad: 'danger' } as const
/** Facts whose values are numbers of bytes, which `valueInWords` shows with a unit. */
const BYTES: ReadonlySet<SystemFact> = new Set(['databaseSize', 'freeBytes', 'totalBytes', 'backupSize'])

/**
 * The page /setting/system (rules/settings#system): the state of each part of the system, with its problems, their
 * solutions and its facts.
 */
export default function System() {
  const { titles } = usePortalMessages()
  const t = useTexts()
  const system = useQuery(systemQuery)
  const wrong = system.data?.parts.filter(({ state }) => state !== 'good').length ?? 0
  return (
    <Page
      title={titles.settingSystem}
      actions={
        <Button
          onClick={() => void system.refetch()}
          isPending={system.isFetching && system.data !== undefined}
        >
          {t.reload}
        </Button>
      }
    >
      <LoadedRecord query={system} title={titles.settingSystem} loading={t.loading} failed={t.failed}>
        {({ parts }) => (
          <>
            <output>
              {wrong === 0 ? t.allGood : t.someWrong(wrong)} {t.lead}
            </output>
            <div className={styles.parts}>
              {parts.map((part) => (
                <PartCard key={part.part} part={part} t={t} />
              ))}
            </div>
          </>
        )}
      </LoadedRecord>
    </Page>
  )
}

/** Shows one part of the system, such as the database or the mail server: its state, its problems and its facts. */
function PartCard({ part: { part, state, problems, facts }, t }: { part: Part; t: SystemTexts }) {
  return (
    <Card title={t.parts[part]} actions={<Badge tone={TONES[state]}>{t.states[state]}</Badge>}>
      <div className={styles.part}>
        {problems.length > 0 && (
          <ul className={styles.problems}>
            {problems.map((problem) => (
              <li key={problem}>{t.problems[problem]}</li>
            ))}
          </ul>
        )}
        {part === 'certificates' && facts.length === 0 && <p>{t.noCertificates}</p>}
        {facts.length > 0 && (
          <FactList
            columns="many"
            facts={facts.map(({ fact, target, value }) => [
              target === '' ? t.facts[fact] : (t.jobs[target] ?? target),
              valueInWords(fact, value, t),
            ])}
          />
        )}
      </div>
    </Card>
  )
}

/** Returns the value of a fact as a text in the user's language: bytes with a unit, and a word for an empty value. */
function valueInWords(fact: SystemFact, value: string, t: SystemTexts): string {
  if (value === '') return fact === 'mailServer' || fact === 'syslogServer' ? t.unset : t.none
  if (fact === 'databaseKind') return value === 'own' ? t.databaseKinds.own : t.databaseKinds.given
  return BYTES.has(fact) ? bytesAsText(Number(value)) : value
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getPolicy, type Requirement, type RequirementStatus } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { REQUIREMENT_LAWS } from '../../../contract/law-references.ts'
import { citationOf, isVerified, LAWS, type LawName } from '../../../contract/laws.ts'
import { policy as en } from '../../../contract/messages/en/policy.ts'
import { policy as ko, type PolicyTexts } from '../../../contract/messages/ko/policy.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { prefetch, recordQuery } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import layout from '../../ui/layout.module.css'
import { LawRegister, LawReport } from './law-register.tsx'
import styles from './report.module.css'
import { Report, ReportHead } from './report.tsx'

/** The requirements with their settings, and the company's notes on laws. */
type Policy = OutputOf<typeof getPolicy>
/** A requirement with its setting. */
type Row = Policy['requirements'][number]

/** The pages where requirements are changed or done, with the key of their title. WHERE names them. */
const PAGES = {
  '/setting/manage': 'settingManage',
  '/setting/security': 'settingSecurity',
  '/setting/system': 'settingSystem',
  '/setting/retention': 'settingRetention',
  '/right/review': 'reviews',
  '/access/inspection': 'inspections',
  '/mypage': 'myPage',
} as const

/**
 * The place where a requirement is changed: a page, an environment variable of the server ('$NAME'), or null if it is
 * fixed.
 */
const WHERE: Record<Requirement, keyof typeof PAGES | `$${string}` | null> = {
  passwordLook: null,
  passwordHash: null,
  loginLock: null,
  secondFactor: '/mypage',
  factorRequired: '/setting/security',
  sessionIdle: '/setting/security',
  sessionEnd: '$SESSION_ABSOLUTE_HOURS',
  sessionLimit: '/setting/security',
  sessionBinding: '/setting/security',
  confirmation: null,
  adminNetworks: '/setting/security',
  disuse: '/setting/security',
  rightsAtOnce: null,
  rightsRecords: '/setting/retention',
  rightsGrants: null,
  rightsReview: '/right/review',
  accessLog: '/setting/security',
  accessLogEnd: null,
  inspection: '/access/inspection',
  trailGuard: '$DATABASE_OWNER_URL',
  portalTls: '/setting/manage',
  mailTls: '/setting/manage',
  databaseTls: '$DATABASE_URL',
  backups: '$BACKUP_DIR',
  jobs: '/setting/system',
  clock: '/setting/system',
  erasing: '/setting/retention',
  erasureRequest: null,
}

/** Returns whether a place in WHERE is a page. */
const isPage = (where: string): where is keyof typeof PAGES => where in PAGES

/** Badge tones of the states of a requirement. */
const TONES = { MET: 'positive', UNMET: 'danger', UNKNOWN: 'neutral' } as const satisfies Record<
  RequirementStatus,
  string
>

/** Query for the requirements. */
const policyQuery = recordQuery(getPolicy, {})

/** Prefetches the requirements and whether they are met. */
export function load(): void {
  void prefetch(policyQuery)
}

/**
 * The page /setting/policy (rules/audit#policy): the security requirements, the settings that meet them or not, and
 * where to change them; below them the register of laws. It can be printed.
 */
export default function PolicyPage() {
  const { titles } = usePortalMessages()
  const { language } = useLanguage()
  const t = { ko, en }[language]
  const found = useQuery(policyQuery)
  useShowRefusal(found.error)
  const policy = found.data
  return (
    <>
      <div className={layout.onScreen}>
        <Page
          title={titles.settingPolicy}
          actions={policy && <Button onClick={() => window.print()}>{t.print}</Button>}
        >
          {policy === undefined ? (
            <RecordStates query={found} title={titles.settingPolicy} loading={t.loading} failed={t.failed} />
          ) : (
            <Requirements policy={policy} t={t} language={language} />
          )}
        </Page>
      </div>
      {policy && <PolicyReport policy={policy} t={t} language={language} />}
    </>
  )
}

/** The requirements, and the texts in the language of the page. */
interface Props {
  policy: Policy
  t: PolicyTexts
  language: Language
}

/** Returns a text with the number of requirements that are met. */
const summaryOf = ({ policy: { requirements }, t }: Pick<Props, 'policy' | 't'>) =>
  t.summary(
    requirements.filter(({ standing }) => standing === 'MET').length.toLocaleString(),
    requirements.length.toLocaleString(),
  )

/** Returns the sources of a requirement, a line each, with a mark if it is not verified. */
const rulesOf = (t: PolicyTexts, requirement: Requirement, language: Language) =>
  REQUIREMENT_LAWS[requirement]
    .map(
      (name: LawName) =>
        `${citationOf(name, language)}${isVerified(LAWS[name]) ? '' : ` (${t.laws.unverified})`}`,
    )
    .join('\n')

/**
 * Shows the requirements with their current settings, whether they are met, their sources and where to change them;
 * below them the register of laws.
 */
function Requirements({ policy, t, language }: Props) {
  const { titles } = usePortalMessages()
  const { column } = columnsOf<Row, keyof typeof t.columns>(t.columns)
  const whereOf = ({ requirement }: Row) => {
    const where = WHERE[requirement]
    if (where === null) return t.fixed
    if (!isPage(where)) return t.variable(where.slice(1))
    return <Link to={where}>{titles[PAGES[where]]}</Link>
  }
  const columns = [
    column('name', ({ requirement }) => t.requirements[requirement].name, {
      isRowHeader: true,
      wraps: 'words',
      width: 220,
    }),
    column('value', valueOf(t), { wraps: 'words' }),
    column('standing', ({ standing }) => <Badge tone={TONES[standing]}>{t.standings[standing]}</Badge>, {
      width: 130,
      align: 'center',
    }),
    column(
      'rule',
      ({ requirement }) => <span className={styles.remark}>{rulesOf(t, requirement, language)}</span>,
      { wraps: 'words' },
    ),
    column('where', whereOf, { wraps: 'words', width: 210 }),
  ]
  return (
    <div className={layout.stack}>
      <p className={layout.quiet}>
        {t.lead} {summaryOf({ policy, t })}
      </p>
      <DataTable
        label={t.list}
        columns={columns}
        rows={policy.requirements}
        getRowKey={({ requirement }) => requirement}
        rowCount={policy.requirements.length}
        state="given"
        empty={t.empty}
      />
      <p className={layout.quiet}>{t.basis}</p>
      <LawRegister notes={policy.lawNotes} t={t} language={language} />
    </div>
  )
}

/** Returns a function that describes the current setting of a requirement, from its `values`. */
const valueOf =
  (t: PolicyTexts) =>
  ({ requirement, values }: Row) =>
    t.requirements[requirement].value(...values)

/**
 * Shows the printed version of the page for an auditor: portal, version, date and result, the requirements with their
 * sources, and the register of laws.
 */
function PolicyReport({ policy, t, language }: Props) {
  const { report, columns } = t
  return (
    <Report
      title={report.title}
      draft={false}
      facts={[
        [report.portal, policy.portalName],
        [report.version, policy.version],
        [report.madeAt, policy.madeAt],
        [report.result, summaryOf({ policy, t })],
      ]}
      signature={report.signature}
    >
      <table>
        <ReportHead names={[columns.name, columns.value, columns.standing, columns.rule]} />
        <tbody>
          {policy.requirements.map((row) => (
            <tr key={row.requirement}>
              <th scope="row">{t.requirements[row.requirement].name}</th>
              <td>{valueOf(t)(row)}</td>
              <td>{t.standings[row.standing]}</td>
              <td className={styles.remark}>{rulesOf(t, row.requirement, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t.basis}</p>
      <LawReport notes={policy.lawNotes} t={t} language={language} />
    </Report>
  )
}

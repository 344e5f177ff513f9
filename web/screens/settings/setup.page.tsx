import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { getAuthority } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { framedPages, type Page as PageOf, type PagePath } from '../../../contract/pages.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { getSetup, type SetupStep, updateSetup } from '../../../contract/settings.ts'
import { invalidate, prefetch, query, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages, createTexts } from '../../language.tsx'
import { leaveGuide, returnToGuide } from '../../setup-guide.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions } from '../../ui/form-grid.tsx'
import { CheckCircleIcon, InfoIcon } from '../../ui/icons.tsx'
import layout from '../../ui/layout.module.css'
import styles from './setup.module.css'
import { guide as en } from '../../../contract/messages/en/guide.ts'
import { guide as ko } from '../../../contract/messages/ko/guide.ts'

/** Returns the texts of the setup guide, which load with its page. */
const useGuideTexts = createTexts({ ko, en })

/** Query for the state of the setup. */
const setupQuery = query(getSetup, {})

/** Prefetches the state of the setup. */
export function load(): void {
  void prefetch(setupQuery)
}

/** The state of the setup guide and its steps. */
type Setup = OutputOf<typeof getSetup>

/** Page, and section or filters, that the link of each step opens. */
const PLACE: Record<SetupStep, Pick<LinkProps, 'hash' | 'search'> & { to: PagePath }> = {
  company: { to: '/setting/manage', hash: 'company' },
  portalUrl: { to: '/setting/manage', hash: 'portal' },
  mail: { to: '/setting/manage', hash: 'mail' },
  ownAccount: { to: '/mypage' },
  offices: { to: '/setting/manage', hash: 'offices' },
  affiliations: { to: '/affiliation/manage' },
  profiles: { to: '/setting/security', hash: 'profiles' },
  hr: { to: '/user/insert', search: { roleCode: ROLE.hr } },
}

/** Link of the step `hr` once it is done: the list of users with the HR role. */
const HR_LIST = { to: '/user/search', search: { roleCode: ROLE.hr } } as const

/**
 * The page /setup (rules/settings#guide): the steps that set up a new portal, which of them are done, and links to
 * their pages. Notes in this tab that the guide was shown, so that it does not open by itself again.
 */
export default function Setup() {
  const { titles } = usePortalMessages()
  const t = useGuideTexts()
  const setup = useQuery(setupQuery)
  useEffect(returnToGuide, [])

  return (
    <Page title={titles.setup}>
      <LoadedRecord query={setup} title={titles.setup} loading={t.loading} failed={t.failed}>
        {({ steps, state }) => (
          <>
            <Card title={t.progress(steps.filter(({ done }) => done).length, steps.length)}>
              <p className={layout.lead}>{t.lead}</p>
              <ol className={styles.steps}>
                {steps.map((step) => (
                  <Step key={step.step} {...step} isFinished={state === 'finished'} />
                ))}
              </ol>
            </Card>
            <Verdict setup={{ steps, state }} />
          </>
        )}
      </LoadedRecord>
    </Page>
  )
}

/** State of a step for `Step`. */
type StepProps = Setup['steps'][number] & {
  /** True if the guide is finished. Then the pages of its steps offer no link back. */
  isFinished: boolean
}

/**
 * Shows a step with its state, what it still lacks, and the link to its page. Until the guide is finished, a click
 * notes that the page was opened from it, so that the page links back.
 */
function Step({ step, done: isDone, lacks, isFinished }: StepProps) {
  const t = useGuideTexts()
  const [title, text] = t.steps[step]
  const place = isDone && step === 'hr' ? HR_LIST : PLACE[step]
  const what = isDone ? t.look : t.go
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      {isDone ? <CheckCircleIcon size={24} /> : <InfoIcon size={24} />}
      <div>
        <h3>{title}</h3>
        <p>{lacks.length === 0 ? text : lacks.map((lack) => t.lacks[lack]).join(' ')}</p>
      </div>
      <Badge tone={isDone ? 'positive' : 'warning'}>{isDone ? t.done : t.open}</Badge>
      <Link
        {...place}
        onClick={isFinished ? undefined : () => leaveGuide(place.to)}
        aria-label={t.goTo(title, what)}
      >
        {what}
      </Link>
    </li>
  )
}

/**
 * Shows a card with the open steps, or that the portal is ready. 'Later' (only while the guide is open) and
 * 'Finish' save the state of the guide and open /main. A finished guide has a button to /main instead.
 */
function Verdict({ setup: { state, steps } }: { setup: Setup }) {
  const t = useGuideTexts()
  const navigate = useNavigate()
  const update = useCall(updateSetup)
  const open = steps.filter(({ done }) => !done).map(({ step }) => t.steps[step][0])

  /**
   * Saves the state of the guide, and opens /main. Asks for confirmation before finishing with open steps. Shows a
   * refusal in an alert and stays then.
   */
  async function end(next: 'later' | 'finished'): Promise<void> {
    const isSure =
      next === 'later' ||
      open.length === 0 ||
      (await dialogs.confirm({ title: t.finishTitle, message: t.finishText(open.join(', ')) }))
    if (!isSure) return
    try {
      await update.mutateAsync({ state: next })
    } catch (error) {
      return showRefusal(error)
    }
    await Promise.all([invalidate(getSetup), invalidate(getAuthority)])
    await navigate({ to: '/main' })
  }

  return (
    <Card title={open.length === 0 ? t.ready : t.notReady(open.length)}>
      <p className={layout.lead}>{open.length === 0 ? t.readyText : open.join(', ')}</p>
      {open.length === 0 && <Next />}
      {state === 'finished' && open.length === 0 && <p className={layout.hint}>{t.finished}</p>}
      <FormActions
        start={
          state === 'open' && (
            <Button isPending={update.isPending} onClick={() => void end('later')}>
              {t.later}
            </Button>
          )
        }
      >
        {state === 'finished' ? (
          <Button onClick={() => void navigate({ to: '/main' })}>{t.toMain}</Button>
        ) : (
          <Button
            // While a step is open, the primary button belongs to the step and not to the end.
            variant={open.length === 0 ? 'primary' : 'secondary'}
            isPending={update.isPending}
            onClick={() => void end('finished')}
          >
            {t.finish}
          </Button>
        )}
      </FormActions>
    </Card>
  )
}

/** Suggested pages after the guide, which `Next` shows once all steps are done. */
const NEXT: readonly (keyof typeof framedPages)[] = ['/user/import', '/partner/search', '/notice/insert']

/** Shows links to pages that are useful after the setup. */
function Next() {
  const t = useGuideTexts()
  return (
    <nav className={styles.next} aria-label={t.next}>
      <h3>{t.next}</h3>
      {NEXT.map((path) => (
        <NextLink key={path} path={path} />
      ))}
    </nav>
  )
}

/** Links to a page of the menu, for users who may open it. Shows nothing to others. */
function NextLink({ path }: { path: keyof typeof framedPages }) {
  const { titles } = usePortalMessages()
  const { title, permission = 'autho_setting_manage' }: PageOf = framedPages[path]
  return useHasFunction(permission) && <Link to={path}>{titles[title]}</Link>
}

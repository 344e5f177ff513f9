import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FormProvider } from 'react-hook-form'
import * as z from 'zod/mini'
import { certifyNewEmail, changeEmail, endOtherSessions, listSessions } from '../../../../contract/account.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { changeSharing, getSharing } from '../../../../contract/users.ts'
import { callWithMessage } from '../../../api/client.ts'
import { recordQuery, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { RecordStates } from '../../../forms/record-states.tsx'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts'
import { useBusy } from '../../../forms/use-busy.tsx'
import { usePortalMessages } from '../../../language.tsx'
import type { GateKeeper } from '../../../layout/password-gate.tsx'
import { columnsOf, minuteOf } from '../../../lists/columns.ts'
import { QueryTable } from '../../../lists/query-table.tsx'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { FormActions, FormGrid } from '../../../ui/form-grid.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { useCertification } from '../../account/use-verification.ts'
import { CertificationClock, CertificationField, EmailField } from '../../account/verification-field.tsx'
import { useColleagueTexts } from '../search/colleague-texts.ts'
import layout from '../../../ui/layout.module.css'
import { TrustedDevices } from './trusted-devices.tsx'
import { showToast } from '../../../ui/toasts.ts'

/** Session of the user in the list of devices. */
type Device = OutputOf<typeof listSessions>['sessions'][number]

/** Placeholder rows while the list is loading: the number that most users have. */
const USUAL_DEVICES = 2

/**
 * Shows the card “My devices” of /mypage: the user's sessions, a button that ends all others (`endOtherSessions`) after
 * a question, and the trusted devices. The button is disabled without other sessions. Reads the sessions again
 * afterwards.
 * @param guarded runs a call, and asks for the password if the server requires it
 */
export function DevicesCard({ guarded }: GateKeeper) {
  const t = usePortalMessages().users.devices
  const end = useCall(endOtherSessions)
  const { during, overlay } = useBusy()
  const lead = useRef<HTMLParagraphElement>(null)
  // Never from the cache, because sessions may have started or ended.
  const devices = useQuery(recordQuery(listSessions, {}))
  const rows = devices.data?.sessions ?? []

  useShowRefusal(devices.error)

  async function endOthers(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.endTitle, message: t.endText, isDanger: true }))) return
    try {
      const { endedCount } = await guarded(() => during(t.ending, () => end.mutateAsync({})))
      showToast(t.ended(endedCount))
    } catch (refusal) {
      await showRefusal(refusal)
    }
    await devices.refetch()
    // The button is out of use now and would drop the keyboard focus.
    lead.current?.focus()
  }

  return (
    <Card
      title={t.title}
      actions={
        <Button
          size="small"
          variant="danger"
          isDisabled={!rows.some(({ current }) => !current)}
          onClick={() => void endOthers()}
        >
          {t.endOthers}
        </Button>
      }
    >
      <p ref={lead} tabIndex={-1} className={layout.lead}>
        {t.lead}
      </p>
      <QueryTable
        query={devices}
        texts={{ ...t, results: t.list }}
        columns={useColumns()}
        rows={rows}
        // A session has no name of its own: its place in the list must do.
        getRowKey={(device) => rows.indexOf(device)}
        leastRows={devices.data === undefined ? USUAL_DEVICES : 1}
      />
      <TrustedDevices
        devices={devices.data?.trustedDevices ?? []}
        guarded={guarded}
        onRemoved={async () => {
          await devices.refetch()
          lead.current?.focus()
        }}
      />
      {overlay}
    </Card>
  )
}

/**
 * Returns the columns of the list of sessions: device with a badge for the current one, network address, login and last
 * use.
 */
function useColumns(): ListColumn<Device>[] {
  const t = usePortalMessages().users.devices
  const { text, column } = columnsOf<Device, keyof typeof t.columns>(t.columns)
  return [
    column('device', ({ device, current }) => (
      <span className={layout.row}>
        <span className={layout.ellipsis}>{device || t.unknown}</span>
        {current && <Badge tone="positive">{t.current}</Badge>}
      </span>
    )),
    text('address', { width: 260 }),
    column('loggedInAt', (row) => minuteOf(row.loggedInAt), { width: 190 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt), { width: 190 }),
  ]
}

/**
 * Shows the card 'What colleagues see' of /mypage, in which users choose who sees their phone number and email, and
 * save it by `changeSharing` (rules/colleagues#what-colleagues-see). Asks before the user leaves with unsaved choices.
 */
export function SharingCard({ guarded }: GateKeeper) {
  const t = useColleagueTexts().sharing
  const sharing = useQuery(recordQuery(getSharing, {}))
  const change = useCall(changeSharing)
  const [wanted, setWanted] = useState<typeof sharing.data>()
  const shown = wanted ?? sharing.data
  useLeaveGuard(wanted !== undefined)
  useShowRefusal(sharing.error)
  if (shown === undefined) return <RecordStates query={sharing} {...t} />

  async function save(choice: NonNullable<typeof shown>): Promise<void> {
    try {
      await guarded(() => change.mutateAsync(choice))
      await sharing.refetch()
      setWanted(undefined)
      showToast(t.saved)
    } catch (refusal) {
      await showRefusal(refusal)
    }
  }

  return (
    <Card title={t.title}>
      <p className={layout.lead}>{t.lead}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save(shown)
        }}
      >
        <div className={layout.stack}>
          <Level
            label={t.phoneShown}
            shown={shown.phoneShown}
            hidden={shown.phoneHidden}
            onChange={(phoneShown, phoneHidden) => setWanted({ ...shown, phoneShown, phoneHidden })}
          />
          <Level
            label={t.emailShown}
            shown={shown.emailShown}
            hidden={shown.emailHidden}
            onChange={(emailShown, emailHidden) => setWanted({ ...shown, emailShown, emailHidden })}
          />
        </div>
        <FormActions>
          <Button type="submit" variant="primary" isPending={change.isPending}>
            {t.save}
          </Button>
        </FormActions>
      </form>
    </Card>
  )
}

/**
 * Returns who sees a field that its owner shows or hides: 'all', 'affiliation' or 'none'. If it is both shown and
 * hidden, it is hidden.
 */
export const levelOf = (shown: boolean, hidden: boolean) => (hidden ? 'none' : shown ? 'all' : 'affiliation')

/** Choices of one field: shown to all, hidden from all, or neither. */
interface LevelProps {
  label: string
  shown: boolean
  hidden: boolean
  onChange: (shown: boolean, hidden: boolean) => void
}

/** Shows the choice of who sees a field: all colleagues, those of the same affiliation, or nobody. */
function Level({ label, shown, hidden, onChange }: LevelProps) {
  const { levels } = useColleagueTexts().sharing
  return (
    <div>
      <p aria-hidden="true" className={layout.hint}>
        {label}
      </p>
      <RadioGroup
        label={label}
        value={levelOf(shown, hidden)}
        onChange={(level) => onChange(level === 'all', level === 'none')}
        options={(['all', 'affiliation', 'none'] as const).map((value) => ({ value, label: levels[value] }))}
      />
    </div>
  )
}

interface Props extends GateKeeper {
  /** The current address. */
  email: string
  onChanged: () => Promise<void>
}

/** Schema of the form after the code was sent. */
const full = z.strictObject(changeEmail.input.shape)
/** Schema of the form before the code was sent: the code may be empty. */
const main = z.extend(full, { certificationCode: z.string() })

/**
 * Shows the card 'Change e-mail' of /mypage: the button sends a code to the new address (`certifyNewEmail`), and then
 * changes the email when the user types the code (`changeEmail`, rules/account#own-e-mail). Calls `onChanged` after the
 * change. EMAIL_TAKEN appears at the field.
 */
export function EmailCard({ email, guarded, onChanged }: Props) {
  const t = usePortalMessages().users.account.own
  const { form, certification, draftOffer } = useCertification({
    // A reload asks for the password again anyway.
    type: null,
    empty: { email: '', certificationCode: '' },
    main,
    full,
    storedFields: [],
    send: async ({ email: wanted }) =>
      (await guarded(() => callWithMessage(certifyNewEmail, { email: wanted }))).msg,
    finish: async (values) => {
      const { msg } = await guarded(() => callWithMessage(changeEmail, values))
      return { tone: 'success', message: `${t.done} ${msg || t.told}` }
    },
    refusals: { EMAIL_TAKEN: 'email' },
    afterwards: onChanged,
  })
  const { isSent, isFinishing } = certification
  return (
    <Card title={t.title}>
      <p className={layout.lead}>{t.lead(email)}</p>
      <FormProvider {...form}>
        <form noValidate onSubmit={certification.submit}>
          {draftOffer}
          <FormGrid>
            <EmailField certification={certification} label={t.newEmail} hint="" />
            {isSent && <CertificationField certification={certification} hint={t.sent} />}
          </FormGrid>
          <FormActions>
            <Button type="submit" isPending={isFinishing}>
              {isSent ? t.submit : t.certify}
            </Button>
          </FormActions>
          <CertificationClock certification={certification} />
        </form>
      </FormProvider>
    </Card>
  )
}

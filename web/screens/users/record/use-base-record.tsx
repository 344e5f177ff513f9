import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { APPROVAL } from '../../../../contract/users.ts'
import { useAffiliations } from '../../../forms/choices.ts'
import { resetToSaved } from '../../../forms/reset-to-saved.ts'
import { useAllTeamChoices } from '../../../forms/teams.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { namesOf, useCustomFields } from '../../../forms/custom-fields.ts'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { useRolesOfPeople } from '../search/lists.ts'
import { type UserFormValues, type UserRecord, valuesOf } from './form-values.ts'
import layout from '../../../ui/layout.module.css'
import styles from './present-record.module.css'

/**
 * The record that a form was filled from, and the reactions when another user changes it
 * (rules/users#concurrent-edits).
 */
interface BaseRecord {
  /** The version that is sent with a save. */
  version: string
  /** Makes the saved record the base of the form. Keeps what was typed since the values `sent`. */
  begin: (record: UserRecord, sent: UserFormValues) => void
  /**
   * Reads the record again and adopts changes made outside the form, such as the expiry date and the email address.
   * Keeps the other unsaved input.
   */
  follow: () => Promise<void>
  /** Shows RECORD_CHANGED in a dialog, and offers to compare the current record with the form. */
  tellChanged: () => Promise<void>
  /** The comparison dialog while it is open. */
  dialog: ReactNode
}

/**
 * Manages the record that a user form is compared with. When the server reports that another user changed it, shows the
 * differences, and takes either record into the form as the user chooses. Saves nothing.
 * @param reload reads the record again; resolves to undefined if that failed, after showing the error
 */
export function useBaseRecord(
  form: UseFormReturn<UserFormValues>,
  record: UserRecord,
  reload: () => Promise<UserRecord | undefined>,
): BaseRecord {
  const t = usePortalMessages().users.conflict
  const [base, setBase] = useState(record)
  const [present, setPresent] = useState<UserRecord>()

  function begin(fresh: UserRecord, sent: UserFormValues): void {
    resetToSaved(form, valuesOf(fresh), sent)
    setBase(fresh)
  }

  async function follow(): Promise<void> {
    const fresh = await reload()
    if (fresh !== undefined) adopt(fresh)
  }

  function adopt(fresh: UserRecord): void {
    for (const name of FOLLOWED) {
      if (fresh[name] !== undefined && fresh[name] !== base[name]) {
        form.resetField(name, { defaultValue: fresh[name] })
      }
    }
    // The user has not seen the other changes yet, so a save must still report the conflict.
    if (withoutFollowed(fresh) === withoutFollowed(base)) setBase(fresh)
    else setBase({ ...base, validTo: fresh.validTo, email: fresh.email })
  }

  // An email address is verified outside the form.
  const adoptEmail = useEffectEvent(() => {
    if (record.email !== base.email) adopt(record)
  })
  useEffect(() => adoptEmail(), [record.email])

  async function tellChanged(): Promise<void> {
    const wantsToSee = await dialogs.confirm({
      title: t.title,
      message: t.text,
      yesLabel: t.show,
      noLabel: t.stay,
    })
    if (wantsToSee) setPresent(await reload())
  }

  const close = () => setPresent(undefined)
  const dialog = present !== undefined && (
    <PresentRecord
      present={present}
      typed={form.getValues()}
      onKeep={() => {
        // Keeps what the user changed and updates all other fields.
        form.reset(valuesOf(present), { keepDirtyValues: true })
        setBase(present)
        close()
      }}
      onTake={() => {
        begin(present, form.getValues())
        close()
      }}
      onClose={close}
    />
  )
  return { version: base.version, begin, follow, tellChanged, dialog }
}

/** Fields that change outside the form. The form adopts their values. */
const FOLLOWED = ['validTo', 'email'] as const

/** Returns the form values of a record except those of FOLLOWED, as JSON to compare them. */
function withoutFollowed(user: UserRecord): string {
  return JSON.stringify({ ...valuesOf(user), validTo: '', email: '' })
}

/** Props of `PresentRecord`: the two versions, and what each button does. They save nothing. */
interface Props {
  /** The current record on the server. */
  present: UserRecord
  /** The values in the form. */
  typed: UserFormValues
  onKeep: () => void
  onTake: () => void
  onClose: () => void
}

/**
 * Shows a dialog with the fields in which the form differs from the record that another user saved, and asks which
 * version to keep. `onKeep` keeps the input of the form, `onTake` the other user's values.
 */
export function PresentRecord({ present, typed, onKeep, onTake, onClose }: Props) {
  const { users, fields: labels, forms } = usePortalMessages()
  const fields = { ...labels, ...namesOf(useCustomFields()) }
  const t = users.conflict
  const nameOf = useNames()
  const now = valuesOf(present)
  const names = (Object.keys(now) as (keyof UserFormValues)[]).filter(
    (name) => String(now[name]) !== String(typed[name]),
  )
  const word = (name: keyof UserFormValues, value: string | readonly string[] | undefined = '') => {
    const values = typeof value === 'string' ? [value] : value
    return values.map((one) => (one === '' ? t.empty : nameOf(name, one))).join(', ') || t.empty
  }
  return (
    <Dialog
      title={t.presentTitle}
      width="wide"
      closeLabel={forms.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onTake}>{t.take}</Button>
          <Button variant="primary" onClick={onKeep}>
            {t.keep}
          </Button>
        </>
      }
    >
      <p className={layout.lead}>{names.length === 0 ? t.same : t.lead}</p>
      {names.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t.field}</th>
              <th scope="col">{t.mine}</th>
              <th scope="col">{t.present}</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{fields[name]}</th>
                <td>{word(name, typed[name])}</td>
                <td>{word(name, now[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}

/**
 * Returns a function that names the code of an affiliation, role, team or approval as the selects do. Any other value
 * stays as it is.
 */
function useNames(): (name: keyof UserFormValues, value: string) => string {
  const { approved, notApproved } = usePortalMessages().users.form
  const affiliations = useAffiliations({ includeAll: true, isWhole: true })
  const roles = useRolesOfPeople()
  const teams = useAllTeamChoices({ includeAll: true })
  return (name, value) => {
    if (name === 'approvalCode') return value === APPROVAL.approved ? approved : notApproved
    const lists = { affiliationCode: affiliations, roleCode: roles, teamId: teams, otherTeamIds: teams }
    const { options } = name in lists ? lists[name as keyof typeof lists] : { options: [] }
    return options.find((option) => option.value === value)?.label ?? value
  }
}

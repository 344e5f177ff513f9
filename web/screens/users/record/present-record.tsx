import { CODE_GROUP } from '../../../../contract/common.ts'
import { APPROVAL } from '../../../../contract/users.ts'
import { useCodes } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { type UserFormValues, type UserRecord, valuesOf } from './form-values.ts'
import { useRolesOfPeople } from '../search/lists.ts'
import layout from '../../../ui/layout.module.css'
import styles from './present-record.module.css'

interface Props {
  /** The current record on the server. */
  present: UserRecord
  /** The values in the form. */
  typed: UserFormValues
  onKeep: () => void
  onTake: () => void
  onClose: () => void
}

/** Shows the differences after another user saved the record, and asks which version to keep. */
export function PresentRecord({ present, typed, onKeep, onTake, onClose }: Props) {
  const { users, fields, forms } = usePortalMessages()
  const t = users.conflict
  const nameOf = useNames()
  const now = valuesOf(present)
  const names = (Object.keys(now) as (keyof UserFormValues)[]).filter((name) => now[name] !== typed[name])
  const word = (name: keyof UserFormValues, value: string | undefined) =>
    value === undefined || value === '' ? t.empty : nameOf(name, value)
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

/** Returns a function that names codes as the selects do. */
function useNames(): (name: keyof UserFormValues, value: string) => string {
  const { approved, notApproved } = usePortalMessages().users.form
  const affiliations = useCodes(CODE_GROUP.affiliation, true)
  const roles = useRolesOfPeople()
  return (name, value) => {
    if (name === 'approvalCode') return value === APPROVAL.approved ? approved : notApproved
    const options =
      name === 'affiliationCode' ? affiliations.options : name === 'roleCode' ? roles.options : []
    return options.find((option) => option.value === value)?.label ?? value
  }
}

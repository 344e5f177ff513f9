import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { BoundText } from './bound-text.tsx'
import { FocusLeave } from './focus-leave.tsx'
import { Sentence } from '../ui/capitalized.tsx'
import type { IdCheck } from './use-id-check.ts'

interface Props {
  idCheck: IdCheck
  /** A hint, shown while the ID has no message. */
  hint?: string | undefined
  isReadOnly?: boolean | undefined
  autoComplete?: 'off' | 'username' | undefined
  /** True if the field gets the focus when the screen opens. */
  isFirst?: boolean | undefined
}

/**
 * Returns the input of an ID field in lower case, so that the user sees the ID as it will be stored
 * (rules/users#user-id).
 */
export const lowerCaseId = (input: string): string => input.toLowerCase()

/**
 * Shows the ID field with its duplicate-check button (rules/account#id-check). The button is disabled for the
 * record's own ID and for one that has passed the check. Leaving the field and its button checks the ID, too.
 */
export function IdField({ idCheck, hint, isReadOnly = false, autoComplete = 'off', isFirst }: Props) {
  const { fields, forms: t, validation } = usePortalMessages()
  const isChecked = idCheck.isValid && !idCheck.isOriginal
  return (
    <FocusLeave onLeave={idCheck.checkOnLeave}>
      <BoundText<{ userId: string }>
        name="userId"
        label={fields.userId}
        autoComplete={autoComplete}
        isRequired
        isReadOnly={isReadOnly}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={isFirst}
        clean={lowerCaseId}
        onChanged={idCheck.reset}
        ownError={idCheck.takenText ?? (idCheck.isDemanded ? validation.idNotChecked : undefined)}
        description={isChecked ? t.idFree : hint}
        action={
          <Button
            isDisabled={idCheck.isValid}
            isPending={idCheck.isPending}
            onClick={() => void idCheck.check()}
          >
            <Sentence>{isChecked ? t.idChecked : t.checkId}</Sentence>
          </Button>
        }
      />
    </FocusLeave>
  )
}

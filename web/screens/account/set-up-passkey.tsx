import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import {
  type beginPasskey,
  PASSKEY_NAME_LENGTH,
  passkeyName,
  renamePasskey,
} from '../../../contract/account/passkeys.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { call } from '../../api/client.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import layout from '../../ui/layout.module.css'
import { deviceFailure, makePasskey, cancelPasskeyRequest } from './passkey-device.ts'
import { usePasskeyTexts } from './passkey-texts.ts'

/** Schema of both dialogs. */
const typed = z.strictObject({ passkeyName })

/** Shows the bound field for the name of a passkey. */
function NameField() {
  return (
    <BoundText
      name="passkeyName"
      label={usePasskeyTexts().name}
      maxLength={PASSKEY_NAME_LENGTH}
      autoComplete="off"
      isRequired
      // A person comes here to type this.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
    />
  )
}

/** The begun setup and its results. */
interface SetUpProps {
  begun: OutputOf<typeof beginPasskey>
  /** Sends name and passkey to the server; the dialog shows its refusals. */
  act: (passkeyName: string, proof: string) => Promise<void>
  onClose: () => void
}

/**
 * Shows the dialog that adds a passkey (rules/account#passkeys): asks for a name, then has the device create it and
 * passes both to `act`. A failure of the device is shown in the dialog.
 */
export function SetUpPasskey({ begun, act, onClose }: SetUpProps) {
  const t = usePasskeyTexts()
  const form = useSchemaForm(typed, { passkeyName: begun.passkeyName || t.defaultName })
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => cancelPasskeyRequest, [])

  async function submit(values: z.output<typeof typed>): Promise<void> {
    setRefusal(undefined)
    let proof
    try {
      proof = await makePasskey(begun.passkeyOptions)
    } catch (error) {
      return setRefusal(t[deviceFailure(error)])
    }
    await act(values.passkeyName, proof).catch((error: unknown) => showRefusalOnField(error, form, {}))
  }

  return (
    <FormDialog
      title={t.add}
      submitLabel={t.goOn}
      about=""
      form={form}
      onSubmit={submit}
      onClose={onClose}
      className={layout.stack}
    >
      <p>{t.addLead}</p>
      <NameField />
      <p className={layout.warning} role="alert">
        {refusal}
      </p>
    </FormDialog>
  )
}

/** The passkey and the results of the dialog. */
interface RenameProps {
  passkey: { passkeyId: string; passkeyName: string }
  onDone: () => Promise<unknown>
  onClose: () => void
}

/**
 * Shows the dialog that renames a passkey (`renamePasskey`). Closes after the call, calls `onDone` and shows no
 * message; a passkey that no longer exists closes it, too.
 */
export function RenamePasskey({ passkey, onDone, onClose }: RenameProps) {
  const t = usePasskeyTexts()
  const dialog = useDialogForm({
    schema: typed,
    initial: { passkeyName: passkey.passkeyName },
    submit: (values) => call(renamePasskey, { passkeyId: passkey.passkeyId, ...values }),
    onChanged: onDone,
    onClose,
  })
  return (
    <FormDialog
      {...dialog}
      title={t.renameTitle}
      submitLabel={t.save}
      about={passkey.passkeyId}
      className={layout.stack}
    >
      <NameField />
    </FormDialog>
  )
}

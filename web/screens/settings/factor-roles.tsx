import { useController, useFormContext } from 'react-hook-form'
import { usePortalMessages } from '../../language.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import layout from '../../ui/layout.module.css'
import { useSecurityTexts } from './security-texts.ts'
import type { SecurityRecord, SecurityValues } from './security-values.ts'
import styles from './settings.module.css'

/** The roles to choose from that have to have a second factor (rules/settings#required-factors). */
export function FactorRoles({ roles, isLocked }: Pick<SecurityRecord, 'roles'> & { isLocked: boolean }) {
  const label = usePortalMessages().fields.factorRoles
  const t = useSecurityTexts()
  const { control } = useFormContext<SecurityValues>()
  const { field } = useController({ control, name: 'factorRoles' })
  const choose = (role: string, isChosen: boolean) =>
    field.onChange([...field.value.filter((one) => one !== role), ...(isChosen ? [role] : [])].toSorted())
  return (
    <fieldset className={styles.roles}>
      <legend>{label}</legend>
      <div className={layout.row}>
        {roles.map(({ roleCode, roleName }) => (
          <Checkbox
            key={roleCode}
            label={roleName}
            value={field.value.includes(roleCode)}
            isDisabled={isLocked}
            onChange={(isChosen) => choose(roleCode, isChosen)}
            onBlur={field.onBlur}
          />
        ))}
      </div>
      <p className={layout.hint}>{t.factorRolesHint}</p>
    </fieldset>
  )
}

import { useController, useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import { TOKEN_NETWORKS_MAX } from '../../../contract/keys.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import layout from '../../ui/layout.module.css'
import { useTokenTexts } from './token-texts.ts'
import styles from './tokens.module.css'

/**
 * Schema that converts a text to a list of networks, which lines, spaces or commas separate. It does not check them.
 */
export const networksText = z.pipe(
  z.string(),
  z.transform((text) => text.split(/[\s,]+/).filter((line) => line !== '')),
)

/** Values of the fields. */
interface Rights {
  scopes: Scope[]
  allowedNetworks: string
}

/**
 * Shows the bound fields for the API calls that a program may make (`scopes`), and for the networks from which it may
 * make them. Says that a scope is missing if the schema of the form requires one.
 */
export function RightsFields({ scopes, hint }: { scopes: readonly Scope[]; hint: string }) {
  const t = useTokenTexts()
  const { control } = useFormContext<Rights>()
  const { field, fieldState } = useController({ control, name: 'scopes' })
  const choose = (scope: Scope, isChosen: boolean) =>
    field.onChange(scopes.filter((each) => (each === scope ? isChosen : field.value.includes(each))))
  return (
    <>
      <fieldset className={styles.scopes}>
        <legend>{t.scopesLabel}</legend>
        <div className={styles.choices}>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={t.scopes[scope]}
              value={field.value.includes(scope)}
              onChange={(isChosen) => choose(scope, isChosen)}
              onBlur={field.onBlur}
            />
          ))}
        </div>
        <p className={layout.hint}>{hint}</p>
        {fieldState.error !== undefined && <p role="alert">{t.scopesRequired}</p>}
      </fieldset>
      <BoundArea<Rights>
        name="allowedNetworks"
        label={t.networks}
        description={t.networksHint(TOKEN_NETWORKS_MAX)}
        rows={3}
      />
    </>
  )
}

/** Shows the API calls that a program may make, and the networks from which it may make them if they are limited. */
export function TokenRights({ scopes, allowedNetworks }: { scopes: Scope[]; allowedNetworks: string[] }) {
  const t = useTokenTexts()
  return (
    <>
      {scopes.length === 0 ? t.noScopes : scopes.map((scope) => t.scopes[scope]).join(', ')}
      {allowedNetworks.length > 0 && <div className={layout.hint}>{allowedNetworks.join(', ')}</div>}
    </>
  )
}

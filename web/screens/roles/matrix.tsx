import {
  type Actor,
  canChangeRole,
  FUNCTIONS,
  type FunctionName,
  reaches,
  ROLE,
} from '../../../contract/permissions.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useRoleTexts } from './role-texts.ts'
import { type Role, useRoleName } from './role-names.ts'
import styles from './roles.module.css'

interface Props {
  roles: readonly Role[]
  actor: Actor
  onToggle: (role: Role, name: FunctionName) => void
  onRename: (role: Role) => void
  onRemove: (role: Role) => void
}

/** Roles down, functions across; a box that the person may not change is there to be read. */
export function RoleMatrix({ roles, actor, onToggle, onRename, onRemove }: Props) {
  const t = useRoleTexts()
  const nameOf = useRoleName()
  return (
    <div className={styles.scroll}>
      <table className={styles.matrix} aria-label={t.matrix}>
        <thead>
          <tr>
            <th scope="col">{t.role}</th>
            {FUNCTIONS.map((name) => (
              <th key={name} scope="col" title={t.functions[name][1]}>
                {t.functions[name][0]}
              </th>
            ))}
            <th scope="col">{t.manage}</th>
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => {
            const roleName = nameOf(role)
            const rights = { functions: role.functions }
            const isOwnToChange = !role.builtIn && reaches(actor, rights)
            return (
              <tr key={role.roleCode}>
                <th scope="row">
                  <span className={styles.name}>{roleName}</span>
                  <span className={styles.count}>
                    {t.users(role.userCount)}
                    {role.builtIn && <Badge>{t.builtIn}</Badge>}
                  </span>
                </th>
                {FUNCTIONS.map((name) => (
                  <td key={name}>
                    <input
                      type="checkbox"
                      aria-label={t.cell(roleName, t.functions[name][0])}
                      title={t.functions[name][1]}
                      checked={role.functions.includes(name)}
                      disabled={role.roleCode === ROLE.admin || !canChangeRole(actor, rights, name)}
                      onChange={() => onToggle(role, name)}
                    />
                  </td>
                ))}
                <td>
                  {isOwnToChange && (
                    <span className={styles.actions}>
                      <Button size="small" aria-label={t.renameOf(roleName)} onClick={() => onRename(role)}>
                        {t.rename}
                      </Button>
                      <Button
                        size="small"
                        variant="danger"
                        aria-label={t.removeOf(roleName)}
                        onClick={() => onRemove(role)}
                      >
                        {t.remove}
                      </Button>
                    </span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

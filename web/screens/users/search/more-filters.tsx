import { lazy, Suspense, type Ref } from 'react'
import { LAST_LOGIN, VALIDITY } from '../../../../contract/users.ts'
import { ChoiceFilter } from '../../../forms/choice-filter.tsx'
import { fixedChoices, withAll } from '../../../forms/choices.ts'
import { useCustomFields } from '../../../forms/custom-fields.ts'
import { useAllTeamChoices } from '../../../forms/teams.ts'
import { useDateTexts } from '../../../forms/date-texts.ts'
import { usePortalMessages } from '../../../language.tsx'
import type { FilterNames } from '../../../lists/filter-chips.tsx'
import type { BoundFilter } from '../../../lists/filter-form.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useRolesOfPeople } from './lists.ts'
import { fieldsOf, isDays, NO_FILTERS, type UserFilters } from './search-state.ts'

/** Filters as texts, and a function that binds a field to one. */
interface Props {
  /** The filters as they are in the form, also before the search. */
  filters: UserFilters
  /** Returns value and change handler of a filter's field. */
  bind: (name: keyof UserFilters) => BoundFilter
  /** True after a search that the missing date of the last login prevented. */
  isTried: boolean
  /** The field that belongs to the selected kind of last login. */
  lastLoginDetail: Ref<HTMLInputElement>
}

/** Filters by the company's own fields, loaded later: not every company defines fields, and few searches use them. */
const FieldFilters = lazy(() => import('./field-filters.tsx'))

/**
 * Shows the folded filters of the user search (rules/users#more-user-filters): state, team, role, partner, last
 * login, whether to search withdrawn accounts, and the company's own fields.
 */
export function MoreFilters(props: Props) {
  const { bind } = props
  const { fields, users, lists } = usePortalMessages()
  const t = users.search.more
  const roles = useRolesOfPeople()
  const teams = useAllTeamChoices({ includeAll: true })

  return (
    <>
      <ChoiceFilter
        label={t.state}
        choices={withAll(options(VALIDITY, t.validity), lists.all)}
        {...bind('validity')}
      />
      <ChoiceFilter label={fields.teamId} choices={withAll(teams, lists.all)} {...bind('teamId')} />
      <ChoiceFilter label={fields.roleCode} choices={withAll(roles, lists.all)} {...bind('roleCode')} />
      <TextField label={fields.partnerCode} {...bind('partnerCode')} maxLength={30} autoComplete="off" />
      <ChoiceFilter
        label={fields.lastLogin}
        choices={withAll(options(LAST_LOGIN, t.lastLogin), lists.all)}
        {...bind('lastLogin')}
      />
      <LastLoginDetail {...props} />
      <ChoiceFilter
        label={t.withdrawn.label}
        choices={fixedChoices([
          { value: 'N', label: t.withdrawn.without },
          { value: 'Y', label: t.withdrawn.only },
        ])}
        {...bind('withdrawn')}
      />
      <Suspense>
        <FieldFilters {...bind('fields')} />
      </Suspense>
    </>
  )
}

/**
 * Returns the name of each folded filter, with the labels of its options, for the chips of active filters. Leaves
 * out the detail of the last login unless its kind is selected. Requests roles, teams and custom fields only if
 * they are filtered by.
 */
export function useMoreNames({
  teamId,
  roleCode,
  lastLogin,
  fields: byFields,
}: UserFilters): FilterNames<UserFilters> {
  const { fields, users } = usePortalMessages()
  const t = users.search.more
  // Requested only if the filters are used, to show their names.
  const roles = useRolesOfPeople(roleCode !== NO_FILTERS.roleCode)
  const teams = useAllTeamChoices({ includeAll: true, isEnabled: teamId !== NO_FILTERS.teamId })
  const values = fieldsOf(byFields)
  const given = useCustomFields(byFields !== '').flatMap(({ slot, name }) =>
    values[slot] === undefined ? [] : [`${name} ${values[slot]}`],
  )
  return {
    teamId: [fields.teamId, teams.options],
    roleCode: [fields.roleCode, roles.options],
    partnerCode: [fields.partnerCode],
    validity: [t.state, options(VALIDITY, t.validity).options],
    lastLogin: [fields.lastLogin, options(LAST_LOGIN, t.lastLogin).options],
    ...(lastLogin === LAST_LOGIN.since && { lastLoginSince: [fields.lastLoginSince] }),
    ...(lastLogin === LAST_LOGIN.before && { lastLoginDays: [fields.lastLoginDays] }),
    fields: [fields.customValues, [{ value: byFields, label: given.join(', ') }]],
    withdrawn: [t.withdrawn.label, [{ value: 'Y', label: t.withdrawn.only }]],
  }
}

/**
 * Shows the field that belongs to the selected kind of last login: a required date (`since`), or a number of days
 * (`before`) with an error if it is not 1 to 3650. Renders nothing for other kinds.
 */
function LastLoginDetail({ filters, bind, isTried, lastLoginDetail }: Props) {
  const { fields, validation } = usePortalMessages()
  const dateTexts = useDateTexts()
  if (filters.lastLogin === LAST_LOGIN.since) {
    return (
      <DateField
        {...dateTexts}
        ref={lastLoginDetail}
        label={fields.lastLoginSince}
        {...bind('lastLoginSince')}
        isRequired
        errorMessage={isTried && filters.lastLoginSince === '' ? validation.required : undefined}
      />
    )
  }
  if (filters.lastLogin !== LAST_LOGIN.before) return null
  return (
    <TextField
      ref={lastLoginDetail}
      label={fields.lastLoginDays}
      {...bind('lastLoginDays')}
      inputMode="numeric"
      maxLength={4}
      errorMessage={isDays(filters.lastLoginDays) ? undefined : validation.numberRange('1~3650')}
    />
  )
}

/**
 * Returns the values of a contract's enumeration as choices in its order, labeled by its names. Leaves out values
 * without a label.
 */
function options<K extends string>(values: Record<K, string>, labels: Record<K, string>) {
  const names = Object.keys(values).filter((name): name is K => name in labels)
  return fixedChoices(names.map((name) => ({ value: values[name], label: labels[name] })))
}

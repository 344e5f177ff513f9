import { ALL } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { fixedChoices, fromNames, withAll } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FilterBar } from '../../ui/form-grid.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { PeopleFilter } from './filter-people.ts'
import type { Review } from './review.page.tsx'
import { useReviewTexts } from './review-texts.ts'

/** The users of a review and the current filter. */
interface Props {
  people: Review['people']
  /** Whether the review is in progress. Only then can the user show only people without a decision. */
  isOpen: boolean
  narrowing: PeopleFilter
  onChange: (narrowing: PeopleFilter) => void
}

/**
 * Shows the filters of the users in an access review. They apply while the user types, because all users are loaded
 * already.
 */
export function PeopleFilters({ people, isOpen, narrowing, onChange }: Props) {
  const { lists } = usePortalMessages()
  const t = useReviewTexts().quarter
  const roles = fromNames([...new Set(people.map(({ roleName }) => roleName))])
  return (
    <FilterBar
      actions={
        isOpen && (
          <Checkbox
            label={t.openOnly}
            value={narrowing.openOnly}
            onChange={(openOnly) => onChange({ ...narrowing, openOnly })}
          />
        )
      }
    >
      <TextField
        label={t.personText}
        value={narrowing.text}
        onChange={(text) => onChange({ ...narrowing, text })}
        maxLength={100}
        autoComplete="off"
      />
      <ChoiceFilter
        label={t.peopleColumns.roleName}
        choices={withAll(fixedChoices(roles), lists.all)}
        value={narrowing.roleName}
        onChange={(roleName) => onChange({ ...narrowing, roleName: roleName || ALL })}
      />
    </FilterBar>
  )
}

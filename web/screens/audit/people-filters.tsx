import { ALL } from '../../../contract/common.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { fixedChoices, fromNames, withAll } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FilterBar } from '../../ui/form-grid.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Narrowing } from './narrow-people.ts'
import type { Review } from './review.page.tsx'
import { useReviewTexts } from './review-texts.ts'

interface Props {
  people: Review['people']
  /** Whether anything is left to be decided. */
  isOpen: boolean
  narrowing: Narrowing
  onChange: (narrowing: Narrowing) => void
}

/** Narrows the people of a review while one types: all of them are there already. */
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

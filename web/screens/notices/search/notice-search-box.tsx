import { SEARCH_TYPE } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { FilterForm, useFilters } from '../../../lists/filter-form.tsx'
import { Button } from '../../../ui/button.tsx'
import { SearchIcon } from '../../../ui/icons.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { NO_SEARCH, type NoticeFilters } from './board.ts'
import styles from './notice-search.module.css'

interface Props {
  initial: NoticeFilters
  onSearch: (filters: NoticeFilters) => void
}

/** Type, text and a search icon (rules/notices#notice-search); Enter in the text box searches. */
export function NoticeSearchBox({ initial, onSearch }: Props) {
  const { notices, forms, lists } = usePortalMessages()
  const t = notices.search
  const { filters, bind, reset } = useFilters(initial)
  return (
    <FilterForm onSearch={() => onSearch({ ...filters, searchText: filters.searchText.trim() })}>
      <div className={styles.box}>
        <SelectField
          label={t.type}
          {...bind('searchType')}
          options={Object.values(SEARCH_TYPE).map((word) => ({ value: word, label: t.types[word] }))}
          placeholder={forms.choose}
          emptyLabel={forms.nothingToChoose}
        />
        <TextField label={t.text} type="search" {...bind('searchText')} maxLength={200} autoComplete="off" />
        <Button type="submit" variant="primary" isIcon aria-label={t.submit} title={t.submit}>
          <SearchIcon />
        </Button>
        <Button
          onClick={() => {
            reset(NO_SEARCH)
            onSearch(NO_SEARCH)
          }}
        >
          {lists.reset}
        </Button>
      </div>
    </FilterForm>
  )
}

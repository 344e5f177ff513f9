import { useState } from 'react'
import { SEARCH_TYPE } from '../../../contract/notices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { NoticeSearch } from './search-address.ts'
import styles from './notice-search.module.css'

interface Props {
  search: NoticeSearch
  onSearch: (type: NoticeSearch['type'], text: string) => void
}

/** Type, text and a search icon (rules/notices#notice-search); Enter in the text box searches. */
export function NoticeSearchBox({ search, onSearch }: Props) {
  const { notices, lists, forms } = usePortalMessages()
  const t = notices.search
  const [type, setType] = useState<string>(search.type)
  const [text, setText] = useState(search.text)
  const types = Object.values(SEARCH_TYPE)

  return (
    <search aria-label={lists.filters}>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(types.find((word) => word === type) ?? SEARCH_TYPE.all, text.trim())
        }}
      >
        <SelectField
          label={t.type}
          value={type}
          onChange={setType}
          options={types.map((word) => ({ value: word, label: t.types[word] }))}
          placeholder={forms.choose}
          emptyLabel={forms.nothingToChoose}
        />
        <TextField
          label={t.text}
          type="search"
          value={text}
          onChange={setText}
          maxLength={200}
          autoComplete="off"
        />
        <Button type="submit" variant="primary" isIcon aria-label={t.submit} title={t.submit}>
          <SearchIcon />
        </Button>
      </form>
    </search>
  )
}

import { useState } from 'react'
import { Badge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { DataTable, type DataColumn } from '../data-table.tsx'
import { dialogs } from '../dialogs.ts'
import { FilterBar } from '../form-grid.tsx'
import { SearchIcon } from '../icons.tsx'
import { Pager } from '../pager.tsx'
import { SelectField } from '../select-field.tsx'
import { TextField } from '../text-field.tsx'
import { affiliations } from './forms.tsx'

interface Person {
  no: number
  id: string
  name: string
  office: string
  phone: string
  date: string
  approved: boolean
}

const people: Person[] = Array.from({ length: 23 }, (_, index) => ({
  no: 23 - index,
  id: `user.${String(index + 1).padStart(3, '0')}`,
  name: index % 4 === 1 ? '황보선우아라비안나이트세헤라자데김수한무거북이와두루미' : '김민수',
  office: affiliations[index % 4]?.label ?? '',
  phone: '01012345678',
  date: '2026-07-01 09:30:00',
  approved: index % 3 !== 0,
}))

const columns: DataColumn<Person>[] = [
  { key: 'no', header: '번호', width: 80, align: 'center', render: (row) => row.no },
  { key: 'id', header: '아이디', width: 150, render: (row) => row.id },
  { key: 'name', header: '사용자명', isRowHeader: true, render: (row) => row.name },
  { key: 'office', header: '소속', render: (row) => row.office },
  { key: 'phone', header: '전화번호', width: 140, render: (row) => row.phone },
  { key: 'date', header: '등록일시', width: 180, render: (row) => row.date },
  {
    key: 'approved',
    header: '승인 상태',
    width: 120,
    align: 'center',
    render: (row) => (
      <Badge tone={row.approved ? 'positive' : 'neutral'}>{row.approved ? '승인' : '미승인'}</Badge>
    ),
  },
]

const words = {
  columns,
  getRowKey: (row: Person) => row.no,
  rowCount: 5,
  loadingLabel: '목록을 불러오는 중입니다.',
  empty: '조건에 맞는 사용자가 없습니다.',
  error: '목록을 불러오지 못했습니다.',
  retryLabel: '다시 시도',
  onRetry: () => {},
}
const pagerLabels = {
  nav: '페이지 이동',
  first: '첫 페이지',
  previous: '이전 페이지',
  next: '다음 페이지',
  last: '마지막 페이지',
  page: (page: number) => `${page}페이지`,
}

/** The table in each state, with its filters and pager. */
export function Tables() {
  const [page, setPage] = useState(1)
  const [far, setFar] = useState(7)
  const [office, setOffice] = useState('B1')
  const [name, setName] = useState('')
  return (
    <>
      <h2 id="tables">표</h2>
      <FilterBar
        actions={
          <Button variant="primary" type="submit">
            <SearchIcon size={18} />
            조회
          </Button>
        }
      >
        <SelectField
          label="소속"
          value={office}
          onChange={setOffice}
          options={affiliations}
          placeholder="전체"
          emptyLabel="없음"
        />
        <TextField label="이름" value={name} onChange={setName} />
        <TextField label="전화번호" value="" onChange={() => {}} />
        <SelectField
          label="승인 상태"
          value="ALL"
          onChange={() => {}}
          options={[{ value: 'ALL', label: '전체' }]}
          placeholder="전체"
          emptyLabel="없음"
        />
      </FilterBar>
      <DataTable
        {...words}
        label="사용자 목록"
        rows={people.slice((page - 1) * 5, page * 5)}
        state="ready"
        onRowAction={(row) => void dialogs.alert({ message: `${row.id} 행을 열었습니다.`, tone: 'info' })}
        rowActionLabel={(row) => `${row.name} 상세 보기`}
      />
      <Pager page={page} pageCount={5} onChange={setPage} labels={pagerLabels} />
      <Pager
        page={far}
        pageCount={128}
        onChange={setFar}
        labels={{ ...pagerLabels, nav: '먼 페이지 이동' }}
      />
      <Pager page={1} pageCount={0} onChange={setFar} labels={{ ...pagerLabels, nav: '빈 페이지 이동' }} />
      <Card title="다음 쪽을 불러오는 중">
        <DataTable
          {...words}
          label="다음 쪽"
          rows={people.slice(0, 5)}
          state="loading"
          onRowAction={() => {}}
        />
      </Card>
      <Card title="처음 불러오는 중">
        <DataTable {...words} label="처음" rows={[]} state="loading" />
      </Card>
      <Card title="없음">
        <DataTable {...words} label="없음" rows={[]} state="ready" />
      </Card>
      <Card title="실패">
        <DataTable {...words} label="실패" rows={[]} state="error" />
      </Card>
    </>
  )
}

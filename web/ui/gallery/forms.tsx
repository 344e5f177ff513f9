import { useState } from 'react'
import { Badge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { Checkbox } from '../checkbox.tsx'
import { DateField } from '../date-field.tsx'
import { FieldRow } from '../field.tsx'
import { FormActions, FormGrid } from '../form-grid.tsx'
import { SelectField } from '../select-field.tsx'
import { TextArea } from '../text-area.tsx'
import { TextField } from '../text-field.tsx'

export const affiliations = [
  { value: 'B1', label: '본사 경영지원본부' },
  { value: 'B2', label: '부산지사 고객지원팀' },
  { value: 'B3', label: '대전지사 연구개발센터' },
  { value: 'B4', label: '광주지사 공공사업본부 차세대 행정정보시스템 통합유지관리사업단 운영지원파트' },
]
const select = { placeholder: '선택하세요', emptyLabel: '선택할 항목이 없습니다.', options: affiliations }
const date = {
  locale: 'ko-KR',
  calendarLabel: '달력 열기',
  invalidMessage: '1900-01-01부터 2099-12-31까지의 날짜를 YYYY-MM-DD로 입력해주세요.',
}
const reveal = { show: '비밀번호 보기', hide: '비밀번호 숨기기' }

function useText(first = '') {
  const [value, onChange] = useState(first)
  return { value, onChange }
}

/** A user form as the screens build it, and every state of every field. */
export function Forms() {
  const id = useText('hong.gildong')
  const password = useText('비밀번호123!')
  const affiliation = useText('B4')
  const rank = useText()
  const phone = useText('010-1234')
  const start = useText('2026-07-01')
  const end = useText()
  const wrong = useText('2026-02-30')
  const partner = useText('OLD-CODE')
  const memo = useText('정기 점검 안내입니다.\n점검 시간에는 접속이 원활하지 않을 수 있습니다.')
  const [agreed, setAgreed] = useState(true)
  const [isApproved, setApproved] = useState(true)
  const nothing = useText()

  return (
    <>
      <Card title="기본 정보" actions={<Button size="small">비밀번호 재설정</Button>}>
        <FormGrid>
          <TextField
            {...id}
            label="아이디"
            isRequired
            description="영문 소문자, 숫자, . _ - 4~20자"
            action={<Button>중복확인</Button>}
          />
          <SelectField {...affiliation} {...select} label="소속" isRequired />
          <TextField {...rank} label="직위" isRequired placeholder="예: 책임연구원" />
          <TextField {...password} label="비밀번호" type="password" reveal={reveal} isRequired />
          <TextField
            {...phone}
            label="전화번호"
            isRequired
            inputMode="numeric"
            errorMessage="전화번호는 11자리의 숫자만 적어주세요."
          />
          <TextField value="gildong@example.co.kr" onChange={() => {}} label="이메일" isReadOnly />
          <TextField {...nothing} label="인증번호" trailing="4:32" inputMode="numeric" maxLength={6} />
          <TextField {...nothing} label="사용 안 함" isDisabled placeholder="입력할 수 없습니다" />
        </FormGrid>
        <FormActions start={<Button variant="danger">탈퇴</Button>}>
          <Button>뒤로</Button>
          <Button variant="primary">저장</Button>
        </FormActions>
      </Card>
      <Card title="관리자 입력">
        <FormGrid>
          <DateField {...start} {...date} label="유효 시작일" isRequired />
          <DateField {...end} {...date} label="유효 종료일" isRequired />
          <DateField {...wrong} {...date} label="잘못된 날짜" />
          <DateField {...start} {...date} label="읽기 전용 날짜" isReadOnly />
          <SelectField
            {...partner}
            {...select}
            label="파트너 코드"
            fallbackLabel="OLD-CODE"
            description="소속에 따라 바뀝니다."
          />
          <SelectField {...nothing} {...select} label="권한" isRequired errorMessage="권한을 선택해주세요." />
          <SelectField {...nothing} {...select} label="불러오는 중" isLoading loadingLabel="불러오는 중…" />
          <SelectField {...nothing} {...select} label="빈 목록" options={[]} />
          <SelectField {...affiliation} {...select} label="읽기 전용 선택" isReadOnly />
          <FieldRow label="승인 여부">
            <Badge tone={isApproved ? 'positive' : 'neutral'}>{isApproved ? '승인' : '미승인'}</Badge>
            <Button size="small" onClick={() => setApproved(!isApproved)}>
              승인 변경
            </Button>
          </FieldRow>
          <TextArea {...memo} label="내용" isWide rows={4} />
        </FormGrid>
        <Checkbox label="탈퇴한 사용자 포함" value={agreed} onChange={setAgreed} />
      </Card>
    </>
  )
}

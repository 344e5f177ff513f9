import { lazy, Suspense, useState } from 'react'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { dialogs } from '../dialogs.ts'
import { FormActions, FormGrid } from '../form-grid.tsx'
import { LoadingOverlay } from '../loading-overlay.tsx'
import { SelectField } from '../select-field.tsx'
import { TextField } from '../text-field.tsx'
import { affiliations } from './forms.tsx'
import styles from './gallery.module.css'

const Dialog = lazy(async () => ({ default: (await import('../dialog.tsx')).Dialog }))
const ConfirmDialog = lazy(async () => ({ default: (await import('../dialog.tsx')).ConfirmDialog }))

type Open = 'default' | 'wide' | 'pending' | 'overlay' | null

const { alert, confirm } = dialogs

async function both() {
  const yes = await confirm({ title: '사용자 정보 수정', message: '사용자 정보를 수정하시겠습니까?' })
  await alert({ message: yes ? '수정이 완료되었습니다.' : '취소했습니다.', tone: yes ? 'success' : 'info' })
}

function several() {
  void alert({ message: '로그인을 다시 해주세요.' })
  void alert({ message: '로그인을 다시 해주세요.' })
  void alert({ message: '관리자에게 문의해주세요.', title: '오류' })
}

/** Buttons that open every kind of dialog. */
export function Dialogs() {
  const [open, setOpen] = useState<Open>(null)
  const [text, setText] = useState('')
  const [office, setOffice] = useState('')
  const close = () => setOpen(null)

  return (
    <Card title="대화 상자">
      <div className={styles.row}>
        <Button onClick={() => void alert({ message: '권한이 없습니다.\n<b>관리자</b>에게 문의해주세요.' })}>
          경고
        </Button>
        <Button
          onClick={() => void alert({ title: '파트너 코드 등록', message: '등록했습니다.', tone: 'success' })}
        >
          성공
        </Button>
        <Button onClick={() => void both()}>확인 후 알림</Button>
        <Button onClick={several}>여러 개</Button>
        <Button
          onClick={() =>
            void confirm({ title: '탈퇴', message: '해당 사용자를 탈퇴시키겠습니까?', isDanger: true })
          }
        >
          위험한 확인
        </Button>
        <Button onClick={() => setOpen('default')}>기본 창</Button>
        <Button onClick={() => setOpen('wide')}>800px 창</Button>
        <Button onClick={() => setOpen('pending')}>처리 중 확인</Button>
        <Button
          onClick={() => {
            setOpen('overlay')
            setTimeout(close, 1200)
          }}
        >
          로딩 덮개
        </Button>
      </div>
      {open === 'overlay' && <LoadingOverlay label="인증 메일을 보내는 중입니다." />}
      <Suspense>
        {(open === 'default' || open === 'wide') && (
          <Dialog title="비밀번호 재설정" width={open} onClose={close} closeLabel="닫기">
            <FormGrid columns={1} labels={open === 'wide' ? 'side' : 'top'}>
              <TextField label="새 비밀번호" type="password" value={text} onChange={setText} />
              <SelectField
                label="소속"
                value={office}
                onChange={setOffice}
                options={affiliations}
                placeholder="선택하세요"
                emptyLabel="없음"
              />
            </FormGrid>
            <FormActions>
              <Button onClick={close}>취소</Button>
              <Button
                variant="primary"
                onClick={() => void alert({ message: '새 비밀번호를 다시 확인해주세요.' })}
              >
                변경
              </Button>
            </FormActions>
          </Dialog>
        )}
        {open === 'pending' && (
          <ConfirmDialog
            title="저장"
            message="저장하시겠습니까?"
            yesLabel="네"
            noLabel="아니오"
            onYes={close}
            onNo={close}
            isPending
          />
        )}
      </Suspense>
    </Card>
  )
}

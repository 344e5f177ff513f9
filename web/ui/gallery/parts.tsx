import { useState } from 'react'
import { Badge } from '../badge.tsx'
import { Button, LinkButton } from '../button.tsx'
import { Card } from '../card.tsx'
import * as icons from '../icons.tsx'
import { EmptyState, ErrorState } from '../states.tsx'
import { Toggle } from '../toggle.tsx'
import styles from './gallery.module.css'

/** Buttons, badges, states and icons. */
export function Parts() {
  const [isOn, setOn] = useState(true)
  const [isPending, setPending] = useState(false)
  return (
    <>
      <Card title="단추">
        <div className={styles.row}>
          <Button variant="primary">저장</Button>
          <Button>뒤로</Button>
          <Button variant="danger">삭제</Button>
          <Button variant="quiet">목록</Button>
          <Button variant="primary" isDisabled>
            저장
          </Button>
          <Button isDisabled>중복확인</Button>
          <Button
            variant="primary"
            isPending={isPending}
            onClick={() => {
              setPending(true)
              setTimeout(() => setPending(false), 2000)
            }}
          >
            누르면 기다림
          </Button>
          <Button isPending>승인 요청</Button>
          <Button size="small">승인 변경</Button>
          <Button variant="quiet" isIcon aria-label="검색">
            <icons.SearchIcon />
          </Button>
          <LinkButton href="#tables" variant="primary">
            사용자 등록
          </LinkButton>
          <LinkButton href="#tables">목록으로</LinkButton>
        </div>
      </Card>
      <Card title="상태">
        <div className={styles.row}>
          <Badge tone="positive">승인</Badge>
          <Badge>미승인</Badge>
          <Badge tone="warning">만료 임박</Badge>
          <Badge tone="danger">탈퇴</Badge>
          <Badge tone="info">공지</Badge>
          <Toggle label="승인 여부" value={isOn} onChange={setOn} onLabel="승인" offLabel="미승인" />
          <Toggle
            label="사용 안 함"
            value={false}
            onChange={() => {}}
            onLabel="켬"
            offLabel="끔"
            isDisabled
          />
          <a href="#tables">글 안의 링크</a>
        </div>
        <EmptyState message="등록된 공지사항이 없습니다." />
        <ErrorState message="공지사항을 불러오지 못했습니다." retryLabel="다시 시도" onRetry={() => {}} />
      </Card>
      <Card title="아이콘">
        <div className={styles.row}>
          {Object.entries(icons).map(([name, Drawing]) => (
            <span key={name} title={name}>
              <Drawing size={24} />
            </span>
          ))}
        </div>
      </Card>
    </>
  )
}

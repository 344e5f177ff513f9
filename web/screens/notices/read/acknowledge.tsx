import { acknowledgeNotice } from '../../../../contract/notices.ts'
import { useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { useSessionUserId } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { ThumbIcon } from '../../../ui/icons.tsx'
import layout from '../../../ui/layout.module.css'
import type { Notice } from './notice-card.tsx'

/** 👍: a reader says that they have taken note, or takes it back; its author sees how many have (rules/notices#acknowledgement). */
export function Acknowledge({ notice, onChanged }: { notice: Notice; onChanged: () => Promise<unknown> }) {
  const t = usePortalMessages().notices.responses
  const acknowledge = useCall(acknowledgeNotice)
  const isAuthor = useSessionUserId() === notice.userId
  const { noticeId, acknowledged, acknowledgementCount } = notice
  if (acknowledgementCount === undefined) return null

  async function press(): Promise<void> {
    try {
      await acknowledge.mutateAsync({ noticeId, acknowledged: !acknowledged })
      await onChanged()
    } catch (error) {
      await showRefusal(error)
    }
  }

  return (
    <div className={layout.row}>
      {!isAuthor && (
        <Button
          variant={acknowledged ? 'primary' : 'secondary'}
          aria-pressed={acknowledged}
          isPending={acknowledge.isPending}
          onClick={() => void press()}
        >
          <ThumbIcon size={18} />
          {t.acknowledge}
        </Button>
      )}
      <output className={layout.hint}>
        {acknowledgementCount > 0 && t.acknowledged(acknowledgementCount.toLocaleString())}
      </output>
    </div>
  )
}

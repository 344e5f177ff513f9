import { useWatch } from 'react-hook-form'
import { BoundCheckbox } from '../../../forms/bound-checkbox.tsx'
import { BoundDate, BoundSelect, BoundText } from '../../../forms/bound-fields.tsx'
import { fixedChoices, fromNames } from '../../../forms/choices.ts'
import { useHasFunction } from '../../../layout/use-permission.ts'
import { usePortalMessages } from '../../../language.tsx'
import { FieldRow } from '../../../ui/field.tsx'
import { FormGrid } from '../../../ui/form-grid.tsx'
import type { NoticeFormValues } from './form-values.ts'
import { AudienceFields } from './audience-fields.tsx'
import type { Notice } from '../read/notice-card.tsx'
import styles from './notice-form.module.css'

/**
 * Shows the fields for bullet and title (rules/notices#notice-form).
 * @param bulletName name of the saved bullet, shown if it is no longer offered
 */
export function TitleFields({ bulletName }: { bulletName: string | undefined }) {
  const t = usePortalMessages().notices
  return (
    <FormGrid columns={1}>
      <div className={styles.bullet}>
        <BoundSelect<NoticeFormValues>
          name="bulletCode"
          label={t.form.bullet}
          choices={fixedChoices(Object.entries(t.bullets).map(([value, label]) => ({ value, label })))}
          fallbackLabel={bulletName}
          isRequired
        />
      </div>
      <BoundText<NoticeFormValues> name="title" label={t.form.title} isRequired />
    </FormGrid>
  )
}

/**
 * Shows the fields for publication time, audience, comments and reactions. Users who manage notices also get
 * fields to pin and to require reading. A published notice shows its time as text.
 * @param notice the saved notice; undefined for a new one
 */
export function SettingFields({ notice }: { notice: Notice | undefined }) {
  const t = usePortalMessages().notices.form
  const mayManage = useHasFunction('autho_notice_manage')
  return (
    <FormGrid columns={1}>
      {notice?.scheduled === false ? (
        <FieldRow label={t.publish}>{t.published(notice.registeredAt.slice(0, 16))}</FieldRow>
      ) : (
        <PublishField />
      )}
      <AudienceFields notice={notice} />
      <FieldRow label={t.responses}>
        <div className={styles.responses}>
          <BoundCheckbox<NoticeFormValues> name="allowAcknowledgements" label={t.allowAcknowledgements} />
          <BoundCheckbox<NoticeFormValues> name="allowComments" label={t.allowComments} />
        </div>
      </FieldRow>
      {mayManage && (
        <>
          <PinField />
          <FieldRow label={t.mustRead}>
            <BoundCheckbox<NoticeFormValues> name="mustRead" label={t.mustReadLabel} />
          </FieldRow>
        </>
      )}
    </FormGrid>
  )
}

/** Shows the choice to publish now or later, and for later the fields for day and time. */
function PublishField() {
  const t = usePortalMessages().notices.form
  const [publish, time] = useWatch<NoticeFormValues, ['publish', 'publishTime']>({
    name: ['publish', 'publishTime'],
  })
  return (
    <div className={styles.together}>
      <BoundSelect<NoticeFormValues>
        name="publish"
        label={t.publish}
        choices={fixedChoices([
          { value: 'now', label: t.publishNow },
          { value: 'later', label: t.publishLater },
        ])}
      />
      {publish === 'later' && (
        <>
          <BoundDate<NoticeFormValues> name="publishDate" label={t.publishDate} isRequired />
          <BoundSelect<NoticeFormValues>
            name="publishTime"
            label={t.publishTime}
            choices={TIMES}
            fallbackLabel={time}
            isRequired
          />
        </>
      )}
    </div>
  )
}

/** Selectable publication times, every half hour. */
const TIMES = fixedChoices(
  fromNames(
    Array.from(
      { length: 48 },
      (_, half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`,
    ),
  ),
)

/** Shows the checkbox that pins a notice, and for a pinned one the field for the last day. */
function PinField() {
  const t = usePortalMessages().notices.form
  const isPinned = useWatch<NoticeFormValues, 'isPinned'>({ name: 'isPinned' })
  return (
    <div className={styles.together}>
      <FieldRow label={t.pin}>
        <BoundCheckbox<NoticeFormValues> name="isPinned" label={t.pinLabel} />
      </FieldRow>
      {isPinned && <BoundDate<NoticeFormValues> name="pinnedUntil" label={t.pinUntil} isRequired />}
    </div>
  )
}

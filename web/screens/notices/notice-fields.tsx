import { useController, useFormContext, useWatch } from 'react-hook-form'
import { BoundDate, BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { BoundArea } from '../../forms/bound-text.tsx'
import { fixedChoices, fromNames } from '../../forms/choices.ts'
import { useHolds } from '../../frame/use-holds.ts'
import { usePortalMessages } from '../../language.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldRow } from '../../ui/field.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import type { NoticeFormValues } from './form-values.ts'
import type { Notice } from './notice-card.tsx'
import styles from './notice-form.module.css'

/** Bullet and title (rules/notices#notice-form). */
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

/** The text: plain, with its line breaks. */
export function MemoField() {
  const t = usePortalMessages().notices.form
  return (
    <FormGrid columns={1}>
      <BoundArea name="memo" label={t.memo} rows={14} />
    </FormGrid>
  )
}

/** When it is published; for those who manage notices, how long it is pinned and whether readers confirm. */
export function SettingFields({ notice }: { notice: Notice | undefined }) {
  const t = usePortalMessages().notices.form
  const mayManage = useHolds('autho_notice_manage')
  return (
    <FormGrid columns={1}>
      {notice?.scheduled === false ? (
        <FieldRow label={t.publish}>{t.published(notice.registeredAt.slice(0, 16))}</FieldRow>
      ) : (
        <PublishField />
      )}
      {mayManage && (
        <>
          <PinField />
          <FieldRow label={t.mustRead}>
            <BoundCheckbox name="mustRead" label={t.mustReadLabel} />
          </FieldRow>
        </>
      )}
    </FormGrid>
  )
}

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

/** Every half hour. */
const TIMES = fixedChoices(
  fromNames(
    Array.from(
      { length: 48 },
      (_, half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`,
    ),
  ),
)

function PinField() {
  const t = usePortalMessages().notices.form
  const isPinned = useWatch<NoticeFormValues, 'isPinned'>({ name: 'isPinned' })
  return (
    <div className={styles.together}>
      <FieldRow label={t.pin}>
        <BoundCheckbox name="isPinned" label={t.pinLabel} />
      </FieldRow>
      {isPinned && <BoundDate<NoticeFormValues> name="pinnedUntil" label={t.pinUntil} isRequired />}
    </div>
  )
}

function BoundCheckbox({ name, label }: { name: 'isPinned' | 'mustRead'; label: string }) {
  const { control } = useFormContext<NoticeFormValues>()
  const { field } = useController({ control, name })
  return <Checkbox {...field} label={label} />
}

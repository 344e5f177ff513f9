import { useController, useFormContext, useWatch } from 'react-hook-form'
import { BoundDate, BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { useBound } from '../../forms/bound-text.tsx'
import { useChoiceWords } from '../../forms/choices.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldRow } from '../../ui/field.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import type { NoticeFormValues } from './form-values.ts'
import type { Notice } from './notice-card.tsx'
import styles from './notice-form.module.css'

const NO_LIST = { options: [], isLoading: false, isFailed: false, retry: () => {} }

/** Bullet and title (spec §2). */
export function TitleFields({ bulletName }: { bulletName: string | undefined }) {
  const t = usePortalMessages().notices
  const words = useChoiceWords(NO_LIST)
  return (
    <FormGrid columns={1}>
      <div className={styles.bullet}>
        <BoundSelect<NoticeFormValues>
          {...words}
          name="BULLET_CODE"
          label={t.form.bullet}
          options={Object.entries(t.bullets).map(([value, label]) => ({ value, label }))}
          fallbackLabel={bulletName}
          isRequired
        />
      </div>
      <BoundText<NoticeFormValues> name="TITLE" label={t.form.title} isRequired />
    </FormGrid>
  )
}

/** The text: plain, with its line breaks. */
export function MemoField() {
  const t = usePortalMessages().notices.form
  const bound = useBound<NoticeFormValues>({ name: 'MEMO' })
  return (
    <FormGrid columns={1}>
      <TextArea {...bound} label={t.memo} rows={14} />
    </FormGrid>
  )
}

/** When it is published, how long it is pinned, whether readers confirm. */
export function SettingFields({ notice }: { notice: Notice | undefined }) {
  const t = usePortalMessages().notices.form
  return (
    <FormGrid columns={1}>
      {notice?.SCHEDULED === 'N' ? (
        <FieldRow label={t.publish}>{t.published(notice.REGSTER_DATETIME.slice(0, 16))}</FieldRow>
      ) : (
        <PublishField />
      )}
      <PinField />
      <FieldRow label={t.mustRead}>
        <BoundCheckbox name="MUST_READ" label={t.mustReadLabel} />
      </FieldRow>
    </FormGrid>
  )
}

function useDateWords() {
  const { language } = useLanguage()
  const { calendar } = usePortalMessages().notices.form
  return { locale: language === 'ko' ? 'ko-KR' : 'en-US', calendarLabel: calendar }
}

function PublishField() {
  const t = usePortalMessages().notices.form
  const words = useChoiceWords(NO_LIST)
  const dates = useDateWords()
  const [publish, time] = useWatch<NoticeFormValues, ['PUBLISH', 'PUBLISH_TIME']>({
    name: ['PUBLISH', 'PUBLISH_TIME'],
  })
  return (
    <div className={styles.together}>
      <BoundSelect<NoticeFormValues>
        {...words}
        name="PUBLISH"
        label={t.publish}
        options={[
          { value: 'now', label: t.publishNow },
          { value: 'later', label: t.publishLater },
        ]}
      />
      {publish === 'later' && (
        <>
          <BoundDate<NoticeFormValues> {...dates} name="PUBLISH_DATE" label={t.publishDate} isRequired />
          <BoundSelect<NoticeFormValues>
            {...words}
            name="PUBLISH_TIME"
            label={t.publishTime}
            options={TIMES}
            fallbackLabel={time}
            isRequired
          />
        </>
      )}
    </div>
  )
}

/** Every half hour. */
const TIMES = Array.from({ length: 48 }, (_, half) => {
  const time = `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`
  return { value: time, label: time }
})

function PinField() {
  const t = usePortalMessages().notices.form
  const dates = useDateWords()
  const isPinned = useWatch<NoticeFormValues, 'IS_PINNED'>({ name: 'IS_PINNED' })
  return (
    <div className={styles.together}>
      <FieldRow label={t.pin}>
        <BoundCheckbox name="IS_PINNED" label={t.pinLabel} />
      </FieldRow>
      {isPinned && (
        <BoundDate<NoticeFormValues> {...dates} name="PINNED_UNTIL" label={t.pinUntil} isRequired />
      )}
    </div>
  )
}

function BoundCheckbox({ name, label }: { name: 'IS_PINNED' | 'MUST_READ'; label: string }) {
  const { control } = useFormContext<NoticeFormValues>()
  const { field } = useController({ control, name })
  return <Checkbox {...field} label={label} />
}

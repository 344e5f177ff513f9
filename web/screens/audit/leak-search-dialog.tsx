import { useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import {
  getIncident,
  LEAK_ORIGINS,
  type LeakOrigin,
  leakSearchForm,
  listLeakPeople,
  searchLeak,
} from '../../../contract/audit.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { today } from '../../forms/today.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { useLeakTexts } from './leak-texts.ts'

/** Input of the dialog. */
type Values = z.input<typeof leakSearchForm>

/**
 * Asks for what to search the access log by (such as an account or an address) and for the period, searches
 * (`searchLeak`), and adds the data subjects to the incident (rules/audit#leak-search). An export needs no period.
 * Covers the page while it searches. LEAK_ORIGIN_NOT_FOUND and LEAK_SEARCH_SLOW are shown at their fields; a closed
 * incident closes the dialog.
 */
export function LeakSearchDialog({ incidentId, onClose }: { incidentId: string; onClose: () => void }) {
  const t = useLeakTexts().searches
  const { timeHint } = useLeakTexts()
  const search = useCall(searchLeak)
  const { during, overlay } = useBusy()
  const form = useDialogForm<
    Values,
    z.output<typeof leakSearchForm>,
    Awaited<ReturnType<typeof search.mutateAsync>>
  >({
    schema: leakSearchForm,
    initial: {
      leakOrigin: 'ACCOUNT',
      originValue: '',
      searchedFrom: `${today()} 00:00`,
      searchedTo: `${today()} 23:59`,
    },
    submit: (values) => during(t.searching, () => search.mutateAsync({ incidentId, ...values })),
    done: ({ personCount, recordCount }) =>
      t.found(personCount.toLocaleString(), recordCount.toLocaleString()),
    fieldOf: { LEAK_ORIGIN_NOT_FOUND: 'originValue', LEAK_SEARCH_SLOW: 'searchedTo' },
    isOutdated: (code) => code === 'INCIDENT_CLOSED',
    onChanged: () => Promise.all([invalidate(getIncident), invalidate(listLeakPeople)]),
    onClose,
  })
  const origin: LeakOrigin = useWatch({ control: form.form.control, name: 'leakOrigin' })
  return (
    <FormDialog title={t.search} about={incidentId} {...form} submitLabel={t.search} className={layout.stack}>
      <p className={layout.quiet}>{t.lead}</p>
      <FormGrid columns={1} labels="top">
        <BoundSelect<Values>
          name="leakOrigin"
          label={t.columns.leakOrigin}
          choices={fixedChoices(LEAK_ORIGINS.map((value) => ({ value, label: t.origins[value] })))}
          isRequired
        />
        <BoundText<Values>
          name="originValue"
          label={t.values[origin]}
          description={t.hints[origin]}
          maxLength={100}
          autoComplete="off"
          isRequired
        />
        {origin !== 'EXPORT' &&
          (['searchedFrom', 'searchedTo'] as const).map((name) => (
            <BoundText<Values>
              key={name}
              name={name}
              label={t[name]}
              description={timeHint}
              autoComplete="off"
              isRequired
            />
          ))}
      </FormGrid>
      {overlay}
    </FormDialog>
  )
}

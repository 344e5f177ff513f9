import * as z from 'zod/mini'
import {
  getInspectionRules,
  HOURS_FROM_RANGE,
  HOURS_TO_RANGE,
  INSPECTION_CYCLES,
  PRACTICE_LENGTH,
  hoursInOrder,
  INSPECTION_RULES,
  type InspectionRule,
  THRESHOLD_RANGE,
  updateInspectionRules,
} from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { flag, multiline } from '../../../contract/fields.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundCheckbox } from '../../forms/bound-checkbox.tsx'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { BoundArea, BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import styles from './inspection.module.css'
import { useInspectionTexts } from './inspection-texts.ts'

/** The saved inspection rules. */
type Rules = OutputOf<typeof getInspectionRules>

/**
 * Returns the schema of a required text that is a whole number in a range ('required', 'numberRange'). The value stays
 * text.
 */
const digits = ([min, max]: readonly [min: number, max: number]) =>
  z.string().check(
    z.trim(),
    z.minLength(1, 'required'),
    z.refine(
      (text) => text === '' || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max),
      `numberRange|${min}~${max}`,
    ),
  )

/** Schema of the fields of a rule. */
const ofRule = z.strictObject({ enabled: flag, threshold: digits(THRESHOLD_RANGE) })

/** Schema of the dialog. */
const typed = z
  .strictObject({
    rules: z.record(z.enum(INSPECTION_RULES), ofRule),
    hoursFrom: digits(HOURS_FROM_RANGE),
    hoursTo: digits(HOURS_TO_RANGE),
    cycleMonths: z.string(),
    inspectionMethod: multiline(PRACTICE_LENGTH).check(z.trim()),
    followUp: multiline(PRACTICE_LENGTH).check(z.trim()),
  })
  .check(hoursInOrder)
/** Input of the dialog. */
type Values = z.input<typeof typed>

/** Returns the values of the form for saved rules: numbers as text. */
function valuesOf({ rules, hoursFrom, hoursTo, cycleMonths, inspectionMethod, followUp }: Rules): Values {
  return {
    rules: Object.fromEntries(
      rules.map(({ rule, enabled, threshold }) => [rule, { enabled, threshold: String(threshold) }]),
    ) as Values['rules'],
    hoursFrom: String(hoursFrom),
    hoursTo: String(hoursTo),
    cycleMonths: String(cycleMonths),
    inspectionMethod,
    followUp,
  }
}

/**
 * Asks for the inspection rules, their limits, the working hours, the cycle and the practice, and saves them
 * (`updateInspectionRules`). An edit conflict closes the dialog, and the card shows the saved rules.
 */
export function RulesDialog({ record, onClose }: { record: Rules; onClose: () => void }) {
  const { fields } = usePortalMessages()
  const t = useInspectionTexts()
  const update = useCall(updateInspectionRules)
  const form = useDialogForm<Values, z.output<typeof typed>, unknown>({
    schema: typed,
    initial: valuesOf(record),
    submit: ({ rules, hoursFrom, hoursTo, cycleMonths, ...texts }) =>
      update.mutateAsync({
        rules: INSPECTION_RULES.map((rule) => ({
          rule,
          enabled: rules[rule].enabled,
          threshold: Number(rules[rule].threshold),
        })),
        hoursFrom: Number(hoursFrom),
        hoursTo: Number(hoursTo),
        cycleMonths: Number(cycleMonths),
        ...texts,
        version: record.version,
      }),
    done: () => t.rules.saved,
    onChanged: () => invalidate(getInspectionRules),
    onClose,
  })

  return (
    <FormDialog
      title={t.rules.change}
      about=""
      isWide
      {...form}
      submitLabel={t.rules.save}
      className={layout.stack}
    >
      <p className={layout.quiet}>{t.rules.practiceLead}</p>
      <FormGrid columns={1} labels="top">
        <BoundSelect<Values>
          name="cycleMonths"
          label={fields.cycleMonths}
          choices={fixedChoices(
            INSPECTION_CYCLES.map((months) => ({ value: String(months), label: t.rules.cycle(months) })),
          )}
          isRequired
        />
        {(['inspectionMethod', 'followUp'] as const).map((name) => (
          <BoundArea<Values>
            key={name}
            name={name}
            label={fields[name]}
            rows={3}
            maxLength={PRACTICE_LENGTH}
          />
        ))}
      </FormGrid>
      <p className={layout.quiet}>{t.rules.lead}</p>
      <FormGrid labels="top">
        {INSPECTION_RULES.map((rule) => (
          <RuleFields key={rule} rule={rule} />
        ))}
        {(['hoursFrom', 'hoursTo'] as const).map((name) => (
          <BoundText<Values>
            key={name}
            name={name}
            label={fields[name]}
            inputMode="numeric"
            autoComplete="off"
            isRequired
          />
        ))}
      </FormGrid>
    </FormDialog>
  )
}

/** Shows the fields of a rule: whether it is in use, and its limit. */
function RuleFields({ rule }: { rule: InspectionRule }) {
  const t = useInspectionTexts()
  const name = t.ruleNames[rule]
  return (
    <div className={styles.rule}>
      <BoundCheckbox<Values> name={`rules.${rule}.enabled`} label={t.rules.inUse(name)} />
      <BoundText<Values>
        name={`rules.${rule}.threshold`}
        label={t.rules.threshold(name)}
        inputMode="numeric"
        autoComplete="off"
        isRequired
        description={t.rules.unit(t.units[rule])}
      />
    </div>
  )
}

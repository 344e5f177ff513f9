import { usePortalMessages, useLanguage } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import styles from './developer.module.css'
import { useDeveloperTexts } from './developer-texts.ts'
import {
  type ApiCall,
  curlOf,
  fieldsOf,
  sampleOf,
  type Schema,
  type SchemaField,
  typescriptOf,
} from './document.ts'
import { TryCall } from './try-call.tsx'

/**
 * Shows a plain call: its URL, scope and rate limit, its fields and errors, samples for curl and TypeScript to copy,
 * and a form to try it.
 */
export function CallReference({ call }: { call: ApiCall }) {
  const t = useDeveloperTexts()
  const { language } = useLanguage()
  const sample = JSON.stringify(sampleOf(call.input), null, 2)
  return (
    <div className={layout.parts}>
      <Card title={call.titles[language]}>
        <FactList
          facts={[
            [t.address, <code key="address">{`POST ${call.path}`}</code>],
            [t.scope, <code key="scope">{call.scope}</code>],
            [t.limit, t.limitOf(call.limit.points, call.limit.seconds)],
          ]}
        />
      </Card>
      <Fields title={t.input} schema={call.input} isInput />
      <Fields title={t.output} schema={call.output} />
      <Card title={t.errors}>
        <FactList facts={call.errors.map(([status, codes]) => [status, codes])} />
      </Card>
      <Card title={t.samples}>
        <div className={layout.stack}>
          <Code name={t.curl} text={curlOf(call, location.origin, JSON.stringify(sampleOf(call.input)))} />
          <Code name={t.typescript} text={typescriptOf(call, location.origin, sample)} />
        </div>
      </Card>
      <TryCall call={call} sample={sample} />
    </div>
  )
}

/**
 * Shows the fields of an input or output in a table, or that there are none. With `isInput` also which are required,
 * and their labels in forms.
 */
function Fields({ title, schema, isInput = false }: { title: string; schema: Schema; isInput?: boolean }) {
  const t = useDeveloperTexts()
  const { fields: labels } = usePortalMessages()
  const { column, text } = columnsOf<SchemaField, keyof typeof t.fields>(t.fields)
  const rows = fieldsOf(schema)
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p>{t.noFields}</p>
      ) : (
        <DataTable
          label={title}
          columns={[
            column('name', ({ path }) => path, { wraps: true }),
            text('type', { wraps: 'words' }),
            // Labels of forms name the fields of an input. An output may mean something else by the same name.
            ...(isInput
              ? [
                  column('isRequired', ({ isRequired }) => isRequired && t.required),
                  column('label', ({ name }) => labels[name as keyof typeof labels], { wraps: 'words' }),
                ]
              : []),
          ]}
          rows={rows}
          rowCount={rows.length}
          getRowKey={({ path }) => path}
          state="given"
          empty={t.noFields}
        />
      )}
    </Card>
  )
}

/** Shows code with a button that copies it. */
function Code({ name, text }: { name: string; text: string }) {
  const { forms } = usePortalMessages()
  const copy = () => copyText(text, forms)

  return (
    <div>
      <div className={layout.row}>
        <h3>{name}</h3>
        <Button size="small" aria-label={`${name} ${forms.copy}`} onClick={() => void copy()}>
          {forms.copy}
        </Button>
      </div>
      <pre className={styles.code} aria-label={name}>
        {text}
      </pre>
    </div>
  )
}

import { type SubmitEvent, useState } from 'react'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './developer.module.css'
import { useDeveloperTexts } from './developer-texts.ts'
import type { ApiCall } from './document.ts'

/** Headers of a response that matter to a program. */
const HEADERS = ['RateLimit', 'Retry-After']

/**
 * A response of a plain call as text: `head` has its status and the headers that matter. `isDone` is true for a
 * success.
 */
interface Answer {
  isDone: boolean
  head: string
  body: string
}

/**
 * Shows a form that makes a plain call with a token that the user enters, and the response. The call is real: it may
 * change data. An empty token or an input that is not JSON is refused at its field. The token stays in the memory of
 * this component.
 * @param sample JSON with which the input begins
 */
export function TryCall({ call, sample }: { call: ApiCall; sample: string }) {
  const t = useDeveloperTexts()
  const { validation } = usePortalMessages()
  const [token, setToken] = useState('')
  const [body, setBody] = useState(sample)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<{ token?: string; body?: string }>({})
  const [answer, setAnswer] = useState<Answer>()

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const found = {
      ...(token.trim() === '' && { token: validation.required }),
      ...(!isJson(body) && { body: t.notJson }),
    }
    setProblem(found)
    if (Object.keys(found).length > 0) return
    setSending(true)
    setAnswer(
      (await answerTo(call, token.trim(), body).catch(() => undefined)) ?? {
        isDone: false,
        head: t.unreachable,
        body: '',
      },
    )
    setSending(false)
  }

  return (
    <Card title={t.try}>
      <form noValidate className={layout.stack} onSubmit={(event) => void send(event)}>
        <p className={layout.quiet}>{t.tryLead}</p>
        <TextField
          label={t.token}
          value={token}
          onChange={setToken}
          errorMessage={problem.token}
          autoComplete="off"
          isRequired
        />
        <TextArea label={t.body} value={body} onChange={setBody} errorMessage={problem.body} />
        <div>
          <Button type="submit" variant="primary" isPending={isSending}>
            {t.send}
          </Button>
        </div>
        <output aria-label={t.answer}>
          {answer !== undefined && (
            <>
              <p className={answer.isDone ? undefined : layout.warning}>{answer.head}</p>
              {answer.body !== '' && (
                <pre className={styles.code} aria-label={t.answer}>
                  {answer.body}
                </pre>
              )}
            </>
          )}
        </output>
      </form>
    </Card>
  )
}

/** Returns whether a text is JSON. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Makes a plain call with a token and returns its response as text, JSON indented. An error status is a response, too:
 * `isDone` is false then.
 * @throws {TypeError} if no response arrives
 */
async function answerTo({ path }: ApiCall, token: string, body: string): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  const headers = HEADERS.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  return {
    isDone: response.ok,
    head: [response.status, ...headers].join(' · '),
    body: isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text,
  }
}

import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { MAX_COMMENT } from '../../../../contract/notices.ts'
import { listMentionable } from '../../../../contract/notices/mentions.ts'
import { useDebounced } from '../../../api/use-debounced.ts'
import { useSilentQuery } from '../../../api/use-silent-query.ts'
import { useBound } from '../../../forms/bound-text.tsx'
import { classes } from '../../../ui/classes.ts'
import { replaceText } from '../../../ui/replace-text.ts'
import select from '../../../ui/select-field.module.css'
import { TextArea } from '../../../ui/text-area.tsx'
import styles from './comments-card.module.css'
import { useMentionTexts } from './mention-texts.ts'
import { type Mention, type MentionQuery, mentionsIn, typedMention } from './mentions.ts'

interface Values {
  text: string
  mentions: Mention[]
}

interface Props {
  noticeId: string
  label: string
  rows: number
}

/**
 * Shows the text field of a comment form. While the user types a name after an @, offers users in a list; arrow
 * keys, Enter and Escape operate it while the focus stays in the field. A selection inserts the name and adds the
 * user to the form's `mentions` (rules/notices#mentions); its hint then names who will be notified. Must be inside a
 * form of `commentForm`.
 */
export function MentionArea({ noticeId, label, rows }: Props) {
  const t = useMentionTexts()
  const id = useId()
  const { getValues, setValue } = useFormContext<Values>()
  const bound = useBound<Values>({ name: 'text' })
  const area = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<MentionQuery>()
  /** Place of the @ whose list the user closed. */
  const [closedAt, setClosedAt] = useState<number>()
  const [index, setIndex] = useState(0)
  const isAsked = typed !== undefined && typed.at !== closedAt
  const keyword = isAsked ? typed.keyword : ''
  const settled = useDebounced(keyword)
  const search = useSilentQuery(listMentionable, { noticeId, keyword: settled }, isAsked)
  // Hide the people of the previous keyword.
  const found = (isAsked && settled === keyword && search.data?.mentionables) || []
  const people = found.map(({ affiliationName, teamName, position, ...person }) => ({
    ...person,
    place: [affiliationName, teamName, position].filter(Boolean).join(' · '),
  }))
  const isOpen = people.length > 0
  const active = people[index] ?? people[0]
  const mentions = useWatch<Values, 'mentions'>({ name: 'mentions' })
  const told = mentionsIn({ text: bound.value, mentions })
    .map(({ name, place }) => (place === undefined ? name : `${name} (${place})`))
    .toReversed()
    .join(', ')
  const hint = told === '' ? t.hint : t.told(told)
  const idOf = ({ mentionId }: Mention) => `${id}-${mentionId}`

  /** Follows the caret: opens the list at an @, or closes it. */
  function track({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const next = selectionStart === selectionEnd ? typedMention(value.slice(0, selectionStart)) : undefined
    if (next?.at === typed?.at && next?.keyword === typed?.keyword) return
    setTyped(next)
    setIndex(0)
    if (next?.at !== closedAt) setClosedAt(undefined)
  }

  /** Inserts a user's name at the @, and adds the user to the mentions. */
  function pick({ mentionId, name, place }: Mention): void {
    if (typed === undefined || area.current === null) return
    const end = typed.at + name.length + 2
    const to = typed.at + 1 + typed.keyword.length
    replaceText(area.current, { from: typed.at, to, insert: `@${name} `, start: end, end })
    setValue('mentions', [...getValues('mentions'), { mentionId, name, place }], { shouldDirty: true })
    setTyped(undefined)
  }

  /** Handles arrow keys, Enter and Escape while the list is open. */
  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes, the keys belong to it.
    if (active === undefined || event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    // Escape would close the form, too.
    event.stopPropagation()
    if (step !== undefined) setIndex((people.indexOf(active) + step + people.length) % people.length)
    else if (event.key === 'Enter') pick(active)
    else setClosedAt(typed?.at)
  }

  return (
    <div className={styles.field}>
      <TextArea
        {...bound}
        ref={(element) => {
          area.current = element
          bound.ref(element)
        }}
        label={label}
        rows={rows}
        maxLength={MAX_COMMENT}
        description={search.error?.message ?? hint}
        native={{
          'aria-autocomplete': 'list',
          'aria-controls': isOpen ? `${id}-list` : undefined,
          'aria-activedescendant': active && idOf(active),
          onKeyDown,
          onBlur: ({ relatedTarget }) => {
            // A click on a person moves the focus before it selects.
            if (list.current?.contains(relatedTarget) === true) return
            setTyped(undefined)
            bound.onBlur()
          },
          onInput: ({ currentTarget }) => track(currentTarget),
          onSelect: ({ currentTarget }) => track(currentTarget),
        }}
      />
      <output className="visually-hidden">
        {isOpen ? t.found(people.length.toLocaleString()) : told && hint}
      </output>
      {isOpen && (
        <div
          ref={list}
          id={`${id}-list`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select opens by itself
          role="listbox"
          aria-label={t.list}
          className={classes(select.popover, select.list, styles.people)}
        >
          {people.map((person) => (
            // The keys are the field's.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={person.mentionId}
              id={idOf(person)}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="option"
              aria-selected={person === active}
              data-focused={person === active || undefined}
              data-focus-visible={person === active || undefined}
              tabIndex={-1}
              className={select.option}
              onPointerMove={() => setIndex(people.indexOf(person))}
              onClick={() => pick(person)}
            >
              <span>
                {person.name} <small>{person.place}</small>
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

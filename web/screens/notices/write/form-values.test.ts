import { describe, expect, it } from 'vitest'
import { emptyValues, inputOf, noticeForm } from './form-values.ts'

const values = { ...emptyValues(), title: '제목', memo: '내용' }
const fieldsOf = (form: typeof values) =>
  noticeForm.safeParse(form).error?.issues.map(({ path }) => path[0]) ?? []

describe('noticeForm', () => {
  it('checks the publication time only if the notice is scheduled', () => {
    const broken = { ...values, publishDate: '2026-02-30', publishTime: '25:00' }
    expect(fieldsOf(broken)).toEqual([])
    expect(fieldsOf({ ...broken, publish: 'later' })).toEqual(['publishDate', 'publishTime'])
  })

  it('checks the last day of a pin only if the notice is pinned', () => {
    expect(fieldsOf({ ...values, pinnedUntil: '' })).toEqual([])
    expect(fieldsOf({ ...values, pinnedUntil: '', isPinned: true })).toEqual(['pinnedUntil'])
  })
})

describe('inputOf', () => {
  it('sends pin and required reading only for a user who may set them', () => {
    expect(inputOf(values, false)).not.toHaveProperty('pinnedUntil')
    expect(inputOf({ ...values, mustRead: true }, true)).toMatchObject({ pinnedUntil: '', mustRead: true })
    expect(inputOf({ ...values, isPinned: true, pinnedUntil: '2026-12-31' }, true).pinnedUntil).toBe(
      '2026-12-31',
    )
  })

  it('sends no time for a notice that is published now', () => {
    expect(inputOf(values, false).publishAt).toBe('')
    const later = { ...values, publish: 'later' as const, publishDate: '2026-12-31', publishTime: '09:30' }
    expect(inputOf(later, false).publishAt).toBe('2026-12-31 09:30')
  })

  it('splits the audience into codes', () => {
    expect(inputOf({ ...values, audienceRoles: ' HR  IT ' }, false).audienceRoles).toEqual(['HR', 'IT'])
  })
})

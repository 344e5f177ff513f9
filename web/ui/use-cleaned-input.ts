import { useState, type ChangeEvent, type CompositionEvent } from 'react'

/** Value of an input and its cleaning. */
interface Typing {
  value: string
  onChange: (value: string) => void
  clean?: ((typed: string) => string) | undefined
}

/**
 * Returns the props of an input whose typed text passes through `clean`, if there is one. Cleans only after an input
 * method has finished: a change during composition would insert its letters twice. Keeps the position of the caret.
 */
export function useCleanedInput({ value, onChange, clean }: Typing) {
  const [composed, setComposed] = useState<string>()

  function take(input: HTMLInputElement): void {
    if (clean === undefined) return onChange(input.value)
    const cleaned = clean(input.value)
    if (cleaned !== input.value) {
      const afterCaret = input.value.length - (input.selectionEnd ?? input.value.length)
      const caret = Math.max(cleaned.length - afterCaret, 0)
      // Here and not by the next render alone, which would put the caret at the end.
      input.value = cleaned
      input.setSelectionRange(caret, caret)
    }
    if (cleaned !== value) onChange(cleaned)
  }

  if (clean === undefined) {
    return { value, onChange: (event: ChangeEvent<HTMLInputElement>) => take(event.target) }
  }
  return {
    value: composed ?? value,
    onChange(event: ChangeEvent<HTMLInputElement>) {
      if (composed === undefined) take(event.target)
      else setComposed(event.target.value)
    },
    onCompositionStart: (event: CompositionEvent<HTMLInputElement>) => setComposed(event.currentTarget.value),
    onCompositionEnd(event: CompositionEvent<HTMLInputElement>) {
      setComposed(undefined)
      take(event.currentTarget)
    },
  }
}

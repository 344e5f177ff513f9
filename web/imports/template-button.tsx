import type { Choices } from '../forms/choices.ts'
import { Button } from '../ui/button.tsx'
import { dialogs } from '../ui/dialogs.ts'
import { DownloadIcon } from '../ui/icons.tsx'
import type { ImportWords } from './words.ts'

interface Props {
  words: ImportWords & { templateFailed: string }
  /** The lists of options in the template. */
  lists: readonly Choices[]
  save: () => Promise<void>
}

/** The button that saves a template. It is pending until the lists have loaded. */
export function TemplateButton({ words: t, lists, save }: Props) {
  async function start(): Promise<void> {
    const failed = lists.filter(({ isFailed }) => isFailed)
    if (failed.length === 0) return save()
    for (const { retry } of failed) retry()
    await dialogs.alert({ message: t.templateFailed })
  }

  return (
    <Button size="small" isPending={lists.some(({ isLoading }) => isLoading)} onClick={() => void start()}>
      <DownloadIcon size={16} />
      {t.template}
    </Button>
  )
}

import { showRefusal } from '../api/show-refusal.ts'
import { portalMessages } from '../language.tsx'
import { showToast } from '../ui/toasts.ts'

/**
 * Returns the undo of a toast (rules/frame#toasts): it runs `work`, the opposite call, shows its success or refusal,
 * and then calls `onChanged`.
 */
export function undoBy(work: () => Promise<unknown>, onChanged: () => Promise<unknown>): () => void {
  return () =>
    void work()
      .then(() => showToast(portalMessages().forms.undone), showRefusal)
      .then(onChanged)
}

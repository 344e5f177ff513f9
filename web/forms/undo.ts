import { showRefusal } from '../api/show-refusal.ts'
import { portalMessages } from '../language.tsx'
import { showToast } from '../ui/toasts.ts'

/**
 * Returns the undo of a toast (rules/frame#toasts): makes the opposite call, shows its success or refusal, and reads the changed data
 * again.
 */
export function undoBy(work: () => Promise<unknown>, onChanged: () => Promise<unknown>): () => void {
  return () =>
    void work()
      .then(() => showToast(portalMessages().forms.undone), showRefusal)
      .then(onChanged)
}

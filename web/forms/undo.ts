import { showRefusal } from '../api/show-refusal.ts'
import { portalMessages } from '../language.tsx'
import { showToast } from '../ui/toasts.ts'

/**
 * Returns the undo of a toast (rules/frame#toasts).
 * @param work makes the opposite call; its success is shown as a toast, its refusal in an alert
 * @param onChanged reads the changed data again, after both
 */
export function undoBy(work: () => Promise<unknown>, onChanged: () => Promise<unknown>): () => void {
  return () =>
    void work()
      .then(() => showToast(portalMessages().forms.undone), showRefusal)
      .then(onChanged)
}

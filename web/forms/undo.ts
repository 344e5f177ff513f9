import { showRefusal } from '../api/show-refusal.ts'
import { portalMessages } from '../language.tsx'
import { showToast } from '../ui/toasts.ts'

/**
 * Returns the function that a toast calls to undo an action (rules/frame#toasts).
 * @param work makes the opposite call; its success is shown as a toast, its refusal in an alert
 * @param onChanged reads the changed data again, after success and refusal
 */
export function undoBy(work: () => Promise<unknown>, onChanged: () => Promise<unknown>): () => void {
  return () =>
    void work()
      .then(() => showToast(portalMessages().forms.undone), showRefusal)
      .then(onChanged)
}

import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useLatePart } from '../../ui/use-late-part.ts'
import type { Inspection } from './inspection.page.tsx'
import { useInspectionTexts } from './inspection-texts.ts'

const loadDialog = () => import('./sign-dialog.tsx')

/** Signs the inspection, once everything has its remark. */
export function SignButton({ inspection }: { inspection: Inspection }) {
  const t = useInspectionTexts().month
  const [isSigning, setSigning] = useState(false)
  const dialog = useLatePart(loadDialog)
  return (
    <>
      <Button
        variant="primary"
        isDisabled={inspection.findings.some(({ verdict }) => verdict === '')}
        onClick={() => {
          setSigning(true)
          dialog.open()
        }}
      >
        {t.sign}
      </Button>
      {isSigning && dialog.opened && (
        <dialog.opened.SignDialog inspection={inspection} onClose={() => setSigning(false)} />
      )}
    </>
  )
}

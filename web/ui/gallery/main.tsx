import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { DialogHost } from '../dialog-host.tsx'
import '../theme.css'
import { LinkButton } from '../button.tsx'
import { Page } from '../card.tsx'
import { Toggle } from '../toggle.tsx'
import { Dialogs } from './dialogs.tsx'
import { Forms } from './forms.tsx'
import { Parts } from './parts.tsx'
import { Tables } from './tables.tsx'

/** Every component in every state, for looking at: `npm run dev` serves it at /web/ui/gallery.html, the build leaves it out. */
function Gallery() {
  const [isDark, setDark] = useState(document.documentElement.dataset['theme'] === 'dark')
  return (
    <main>
      <Page
        title="마루 부품 진열장"
        actions={
          <>
            <LinkButton href="#tables" variant="quiet">
              표로 이동
            </LinkButton>
            <Toggle
              label="어두운 화면"
              value={isDark}
              onLabel="어둡게"
              offLabel="밝게"
              onChange={(dark) => {
                document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
                setDark(dark)
              }}
            />
          </>
        }
      >
        <Forms />
        <Tables />
        <Dialogs />
        <Parts />
      </Page>
      <DialogHost labels={{ confirm: '확인', yes: '네', no: '아니오' }} />
    </main>
  )
}

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Gallery />
    </StrictMode>,
  )
}

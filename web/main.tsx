import './zod.ts'
import './ui/tokens.css'
import './ui/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pendingConfirmation } from './api/reauthentication.ts'
import { loadConfig } from './api/config.ts'
import { queryClient } from './api/query.ts'
import { connectErrorHandling } from './api/error-handling.ts'
import { onLanguageChange, restoreLanguage } from './language.tsx'
import { returnTarget, returnStateFor } from './routes/return-to.ts'
import { router } from './routes/router.tsx'
import { onPersonChange, onSessionChangedElsewhere } from './session.ts'
import { restoreTheme } from './theme.ts'
import { dialogs } from './ui/dialogs.ts'
import { measureScrollbar } from './ui/scrollbar.ts'

/* Starts the page: connects errors, language and session to dialogs and router, loads the configuration, and renders. */

restoreTheme()
measureScrollbar()
connectErrorHandling({
  alert: (message) => dialogs.alert({ message }),
  goTo: async (path, from) => {
    const { location } = router.state
    if (location.pathname === path) return
    const state = path === '/' || path === '/main' ? {} : returnStateFor(location, from)
    // The back button must not return to a page that the user may not open.
    await router.navigate({ to: path, replace: path === '/', state })
  },
})
// The server renders menus, code names and refusals in the user's language.
onLanguageChange(() => void queryClient.invalidateQueries())
// The next user of this browser must not see the data, input or open reauthentication of the previous one.
onPersonChange(() => {
  pendingConfirmation()?.finish(false)
  queryClient.clear()
  sessionStorage.clear()
})
// Another tab logged in or out: show the login, or the page to which the new user returns.
onSessionChangedElsewhere((userId, before) => {
  const { location } = router.state
  const back = before === null ? {} : returnStateFor(location, before)
  return router.navigate(
    userId === null ? { to: '/login', replace: true, state: back } : returnTarget(location.state, userId),
  )
})

// The page starts without the configuration if its request fails; a screen that needs it requests it again.
await Promise.all([loadConfig().catch(() => undefined), restoreLanguage()])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

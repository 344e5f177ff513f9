import type { LateFrameTexts } from '../ko/deferred-layout.ts'

/** `ko/deferred-layout.ts` in English. */
export const lateFrame: LateFrameTexts = {
  endingTitle: 'You are about to be logged out',
  endingText: 'If you do not use the portal within two minutes, you are logged out. Do you want to stay?',
  endingAnyway:
    'Your session has reached its maximum length and ends within two minutes. It cannot be extended. Log in again now to continue on this screen.',
  timeLeft: 'Time left',
  stay: 'Stay logged in',
  logout: 'Log out',
  signInNow: 'Log in again now',
  later: 'Later',

  signInTitle: 'Log in again',
  signInText:
    'Your session has ended. What you have typed is still on this screen. Log in again to continue.',
  signInEarlier: 'Log in again to continue on this screen.',
  loggedOutText:
    'You logged out in another tab. Unsaved input remains only on this screen. Log in again to continue. Logging in with another ID or “Discard input” removes it.',
  discard: 'Discard input',
  toLogin: 'Go to login',
  leaveText: 'Unsaved input will be lost if you leave this screen. Go to the login screen?',
  otherText: (id) =>
    `The input on this screen belongs to ${id}. If you log in with another ID, it is lost and the home screen opens. Do you want to continue?`,
  goOn: 'Continue',
  goBack: 'Go back',
  passwordText: 'You logged in with a temporary password. Choose a new one to continue on this screen.',
  signedIn: 'You are logged in again. If something was not saved, please save it again.',

  offline:
    'No connection to the server. Your input is still here, and you can continue once the connection is back.',
  online: 'Connected again.',

  toasts: { toasts: 'Messages', undo: 'Undo', close: 'Close' },
}

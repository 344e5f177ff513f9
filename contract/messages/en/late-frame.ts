import type { LateFrameTexts } from '../ko/late-frame.ts'

/** `ko/late-frame.ts` in English. */
export const lateFrame: LateFrameTexts = {
  endingTitle: 'You are about to be logged out',
  endingText: 'If the portal is not used within two minutes, you are logged out. Do you want to stay?',
  endingAnyway:
    'You logged in long ago and are logged out within two minutes; this cannot be extended. Log in again now to go on with this screen.',
  timeLeft: 'Time left',
  stay: 'Stay logged in',
  logout: 'Log out',
  signInNow: 'Log in again now',
  later: 'Later',

  signInTitle: 'Log in again',
  signInText:
    'Your session has ended. What you have typed is still on this screen. Log in again and go on with what you were doing.',
  signInEarlier: 'Log in again to go on with this screen.',
  loggedOutText:
    'You logged out in another tab. What you have not saved is left on this screen only. Log in again to go on; a login with another ID or “Discard input” removes it.',
  discard: 'Discard input',
  toLogin: 'To the login screen',
  leaveText: 'What you have not saved will be lost when you leave this screen. Go to the login screen?',
  otherText: (id) =>
    `What is on this screen belongs to ${id}. With another ID it is lost, and you are led to the home screen. Do you want to continue?`,
  goOn: 'Continue',
  goBack: 'Go back',
  passwordText: 'You logged in with a temporary password. Choose a new one to go on with this screen.',
  signedIn: 'You are logged in again. If something was not saved, please save it once more.',

  offline:
    'No connection to the server. What you have typed is still here, and you can go on once it is back.',
  online: 'Connected again.',

  toasts: { toasts: 'Just done', undo: 'Undo', close: 'Close' },
}

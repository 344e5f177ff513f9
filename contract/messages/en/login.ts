import type { FirstMessages } from '../ko.ts'

/** `ko/login.ts` in English. */
export const login: FirstMessages['account'] = {
  titles: {
    login: 'Login',
    logout: 'Logout',
    password: 'Change password',
    setUpFactor: 'Set up a second factor',
    findId: 'Find ID',
    resetPassword: 'Reset password',
    signUp: 'Sign up',
    invitation: 'Create your password',
    confirmEmail: 'Confirm e-mail',
  },

  loginHeading: 'Login',
  loginLead: 'Please log in with your staff account.',
  secondLead: 'Your password is correct. Please use your second factor next.',
  id: 'ID',
  password: 'Password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  login: 'Login',
  ssoLogin: (provider: string) => `Log in with ${provider}`,
  rememberId: 'Remember ID',
  foundReset: 'If you have forgotten your password, you can get a new one.',
  attemptsLeft: (all, left, minutes) =>
    `After ${all} wrong passwords in a row this ID cannot log in for ${minutes} minutes. Attempts left: at most ${left}.`,
  capsLock: 'Caps Lock is on.',
  findId: 'Find ID',
  resetPassword: 'Reset password',
  signUp: 'Sign up',
  accountLinks: 'Help with your account',
  retryAfterSeconds: (seconds) => `You can try again in ${seconds} s.`,
  retryAfterMinutes: (minutes) => `You can try again in about ${minutes} min.`,
}

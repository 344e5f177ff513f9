import type { devices as korean } from '../ko/devices.ts'

/** `ko/devices.ts` in English. */
export const devices: typeof korean = {
  title: 'My devices',
  lead: 'These devices are logged in now. If you do not recognize one, log out the other devices and change your password.',
  list: 'Devices that are logged in',
  columns: {
    device: 'Device',
    address: 'IP address',
    loggedInAt: 'Login time',
    lastUsedAt: 'Last use',
  },
  current: 'This device',
  unknown: 'Unknown device',
  loading: 'Loading your devices.',
  empty: 'No device is logged in.',
  failed: 'Your devices could not be loaded.',
  endOthers: 'Log out other devices',
  endTitle: 'Log out other devices',
  endText: 'Do you want to log out every device but this one?',
  ending: 'Logging out the other devices.',
  ended: (count) =>
    count === 1 ? '1 other device was logged out.' : `${count} other devices were logged out.`,
  trusted: 'Trusted devices',
  trustedLead:
    'A login on these devices does not ask for the second factor. Remove a device that is not yours.',
  until: (day) => `until ${day}`,
  used: (day) => `last used ${day}`,
  remove: 'Remove',
  removeOf: (device) => `Remove trusted device: ${device}`,
  removed: 'The trusted device was removed.',
}

import type { UserSessionTexts } from '../ko/user-sessions.ts'

/** Texts of a user's sessions, on the user's page for administrators. They load with that section. */
export const userSessions: UserSessionTexts = {
  list: 'Logged-in devices',
  columns: {
    device: 'Device',
    address: 'IP address',
    placeKnown: 'Place',
    loggedInAt: 'Logged in',
    lastUsedAt: 'Last used',
    actions: 'Actions',
  },
  known: 'Logged in here before',
  unknownPlace: 'New place',
  unknown: 'Unknown device',
  loading: 'Loading the devices.',
  empty: 'Logged in on no device.',
  failed: 'The devices could not be loaded.',
  end: 'Log out',
  endOf: (device, address) => `Log out ${device} (${address})`,
  title: 'Log a device out',
  question: (device, address) =>
    `${device} (${address}) will be logged out immediately. The user gets a notification.`,
  ended: 'The device was logged out.',
}

import type { Messages } from '../ko.ts'

/** `ko/files.ts` in English. */
export const files: Messages['files'] = {
  label: 'Attachment',
  choose: '+ My PC',
  dropHere: 'You can also drop a file here: one, of up to 1000 MB.',
  onlyOne: 'To attach another file, remove the attached one first.',
  remove: (name) => `Remove ${name}`,
  tooLargeTitle: 'file size exceeded',
  tooLarge: (name) => `${name} cannot be attached.\nAn attached file may have up to 1000 MB.`,

  sending: (name) => `Upload of ${name}`,
  percent: (percent) => `${percent}%`,
  sentOf: (sent, total) => `${sent} / ${total}`,
  perSecond: (amount) => `${amount} per second`,
  secondsLeft: (seconds) =>
    seconds < 60 ? `about ${seconds} s left` : `about ${Math.floor(seconds / 60)} min ${seconds % 60} s left`,
  starting: 'Preparing to send.',
  interrupted: 'The connection broke; going on from where it stopped.',
  finishing: 'Saving the file.',
  cancel: 'Cancel upload',

  download: (name) => `Download ${name}`,
  downloading: (name) => `Downloading ${name}`,
  fileMissing: 'The file does not exist. Please re-register.',
  downloadFailed: 'file download failed',
}

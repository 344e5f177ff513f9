import type { Messages } from '../ko.ts'

/** `ko/files.ts` in English. */
export const files: Messages['files'] = {
  label: 'Attachment',
  choose: '+ My PC',
  dropHere: 'You can also drop a file here: one, of up to 1000 MB.',
  typesAllowed: (types) => `Types that can be attached: ${types}`,
  typesRefused: (types) => `Types that cannot be attached: ${types}`,
  typeRefused: (name) => `The type of ${name} cannot be attached. Please choose another file.`,
  contentRefused: (name) =>
    `The content of ${name} does not match its extension, or its type cannot be attached. Please choose another file.`,
  dropNow: 'Drop the file to attach it.',
  onlyOne: 'To attach another file, remove the attached one first.',
  remove: (name) => `Remove ${name}`,
  tooLargeTitle: 'file size exceeded',
  tooLarge: (name) => `${name} cannot be attached.\nAn attached file may have up to 1000 MB.`,
  badName: (name) =>
    `${name}\nThis file cannot be attached because of its name. Give it a name of up to 255 characters without / \\ and the like, then choose it again.`,
  badNameTitle: 'File name not allowed',
  unreadableTitle: 'File cannot be read',
  unreadable:
    'The file cannot be read: it is a folder, or it was changed or deleted in the meantime. Please choose it again.',
  unfinished: (name) => `The upload of ${name} did not finish. Choose the same file again to resume it.`,
  uploadGone:
    'The uploaded file no longer exists. It was deleted, or its 24 hours have passed. Please choose it again.',
  giveUp: 'Do not resume',

  sending: (name) => `Upload of ${name}`,
  percent: (percent) => `${percent}%`,
  sentOf: (sent, total) => `${sent} / ${total}`,
  perSecond: (amount) => `${amount} per second`,
  secondsLeft(seconds) {
    if (seconds < 60) return `about ${seconds} s left`
    const minutes = Math.floor(seconds / 60)
    return seconds % 60 === 0 ? `about ${minutes} min left` : `about ${minutes} min ${seconds % 60} s left`
  },
  starting: 'Preparing the upload.',
  interrupted: 'The connection was lost. The upload continues when it is back.',
  signedOut: 'Your session ended. The upload continues after you log in again.',
  finishing: 'Checking and saving the file.',
  stored: 'Upload complete.',
  sendAgain: 'Try again',
  cancel: 'Cancel upload',

  preview: 'Preview',
  previewOf: (name) => `Preview ${name}`,
  previewLoading: 'Loading the file.',
  previewFailed: 'This file cannot be previewed. Please download it.',
  previewSave: 'Download',

  download: (name) => `Download ${name}`,
  downloading: (name) => `Downloading ${name}`,
  cancelDownload: 'Cancel download',
  fileMissing: 'The file does not exist. Please re-register.',
  downloadFailed: 'file download failed',

  failures: {
    UPLOAD_NOT_FOUND: 'The upload could not be found. Please choose the file again.',
    UPLOAD_BUSY: 'This file is being uploaded right now. Please try again in a moment.',
  },
}

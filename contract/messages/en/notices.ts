import type { Messages } from '../ko.ts'

/** `ko/notices.ts` in English. */
export const notices: Messages['notices'] = {
  titles: {
    noticeSearch: 'Notice search',
    noticeDetail: 'Notice detail',
    noticeInsert: 'Write a notice',
    noticeEdit: 'Edit notice',
  },

  bullets: { BE0001: 'Notice', BE0002: 'Key issue' },
  marks: {
    pinned: 'Pinned',
    scheduled: 'Scheduled',
    mustRead: 'Must-read',
    isNew: 'New',
    hasFile: 'Has an attachment',
  },
  loadFailed: 'failed to load data',

  search: {
    write: 'Write a notice',
    type: 'Search type',
    types: { 통합검색: 'All', 제목: 'Title', 작성자: 'Author' },
    text: 'Search text',
    submit: 'Search',
    total: (count) => (count === '1' ? '1 notice' : `${count} notices`),
    results: 'Notices',
    columns: { rowNumber: 'No.', title: 'Title', name: 'Author', registeredAt: 'Written time' },
    loading: 'Loading the notices.',
    empty: 'There are no notices yet.',
    nothingFound: 'No notices were found.',
    failed: 'The notices could not be loaded.',
    open: (title) => `Open ${title}`,
  },

  detail: {
    loading: 'Loading the notice.',
    author: 'Author',
    time: 'Registration time',
    views: 'Views',
    viewCount: (count) => count,
    downloads: (count) => (count === '1' ? '1 download' : `${count} downloads`),
    files: (count) => `Attachments (${count})`,
    memo: 'Text',
    noMemo: 'There is no text.',
    scheduled: (time) =>
      `Will be published at ${time}. Until then only its author and administrators see it.`,
    pinnedUntil: (day) => `Stays on top of the list until ${day}.`,
    list: 'List',
    edit: 'Edit',
    remove: 'Delete',
    removeTitle: 'Delete notice',
    removeText: (title) => `Do you want to delete this notice?\n${title}`,
    removing: 'Deleting the notice.',
    neighbours: 'Previous and next notice',
    next: 'Next',
    previous: 'Previous',
    noNext: 'There is no newer notice.',
    noPrevious: 'There is no older notice.',
    opensNewWindow: 'opens in a new window',
  },

  readers: {
    ask: 'This is a must-read notice. Please read it, then press "Confirm reading".',
    confirm: 'Confirm reading',
    confirmed: 'You have confirmed reading this notice.',
    title: 'Read confirmations',
    counts: (unread, read) => `${unread} not read yet, ${read} confirmed`,
    list: 'Who has not confirmed yet',
    columns: {
      rowNumber: 'No.',
      name: 'Name',
      userId: 'ID',
      affiliationName: 'Affiliation',
      position: 'Position',
      viewed: 'Opened',
    },
    viewed: 'Opened',
    notViewed: 'Not opened',
    loading: 'Loading the read confirmations.',
    empty: 'Everybody has confirmed.',
    failed: 'The read confirmations could not be loaded.',
    remind: 'Send reminder mails',
    remindTitle: 'Reminder mails',
    remindText: (count) =>
      count === '1'
        ? 'Do you want to mail the 1 person who has not confirmed yet?'
        : `Do you want to mail the ${count} people who have not confirmed yet?`,
    reminding: 'Sending the reminder mails.',
    reminded: (count) => (count === '1' ? '1 person is being mailed.' : `${count} people are being mailed.`),
    remindAgain: (minutes) =>
      minutes > 60
        ? `Reminders can be sent again in about ${Math.ceil(minutes / 60)} hours.`
        : minutes === 1
          ? 'Reminders can be sent again in 1 minute.'
          : `Reminders can be sent again in ${minutes} minutes.`,
  },

  form: {
    createTitle: 'Write a notice',
    editTitle: 'Edit notice',
    settings: 'Publishing',
    loading: 'Loading the notice.',
    bullet: 'Bullet',
    title: 'Title',
    memo: 'Text',
    publish: 'Publish',
    publishNow: 'Now',
    publishLater: 'At a set time',
    publishDate: 'Publish date',
    publishTime: 'Publish time',
    published: (time) => `Published at ${time}.`,
    pin: 'Pin',
    pinLabel: 'Pin to the top of the list',
    pinUntil: 'Pinned until',
    mustRead: 'Must-read',
    mustReadLabel: 'Ask readers to confirm',
    list: 'List',
    save: 'Save',
    titleMissing: 'notice title not entered',
    titleMissingText: 'Please enter the title.',
    createQuestion: 'Do you want to register this notice?',
    editQuestion: 'Do you want to save the changes to this notice?',
    saving: 'Saving the notice.',
    done: 'The registration is complete.',
    edited: 'The changes are saved.',
    createFailed: 'notice registration failed',
    updateFailed: 'notice update failed',
    fileSaveFailed: 'file save failed',
    fileSaveFailedText: 'The notice itself is saved. Your file is still chosen: press Save to try again.',
    uploadStopped: 'The file was not sent.',
    uploadTitle: 'File upload',
    fileDeleteFailed: 'file delete failed',
    changed: 'What somebody else has saved',
    changedText:
      'Somebody else has edited this notice meanwhile. What you entered is still here. Compare it with the text below; saving writes over that text.',
    takeTheirs: 'Take this text instead',
    draft: (time) =>
      `There is an unfinished text from ${time}. Attachments cannot be kept: please choose the file again.`,
    draftKept: (time) => `Draft kept in this browser at ${time}.`,
    leaveText:
      'What you entered is kept in this browser as a draft, but a chosen file is not. Do you want to leave?',
  },
}

/** Texts of attached files: choosing, uploading, saving. */
export const files = {
  label: '첨부파일',
  choose: '+ 내 PC',
  dropHere: '파일을 여기에 끌어다 놓아도 됩니다. 한 개, 1000MB까지 등록할 수 있습니다.',
  /** Shown before the user chooses a file, if some types are not allowed (rules/files#file-types). */
  typesAllowed: (types: string) => `등록할 수 있는 형식: ${types}`,
  typesRefused: (types: string) => `등록할 수 없는 형식: ${types}`,
  typeRefused: (name: string) => `${name} 파일은 등록할 수 없는 형식입니다. 다른 파일을 선택해주세요.`,
  contentRefused: (name: string) =>
    `${name} 파일의 내용이 확장자와 다르거나 등록할 수 없는 형식입니다. 다른 파일을 선택해주세요.`,
  dropNow: '여기에 놓으면 첨부됩니다.',
  onlyOne: '다른 파일을 등록하려면 먼저 첨부된 파일을 삭제해주세요.',
  remove: (name: string) => `${name} 첨부 취소`,
  /** rules/files#file-size. */
  tooLargeTitle: '파일 용량 초과',
  tooLarge: (name: string) => `${name} 파일은 첨부할 수 없습니다.\n첨부파일은 1000MB까지 등록할 수 있습니다.`,
  badName: (name: string) =>
    `${name}\n이 파일은 이름 때문에 첨부할 수 없습니다. 이름을 255자 이내로, / \\ 같은 문자 없이 바꾼 후 다시 선택해주세요.`,
  badNameTitle: '파일 이름 오류',
  unreadableTitle: '파일 읽기 오류',
  unreadable:
    '파일을 읽을 수 없습니다. 폴더이거나, 그사이 변경되었거나 삭제된 파일입니다. 다시 선택해주세요.',
  /** An upload that a reload or a crash interrupted. */
  unfinished: (name: string) =>
    `${name} 파일의 업로드가 끝나지 않았습니다. 같은 파일을 다시 선택하면 이어서 업로드합니다.`,
  uploadGone: '업로드한 첨부파일이 삭제되었거나 보관 기간 24시간이 지났습니다. 파일을 다시 선택해주세요.',
  giveUp: '이어서 업로드하지 않기',

  sending: (name: string) => `${name} 업로드`,
  percent: (percent: number) => `${percent}%`,
  sentOf: (sent: string, total: string) => `${sent} / ${total}`,
  perSecond: (amount: string) => `초당 ${amount}`,
  secondsLeft(seconds: number) {
    if (seconds < 60) return `약 ${seconds}초 남음`
    const minutes = Math.floor(seconds / 60)
    return seconds % 60 === 0 ? `약 ${minutes}분 남음` : `약 ${minutes}분 ${seconds % 60}초 남음`
  },
  starting: '업로드를 준비하는 중입니다.',
  interrupted: '연결이 끊겼습니다. 다시 연결되면 이어서 업로드합니다.',
  signedOut: '로그아웃되었습니다. 다시 로그인하면 이어서 업로드합니다.',
  finishing: '파일을 확인하고 저장하는 중입니다.',
  stored: '업로드가 끝났습니다.',
  sendAgain: '다시 시도',
  cancel: '업로드 취소',

  preview: '미리보기',
  previewOf: (name: string) => `${name} 미리보기`,
  previewLoading: '파일을 불러오는 중입니다.',
  previewFailed: '이 파일은 미리 볼 수 없습니다. 내려받아 확인해주세요.',
  previewSave: '내려받기',

  download: (name: string) => `${name} 내려받기`,
  downloading: (name: string) => `${name} 내려받는 중`,
  cancelDownload: '내려받기 취소',
  /** Shown if the bytes of a file no longer exist (rules/files#file-missing). */
  fileMissing: '파일이 존재하지 않습니다. 다시 등록해주세요.',
  downloadFailed: '파일을 내려받지 못했습니다.',

  /** The page's own messages, for responses without one. */
  failures: {
    UPLOAD_NOT_FOUND: '업로드를 찾을 수 없습니다. 파일을 다시 선택해주세요.',
    UPLOAD_BUSY: '이 파일은 지금 업로드 중입니다. 잠시 후 다시 시도해주세요.',
  },
}

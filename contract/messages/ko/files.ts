/** Texts of attached files: choosing, sending, saving (spec §2, §5, §8). */
export const files = {
  label: '첨부파일',
  choose: '+ 내 PC',
  dropHere: '파일을 여기에 끌어다 놓아도 됩니다. 한 개, 1000MB까지 등록할 수 있습니다.',
  onlyOne: '다른 파일을 등록하려면 먼저 첨부된 파일을 지워주세요.',
  remove: (name: string) => `${name} 첨부 취소`,
  /** spec §5: 'file size exceeded' warning. */
  tooLargeTitle: '파일 용량 초과',
  tooLarge: (name: string) => `${name} 파일은 첨부할 수 없습니다.\n첨부파일은 1000MB까지 등록할 수 있습니다.`,

  sending: (name: string) => `${name} 업로드`,
  percent: (percent: number) => `${percent}%`,
  sentOf: (sent: string, total: string) => `${sent} / ${total}`,
  perSecond: (amount: string) => `초당 ${amount}`,
  secondsLeft: (seconds: number) =>
    seconds < 60 ? `약 ${seconds}초 남음` : `약 ${Math.floor(seconds / 60)}분 ${seconds % 60}초 남음`,
  starting: '전송을 준비하는 중입니다.',
  interrupted: '연결이 끊겨 이어서 전송하는 중입니다.',
  finishing: '파일을 저장하는 중입니다.',
  cancel: '전송 취소',

  download: (name: string) => `${name} 내려받기`,
  downloading: (name: string) => `${name} 내려받는 중`,
  /** A downloaded file is gone (spec §8). */
  fileMissing: '파일이 존재하지 않습니다. 다시 등록해주세요.',
  downloadFailed: '파일 다운로드에 실패했습니다.',
}

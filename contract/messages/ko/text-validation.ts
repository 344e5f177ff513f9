/** The error messages of every text field, including those of the login. */
export const textValidation = {
  required: '필수 입력 항목입니다.',
  notText: '글자로 입력해주세요.',
  tooLong: (max: string) => `${max}자까지 입력할 수 있습니다.`,
  tooManyMarks: '한 글자에 붙는 결합 문자는 30개까지 사용할 수 있습니다.',
  controlCharacter: '사용할 수 없는 문자가 들어 있습니다.',
  unseenCharacter: '보이지 않거나 글자 방향을 바꾸는 문자가 들어 있습니다. 지우고 다시 입력해주세요.',
}

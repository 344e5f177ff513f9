/** Texts of the dialog that asks for the password before something dangerous. They come with it. */
export const confirmation = {
  title: '비밀번호 확인',
  lead: '확인을 위해 비밀번호를 다시 입력해 주세요.',
  detail: '중요한 작업입니다. 입력한 내용은 그대로 있으며, 확인되면 이어서 진행합니다.',
  confirm: '확인',
  cancel: '취소',
}

/** Its texts, of which no language may lack one. */
export type ConfirmationTexts = typeof confirmation

/** Texts of the dialog that asks for the password or the second factor before a sensitive action. They load with it. */
export const confirmation = {
  title: '비밀번호 확인',
  lead: '확인을 위해 비밀번호를 다시 입력해주세요.',
  factorTitle: '2단계 인증 확인',
  factorLead: '확인을 위해 2단계 인증을 다시 진행해주세요.',
  passkey: '패스키로 확인',
  detail: '중요한 작업입니다. 입력한 내용은 그대로 있으며, 확인되면 이어서 진행합니다.',
  retry: '다시 시도',
  confirm: '확인',
  ssoLead: '통합 로그인으로만 로그인하는 계정은 새 창에서 다시 로그인해 확인할 수 있습니다.',
  ssoConfirm: (name: string) => `${name} 계정으로 확인 (새 창)`,
  cancel: '취소',
}

/** The texts of the dialog that every language must have. */
export type ConfirmationTexts = typeof confirmation

/** Texts of the second step of a login. They load with it, not with every page. */
export const secondStep = {
  title: '2단계 인증',
  appLead: '인증 앱에 표시된 6자리 코드를 입력해주세요.',
  codeLead: '등록할 때 받은 복구 코드 중 하나를 입력해주세요. 한 번 사용한 코드는 다시 사용할 수 없습니다.',
  appCode: '인증 코드',
  recoveryCode: '복구 코드',
  loading: '확인 방법을 불러오는 중입니다.',
  retry: '다시 시도',
  required: '필수 입력 항목입니다.',
  trustDevice: '이 기기에서 30일 동안 묻지 않기',
  submit: '확인',
  useRecovery: '복구 코드 사용',
  useApp: '인증 앱 사용',
  back: '처음으로',
  lost: '인증 수단과 복구 코드를 모두 잃어버렸다면 사용자를 관리하는 관리자나 인사 관리자에게 알려주세요. 관리자 두 사람이 확인하면 2단계 인증이 초기화되고 메일로 알려드립니다. 그다음 비밀번호만으로 로그인하여 다시 등록해주세요.',
}

/** The texts of the second step that every language must have. */
export type SecondStepTexts = typeof secondStep

/** Texts of second factors on the user's own page. They load with the sections that show them, not with every page. */
export const factors = {
  loading: '2단계 인증을 불러오는 중입니다.',
  failed: '2단계 인증을 불러오지 못했습니다.',
  /** The texts for users whose role requires a second factor. */
  card: '2단계 인증',
  requiredLead: '이 계정은 2단계 인증을 등록해야 사용할 수 있습니다. 등록을 마치면 계속할 수 있습니다.',
  goOn: '계속하기',
  app: '인증 앱',
  appLead:
    '휴대전화의 인증 앱(예: Google Authenticator, Microsoft Authenticator)이 30초마다 만드는 6자리 코드입니다.',
  none: '등록 안 함',
  since: (time: string) => `${time} 등록`,
  lastUsed: (time: string) => (time === '' ? '사용 기록 없음' : `마지막 사용 ${time}`),
  setUp: '인증 앱 등록',
  setUpAnew: '다시 등록',
  remove: '삭제',
  removeTitle: '인증 앱 삭제',
  removeText:
    '인증 앱을 삭제하시겠습니까? 다른 2단계 인증이 없으면 복구 코드도 함께 삭제되고, 비밀번호만으로 로그인하게 됩니다.',
  removed: '인증 앱을 삭제했습니다.',
  scan: '인증 앱으로 QR 코드를 찍거나, 아래 키를 직접 입력해주세요. 그다음 앱에 표시된 6자리 코드를 입력하면 등록됩니다.',
  anewHint: '새로 등록하면 이전에 등록한 앱의 코드는 사용할 수 없습니다.',
  qr: '인증 앱 등록용 QR 코드',
  secret: '키',
  code: '인증 코드',
  confirm: '등록',
  added: '인증 앱을 등록했습니다. 다음 로그인부터 인증 코드를 입력합니다.',

  codes: '복구 코드',
  codesLead: '휴대전화나 패스키를 사용할 수 없을 때 한 번씩 사용할 수 있는 코드입니다.',
  codesLeft: (left: number, since: string) => `${left}개 남음 · ${since} 발급`,
  codesFew: '남은 복구 코드가 얼마 없습니다. 다시 발급해주세요.',
  renew: '다시 발급',
  renewTitle: '복구 코드 다시 발급',
  renewText: '이전 복구 코드는 더 이상 사용할 수 없게 됩니다. 다시 발급하시겠습니까?',
  once: '지금만 표시됩니다. 인쇄하거나 파일로 저장하여 휴대전화와 다른 곳에 안전하게 보관해주세요. 코드는 하나에 한 번만 사용할 수 있습니다.',
  save: '파일로 저장',
  print: '인쇄',
  fileName: (userId: string) => `복구 코드 ${userId}.txt`,
  fileHead: (company: string, userId: string) => `${company} ${userId} 복구 코드`,
}

/** The texts of second factors that every language must have. */
export type FactorTexts = typeof factors

import { particleOf } from '../particles.ts'

/** Texts of passkeys. They load with the sections that show them, not with every page. */
export const passkeys = {
  title: '패스키',
  lead: '지문, 얼굴, PIN으로 여는 기기나 보안 키로 로그인을 확인합니다. 가짜 사이트에서는 작동하지 않습니다.',
  none: '등록 안 함',
  count: (n: number) => `${n}개 등록`,
  list: '등록한 패스키',
  since: (time: string) => `${time} 등록`,
  lastUsed: (time: string) => (time === '' ? '사용 기록 없음' : `마지막 사용 ${time}`),
  unusable: '이전 포털 주소에서 등록하여 지금 주소에서는 사용할 수 없습니다. 삭제하고 다시 등록해주세요.',
  add: '패스키 등록',
  addLead: '이름을 정하고 계속을 누르면 브라우저가 지문, 얼굴, PIN 또는 보안 키를 확인합니다.',
  goOn: '계속',
  name: '패스키 이름',
  defaultName: '내 패스키',
  added: '패스키를 등록했습니다. 다음 로그인부터 패스키를 사용할 수 있습니다.',
  rename: '이름 변경',
  renameTitle: '패스키 이름 변경',
  renameOf: (name: string) => `${name} 이름 변경`,
  save: '저장',
  remove: '삭제',
  removeTitle: '패스키 삭제',
  removeOf: (name: string) => `${name} 삭제`,
  removeText: (name: string) =>
    `패스키 “${name}”${particleOf(name, '을/를')} 삭제하시겠습니까? 다른 2단계 인증이 없으면 복구 코드도 함께 삭제되고, 비밀번호만으로 로그인하게 됩니다.`,
  removed: '패스키를 삭제했습니다. 기기에 남은 패스키는 기기의 설정에서 지울 수 있습니다.',

  /** The reason why passkeys do not work on this page. */
  nowhere:
    '패스키를 사용하려면 포털 주소가 https로 시작하는 도메인이어야 합니다. 지금은 주소가 설정되지 않았거나 그렇지 않습니다. 관리자에게 문의해주세요.',
  elsewhere: (at: string) =>
    `패스키는 https로 연결된 포털 주소에서만 사용할 수 있습니다. ${at} 주소로 다시 접속해주세요.`,
  unsupported: '이 브라우저는 패스키를 지원하지 않습니다. 다른 브라우저를 사용해주세요.',
  former: '이전 포털 주소에서 등록한 패스키라 사용할 수 없습니다.',

  /** The results of a request to the device. */
  cancelled: '패스키 확인이 취소되었거나 시간이 지났습니다. 다시 시도해주세요.',
  already: '이 기기에는 이미 등록한 패스키가 있습니다.',
  failed: '기기가 패스키를 확인하지 못했습니다. 다시 시도하거나 다른 방법을 사용해주세요.',

  /** In the second step of a login. */
  loginLead: '등록한 패스키로 본인임을 확인해주세요.',
  login: '패스키로 로그인',
  use: '패스키 사용',
}

/** The texts of passkeys that every language must have. */
export type PasskeyTexts = typeof passkeys

/** Texts of the deferred layout: the end of a session, and a lost connection. */
export const lateFrame = {
  /** Before the session ends (rules/frame#session-ending). */
  endingTitle: '곧 로그아웃됩니다',
  endingText: '2분 동안 사용하지 않으면 자동으로 로그아웃됩니다. 계속 사용하시겠습니까?',
  endingAnyway:
    '로그인한 지 오래되어 2분 안에 로그아웃되며, 시간을 연장할 수 없습니다. 지금 다시 로그인하면 이 화면에서 이어서 사용할 수 있습니다.',
  timeLeft: '남은 시간',
  stay: '계속 사용',
  logout: '로그아웃',
  signInNow: '지금 다시 로그인',
  later: '나중에',

  /** Above unsaved input, after the session has expired (rules/frame#signing-in-again). */
  signInTitle: '다시 로그인',
  signInText:
    '로그인 시간이 끝났습니다. 입력한 내용은 이 화면에 그대로 있습니다. 다시 로그인한 다음 하던 일을 이어서 해주세요.',
  signInEarlier: '다시 로그인하면 이 화면에서 이어서 사용할 수 있습니다.',
  loggedOutText:
    '다른 탭에서 로그아웃했습니다. 저장하지 않은 내용은 이 화면에만 남아 있습니다. 다시 로그인하면 이어서 작성할 수 있고, 다른 아이디로 로그인하거나 버리면 사라집니다.',
  discard: '입력한 내용 버리기',
  toLogin: '로그인 화면으로',
  leaveText: '이 화면을 떠나면 저장하지 않은 내용이 사라집니다. 로그인 화면으로 이동하시겠습니까?',
  otherText: (id: string) =>
    `이 화면은 ${id} 사용자가 입력하던 화면입니다. 다른 아이디로 로그인하면 입력한 내용이 사라지고 홈으로 이동합니다. 계속하시겠습니까?`,
  goOn: '계속',
  goBack: '돌아가기',
  passwordText:
    '임시 비밀번호로 로그인했습니다. 새 비밀번호로 변경하면 이 화면에서 이어서 사용할 수 있습니다.',
  signedIn: '다시 로그인했습니다. 저장하지 못한 내용이 있으면 다시 저장해주세요.',

  /** While the server does not respond (rules/frame#offline). */
  offline: '서버에 연결되어 있지 않습니다. 입력한 내용은 그대로 있으며, 연결되면 이어서 사용할 수 있습니다.',
  online: '다시 연결되었습니다.',

  /** Toasts: short messages about completed actions (rules/frame#toasts). */
  toasts: { toasts: '알려드립니다', undo: '되돌리기', close: '닫기' },
}

/** The texts of the deferred layout that every language must have. */
export type LateFrameTexts = typeof lateFrame

import { particleOf } from '../particles.ts'

/** Texts of notifications: the bell's panel and their page. They load with these, not with every page. */
export const notifications = {
  heading: '알림',
  all: '알림 모두 보기',
  readAll: '모두 읽음',
  read: '읽음 표시',
  markOne: (what: string) => `${what} 읽음 표시`,
  unreadOnly: '읽지 않은 알림만',
  unreadMark: '읽지 않음',
  readMark: '읽음',
  total: (count: string) => `총 ${count}건`,
  results: '알림 목록',
  loading: '알림을 불러오는 중입니다.',
  empty: '알림이 없습니다.',
  noneUnread: '읽지 않은 알림이 없습니다.',
  failed: '알림을 불러오지 못했습니다.',
  columns: { what: '내용', when: '일시', state: '상태' },

  mustRead: '필독 공지사항이 게시되었습니다.',
  noticeComment: (name: string) => `${name} 님이 내 공지사항에 댓글을 남겼습니다.`,
  noticeReply: (name: string) => `${name} 님이 내 댓글에 답글을 남겼습니다.`,
  noticeMention: (name: string) => `${name} 님이 댓글에서 나를 언급했습니다.`,
  accountApproved: '계정이 승인되었습니다.',
  affiliationApproved: (name: string) => `소속이 ${name}${particleOf(name, '으로/로')} 변경되었습니다.`,
  affiliationRefused: (name: string) => `${name} 소속 변경 요청이 거절되었습니다.`,
  keyRevoked: (requestKey: string) => `키 ${requestKey}${particleOf(requestKey, '이/가')} 폐기되었습니다.`,
  reason: (reason: string) => `사유: ${reason}`,
  keyLimit: (partnerCode: string, period: 'day' | 'week' | 'month' | 'total', mark: number) =>
    `파트너 ${partnerCode}${particleOf(partnerCode, '이/가')} ${{ day: '일', week: '주', month: '월', total: '총' }[period]} 최대 발급 수의 ${mark}%에 도달했습니다.`,
  programEnding: (name: string, time: string) =>
    `프로그램 토큰 ‘${name}’${particleOf(name, '이/가')} ${time}에 만료됩니다.`,
  programEnded: (name: string) =>
    `관리자가 프로그램 토큰 ‘${name}’${particleOf(name, '을/를')} 종료했습니다.`,
  programAccountEnding: (program: string, token: string, time: string) =>
    `프로그램 계정 ‘${program}’의 토큰 ‘${token}’${particleOf(token, '이/가')} ${time}에 만료됩니다.`,
  serviceEnding: (name: string, time: string) =>
    `서비스 토큰 ‘${name}’${particleOf(name, '이/가')} ${time}에 만료됩니다.`,
  rollOver: '만료되기 전에 새 토큰으로 교체해주세요.',
  webhookStopped: (name: string) =>
    `웹훅 ‘${name}’${particleOf(name, '이/가')} 5일 동안 실패하여 중지되었습니다.`,
  scimStopped: (name: string) =>
    `‘${name}’의 자동 프로비저닝이 한 시간에 너무 많은 계정을 정지하거나 탈퇴시켜 멈췄습니다.`,
  newNetwork: '새로운 네트워크에서 로그인했습니다.',
  sessionEnded: {
    manager: '관리자가 이 기기를 로그아웃했습니다.',
    limit: '동시에 로그인할 수 있는 기기 수를 넘어 가장 먼저 로그인한 기기가 로그아웃되었습니다.',
    moved: '로그인한 곳과 다른 주소에서 사용되어 기기가 로그아웃되었습니다.',
    factor: '2단계 인증을 여러 번 잘못 입력하여 기기가 로그아웃되었습니다.',
  },
  emergencyLogin: (name: string) =>
    `${name} 님이 비상 계정으로 로그인했습니다. 예정된 로그인이 아니면 바로 확인해주세요.`,
  mailServer: (name: string) =>
    `${name} 님이 메일 서버를 변경했습니다. 예상하지 못한 변경이면 바로 확인해주세요.`,
  signUp: (name: string) => `${name} 님이 회원가입을 신청했습니다.`,
  factorReset: (name: string) => `${name} 님의 2단계 인증 초기화를 확인하거나 거절해주세요.`,
  inspection: (month: string) => `${month} 접속기록을 점검해주세요.`,
  review: (quarter: string) => `${quarter} 권한을 검토해주세요.`,

  setting: {
    title: '알림을 받는 방법',
    lead: '알림마다 포털에 표시할지, 메일로 언제 받을지 선택합니다. ‘하루 한 번’은 아직 읽지 않은 알림을 모아 오전 8시에 보냅니다. 선택은 바로 저장됩니다.',
    shown: '포털에 표시',
    mail: '메일',
    mails: { AT_ONCE: '바로', DAILY: '하루 한 번', NEVER: '받지 않음' },
    fixed: '계정 보안을 위해 포털과 메일로 항상 알립니다.',
    kinds: {
      MUST_READ: '필독 공지사항 게시',
      NOTICE_COMMENT: '내 공지사항의 댓글',
      NOTICE_REPLY: '내 댓글의 답글',
      NOTICE_MENTION: '댓글에서 나를 언급',
      ACCOUNT_APPROVED: '계정 승인',
      AFFILIATION_APPROVED: '소속 변경 승인',
      AFFILIATION_REFUSED: '소속 변경 거절',
      KEY_REVOKED: '내 키 폐기',
      KEY_LIMIT: '파트너의 발급 한도 도달',
      PROGRAM_ENDING: '내 프로그램 토큰 만료 예정',
      PROGRAM_ENDED: '내 프로그램 토큰 종료',
      PROGRAM_ACCOUNT_ENDING: '프로그램 계정 토큰 만료 예정',
      SERVICE_ENDING: '서비스 토큰 만료 예정',
      WEBHOOK_STOPPED: '웹훅 자동 중지',
      SCIM_STOPPED: '자동 프로비저닝 멈춤',
      NEW_NETWORK: '새로운 네트워크에서 로그인',
      SESSION_ENDED: '기기 로그아웃',
      EMERGENCY_LOGIN: '비상 계정 로그인',
      MAIL_SERVER: '메일 서버 변경',
      SIGN_UP: '회원가입 신청',
      FACTOR_RESET: '2단계 인증 초기화 확인',
      INSPECTION: '접속기록 월간 점검',
      REVIEW: '분기별 권한 검토',
    },
    loading: '알림 설정을 불러오는 중입니다.',
    failed: '알림 설정을 불러오지 못했습니다.',
    saved: '저장되었습니다.',
  },
}

/** The texts of notifications that every language must have. */
export type NotificationTexts = typeof notifications

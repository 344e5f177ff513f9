import { account } from './account.ts'
import { affiliations } from './affiliations.ts'
import { approvals } from './approvals.ts'
import { fields } from './fields.ts'
import { files } from './files.ts'
import { forms } from './forms.ts'
import { keys } from './keys.ts'
import { lists } from './lists.ts'
import { notices } from './notices.ts'
import { ownData } from './own-data.ts'
import { partners } from './partners.ts'
import { settings } from './settings.ts'
import { signedInFrame } from './signed-in-frame.ts'
import { users } from './users.ts'
import { validation } from './validation.ts'

/** The Korean texts of the pages except the login; the first of these pages loads them. */
export const portal = {
  account,
  affiliations,
  approvals,
  fields,
  files,
  forms,
  frame: signedInFrame,
  /** Below a record; the rows have their own texts. */
  history: {
    title: '변경 이력',
    open: '이력 보기',
    close: '이력 접기',
    last: (time: string, who: string, what: string) => `마지막 변경: ${time} ${who} · ${what}`,
    never: '변경 이력이 없습니다.',
    system: '시스템',
  },
  /** On the user's own page; the rows have their own texts. */
  ownAccess: {
    title: '내 정보를 본 사람',
    lead: '다른 사람이 내 정보를 조회·검색·변경하거나 파일로 내보낸 기록입니다. 내가 직접 한 일은 표시하지 않습니다.',
    open: '기록 보기',
    close: '기록 접기',
  },
  /** On the user's own page; the section has its own texts. */
  factors: {
    title: '2단계 인증',
    lead: '로그인할 때 비밀번호와 함께 휴대전화의 코드나 패스키를 확인합니다. 비밀번호가 알려져도 다른 사람이 로그인할 수 없습니다.',
    open: '2단계 인증 관리',
    close: '2단계 인증 접기',
  },
  /** On the user's own page; the section has its own texts. */
  ssoLinks: {
    title: '통합 로그인',
    lead: '회사의 로그인 서버 계정을 연결하면 그 계정으로 이 포털에 로그인할 수 있습니다.',
    open: '통합 로그인 관리',
    close: '통합 로그인 접기',
  },
  /** On the user's own page; the rows have their own texts. */
  programs: {
    title: '프로그램 토큰',
    lead: '설치 프로그램이 비밀번호 대신 사용하는 토큰입니다. 프로그램에 입력하면 내 이름으로 키를 발급하고, 선택한 API를 사용할 수 있습니다. 키 발급에 필요한 파트너 코드가 없으면 인사 관리자에게 요청해주세요.',
    open: '토큰 보기',
    close: '토큰 접기',
  },
  /** Links from a user's page to the log entries about that user. */
  seenBy: {
    title: '접속기록',
    lead: '누가 언제 이 사람의 정보를 조회·변경하거나 내보냈는지 확인합니다.',
    open: '이 사람의 정보를 본 기록',
  },
  /** On a user's page; the section has its own texts. */
  factorReset: {
    title: '2단계 인증',
    lead: '휴대전화와 복구 코드를 잃어버린 사람의 2단계 인증을 초기화합니다. 한 관리자가 요청하고 다른 관리자가 확인해야 합니다.',
    open: '2단계 인증 보기',
    close: '2단계 인증 접기',
  },
  /** On a user's page; the rows have their own texts. */
  userSessions: {
    title: '로그인한 기기',
    lead: '로그인되어 있는 기기와 접속 위치를 확인하고, 기기 하나를 로그아웃합니다.',
    open: '기기 보기',
    close: '기기 접기',
  },
  keys,
  lists,
  notices,
  ownData,
  partners,
  /** Returns the shown name of a province or district: its name on the wire is Korean in every language. */
  regionName: (name: string): string => name,
  settings,
  titles: {
    // The home screen loads its other texts.
    main: '홈',
    notifications: '알림',
    notificationSetting: '알림 설정',
    auditSearch: '감사 기록 조회',
    accessSearch: '접속기록 조회',
    accessDetail: '접속기록 상세',
    reviews: '권한 검토',
    review: '분기별 권한 검토',
    inspections: '접속기록 점검',
    inspection: '월간 점검',
    incidents: '유출 사고',
    incident: '유출 사고 상세',
    roleManage: '권한 관리',
    privacy: '개인정보 처리방침',
    ...affiliations.titles,
    ...approvals.titles,
    ...keys.titles,
    ...notices.titles,
    ...partners.titles,
    ...settings.titles,
    ...users.titles,
  },
  users,
  validation,
}

import type { FunctionName } from '../../permissions.ts'

/** Texts of the roles screen. They load with it, not with every page. */
export const roles = {
  matrix: '권한 그룹별 기능',
  lead: '체크하면 그 권한 그룹의 사용자에게 바로 적용됩니다. 자신에게 없는 기능은 변경할 수 없습니다.',
  loading: '권한 그룹을 불러오는 중입니다.',
  failed: '권한 그룹을 불러오지 못했습니다.',
  role: '권한 그룹',
  manage: '관리',
  builtIn: '기본',
  users: (count: number) => `${count.toLocaleString()}명`,
  cell: (role: string, name: string) => `${role}: ${name}`,

  /** Each permission: a name for the column, and a sentence about what it allows. */
  functions: {
    autho_user_search: ['사용자 조회', '사용자 검색과 조회'],
    autho_user_manage: ['사용자 관리', '사용자 조회, 수정, 승인, 탈퇴, 연장'],
    autho_user_insert: ['사용자 등록', '새 사용자 등록'],
    autho_admin_manage: ['관리자 계정 관리', '관리자 계정 수정과 관리자 권한 부여'],
    autho_role_manage: ['권한 관리', '권한 그룹 추가와 기능 변경'],
    autho_notice_insert: ['공지사항 등록', '공지사항 등록, 자신이 쓴 공지사항 수정과 삭제'],
    autho_notice_manage: ['공지사항 관리', '다른 사람의 공지사항 수정과 삭제'],
    autho_key_own: ['내 키 조회', '자신에게 발급된 키의 이력 조회'],
    autho_key_search: ['전체 키 조회', '모든 사용자의 키 발급 이력 조회'],
    autho_partner_search: ['파트너 관리', '파트너 코드 조회, 등록, 수정, 삭제'],
    autho_service_manage: [
      '서비스 관리',
      '발급된 키를 확인하는 서비스 토큰의 생성과 폐기, 모든 프로그램 토큰의 조회와 종료',
    ],
    autho_setting_manage: ['설정 관리', '포털 설정과 소속 관리'],
    autho_audit_search: ['감사 기록 조회', '감사 기록과 접속기록 조회'],
    autho_audit_manage: ['점검 관리', '접속기록 점검, 점검 기준 변경, 서명'],
    autho_export_personal: ['개인정보 내보내기', '전화번호와 이메일을 가리지 않은 파일 내보내기'],
  } satisfies Record<FunctionName, [name: string, description: string]> as Record<
    FunctionName,
    [name: string, description: string]
  >,

  grantTitle: '기능 허용',
  grantText: (role: string, name: string) =>
    `‘${role}’에 ‘${name}’ 기능을 허용하시겠습니까?\n지금 로그인한 사용자에게도 바로 적용됩니다.`,
  revokeTitle: '기능 해제',
  revokeText: (role: string, name: string) =>
    `‘${role}’에서 ‘${name}’ 기능을 해제하시겠습니까?\n지금 로그인한 사용자에게도 바로 적용됩니다.`,

  /** Names of the spans. */
  spans: { all: '전사', branch: '소속과 하위 소속' },
  span: '범위',
  spanHelp:
    '‘소속과 하위 소속’은 사용자가 속한 소속과 그 하위 소속의 사용자, 파트너, 키, 공지사항만 다룹니다. 추가한 후에는 변경할 수 없습니다.',
  /** Templates of new roles (rules/roles#templates). */
  template: '템플릿',
  noTemplate: '기능 없이 시작',
  templates: {
    branch: '지사 담당자',
    security: '보안 담당자',
    auditor: '감사',
  },

  add: '권한 그룹 추가',
  addTitle: '권한 그룹 추가',
  rename: '이름 변경',
  renameTitle: '권한 그룹 이름 변경',
  renameOf: (role: string) => `${role} 이름 변경`,
  remove: '삭제',
  removeTitle: '권한 그룹 삭제',
  removeOf: (role: string) => `${role} 삭제`,
  removeText: (role: string) => `‘${role}’ 권한 그룹을 삭제하시겠습니까?`,
  save: '저장',
}

/** The texts of the roles screen that every language must have. */
export type RoleTexts = typeof roles

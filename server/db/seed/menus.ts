import type { FunctionName } from '../../../contract/permissions.ts'

interface SeedMenu {
  high: [ko: string, en: string]
  items: { url: string; low: [ko: string, en: string]; function: FunctionName | null }[]
}

/** The header's menu. A person sees the items whose function the own role holds (rules/frame#header). */
export const menus: readonly SeedMenu[] = [
  {
    high: ['공지사항', 'Notices'],
    items: [
      { url: '/notice/search', low: ['공지사항 조회', 'Notice search'], function: null },
      { url: '/notice/insert', low: ['공지사항 등록', 'Write a notice'], function: null },
    ],
  },
  {
    high: ['사용자', 'Users'],
    items: [
      { url: '/user/search', low: ['사용자 조회', 'User search'], function: 'autho_user_manage' },
      { url: '/user/approval', low: ['승인 대기', 'Waiting for approval'], function: 'autho_user_manage' },
      { url: '/user/insert', low: ['사용자 등록', 'Register user'], function: 'autho_user_insert' },
      {
        url: '/user/import',
        low: ['사용자 일괄 등록', 'Register many users'],
        function: 'autho_user_insert',
      },
      { url: '/user/validity', low: ['유효기간 관리', 'Validity'], function: 'autho_user_manage' },
      { url: '/role/manage', low: ['권한 관리', 'Roles'], function: 'autho_role_manage' },
    ],
  },
  {
    high: ['키 발급', 'Access keys'],
    items: [
      {
        url: '/key/search',
        low: ['키 발급 이력 조회', 'Key issuance history'],
        function: 'autho_key_search',
      },
      { url: '/key/statistics', low: ['키 발급 통계', 'Key statistics'], function: 'autho_key_search' },
      { url: '/key/services', low: ['서비스 토큰', 'Service tokens'], function: 'autho_service_manage' },
    ],
  },
  {
    high: ['파트너', 'Partners'],
    items: [
      {
        url: '/partner/search',
        low: ['파트너 코드 정보 조회', 'Partner search'],
        function: 'autho_partner_search',
      },
      {
        url: '/partner/insert',
        low: ['파트너 코드 등록', 'Register partner code'],
        function: 'autho_partner_search',
      },
    ],
  },
]

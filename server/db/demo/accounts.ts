import { ROLE } from '../../../contract/permissions.ts'

/** The password of every demo account; anybody who reads this can sign in, so demo data is for trying only. */
export const DEMO_PASSWORD = 'Maru-demo-2026'

/** Mail domains that can belong to nobody (RFC 2606): whatever is tried, no mail leaves for a real person. */
export const DEMO_DOMAIN = 'demo.maru.example'

/** What makes an account answer as its purpose says. */
export type DemoState = 'ready' | 'temporary' | 'unapproved' | 'expired' | 'not-yet-valid' | 'withdrawn'

/** An account to try something with. */
export interface DemoAccount {
  userId: string
  name: string
  position: string
  roleCode: string
  state: DemoState
  /** For the person who reads the table. */
  purpose: string
}

/** One account per role, and one for each refusal of the login (decisions §4). */
export const demoAccounts: readonly DemoAccount[] = [
  {
    userId: 'admin',
    name: '한지원',
    position: '이사',
    roleCode: ROLE.admin,
    state: 'ready',
    purpose: 'administrator: everything',
  },
  {
    userId: 'hradmin',
    name: '윤서연',
    position: '부장',
    roleCode: ROLE.hr,
    state: 'ready',
    purpose: 'HR: users and notices, no partners',
  },
  {
    userId: 'user',
    name: '김민준',
    position: '사원',
    roleCode: ROLE.user,
    state: 'ready',
    purpose: 'ordinary user: own page, notices, key history',
  },
  {
    userId: 'newcomer',
    name: '이하윤',
    position: '사원',
    roleCode: ROLE.user,
    state: 'temporary',
    purpose: 'has a temporary password: must change it first',
  },
  {
    userId: 'waiting',
    name: '박도윤',
    position: '주임',
    roleCode: ROLE.user,
    state: 'unapproved',
    purpose: 'refused: not approved yet',
  },
  {
    userId: 'expired',
    name: '최은우',
    position: '대리',
    roleCode: ROLE.user,
    state: 'expired',
    purpose: 'refused: validity is over',
  },
  {
    userId: 'upcoming',
    name: '정수아',
    position: '사원',
    roleCode: ROLE.user,
    state: 'not-yet-valid',
    purpose: 'refused: validity has not begun',
  },
  {
    userId: 'former',
    name: '강지호',
    position: '과장',
    roleCode: ROLE.user,
    state: 'withdrawn',
    purpose: 'refused: withdrawn',
  },
]

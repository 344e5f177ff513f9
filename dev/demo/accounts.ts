import { ROLE } from '../../contract/permissions.ts'

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

/** One account per role, and one for each refusal of the login. */
export const demoAccounts: readonly DemoAccount[] = (
  [
    ['admin', '한지원', '이사', ROLE.admin, 'ready', 'administrator: everything'],
    ['hradmin', '윤서연', '부장', ROLE.hr, 'ready', 'HR: users and notices, no partners'],
    ['user', '김민준', '사원', ROLE.user, 'ready', 'ordinary user: own page, notices, key history'],
    ['newcomer', '이하윤', '사원', ROLE.user, 'temporary', 'has a temporary password: must change it first'],
    ['waiting', '박도윤', '주임', ROLE.user, 'unapproved', 'refused: not approved yet'],
    ['expired', '최은우', '대리', ROLE.user, 'expired', 'refused: validity is over'],
    ['upcoming', '정수아', '사원', ROLE.user, 'not-yet-valid', 'refused: validity has not begun'],
    ['former', '강지호', '과장', ROLE.user, 'withdrawn', 'refused: withdrawn'],
  ] as const
).map(([userId, name, position, roleCode, state, purpose]) => ({
  userId,
  name,
  position,
  roleCode,
  state,
  purpose,
}))

import { ROLE } from '../../contract/permissions.ts'

/** Password of every demo account. It is public, so demo data is only for evaluation. */
export const DEMO_PASSWORD = 'Maru-demo-2026'

/** Mail domain that is reserved (RFC 2606), so that no mail of the demo reaches a real person. */
export const DEMO_DOMAIN = 'demo.maru.example'

/** State of a demo account, which determines how a login ends. */
export type DemoState = 'ready' | 'temporary' | 'unapproved' | 'expired' | 'not-yet-valid' | 'withdrawn'

/** An account of the demo for one purpose. */
interface DemoAccount {
  userId: string
  name: string
  position: string
  roleCode: string
  state: DemoState
  /** Purpose of the account, for the table on the terminal. */
  purpose: string
}

/** One account per role, and one for each refusal of the login. The demo data contains all of them. */
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

/** Returns the words of each comma-separated part, for the tables of names below. */
const rows = (text: string) => text.split(',').map((row) => row.trim().split(' '))

/** Family names with their usual spelling in Latin letters, and their share of the population in per mille. */
export const FAMILY_NAMES = rows(
  `김 kim 215, 이 lee 147, 박 park 84, 최 choi 47, 정 jung 43, 강 kang 24, 조 cho 21, 윤 yoon 21, 장 jang 20, 임 lim 17,
  한 han 15, 오 oh 15, 서 seo 15, 신 shin 15, 권 kwon 14, 황 hwang 14, 안 ahn 14, 송 song 14, 류 ryu 13, 홍 hong 11,
  문 moon 9, 배 bae 8, 백 baek 8, 남궁 namgung 5, 황보 hwangbo 4, 선우 sunwoo 4, 제갈 jegal 3`,
).map(([ko = '', roman = '', share]) => [{ ko, roman }, Number(share)] as const)

/** Given names of people of working age, with their usual spelling in Latin letters. */
export const GIVEN_NAMES = rows(
  `민준 minjun, 서준 seojun, 도윤 doyun, 예준 yejun, 시우 siwoo, 하준 hajun, 지호 jiho, 준서 junseo, 현우 hyunwoo,
  지훈 jihoon, 건우 gunwoo, 우진 woojin, 성민 sungmin, 동현 donghyun, 재현 jaehyun, 승현 seunghyun, 영호 youngho,
  상훈 sanghoon, 정훈 junghoon, 성호 sungho, 태영 taeyoung, 병철 byungchul, 광수 kwangsoo, 철수 chulsoo, 진우 jinwoo,
  혁 hyuk, 준 jun, 서연 seoyeon, 서윤 seoyun, 지우 jiwoo, 서현 seohyun, 하은 haeun, 민서 minseo, 지유 jiyu, 윤서 yunseo,
  채원 chaewon, 수빈 subin, 지은 jieun, 은지 eunji, 혜진 hyejin, 수진 sujin, 미경 mikyung, 은영 eunyoung,
  현정 hyunjung, 지영 jiyoung, 유진 yujin, 소연 soyeon, 보람 boram, 아름 areum, 슬기 seulgi, 하늘 haneul, 가온 gaon,
  영숙 youngsook, 정숙 jungsook, 솔 sol, 빛나 bitna`,
).map(([ko = '', roman = '']) => ({ ko, roman }))

/**
 * Names that are hard to display: long ones, other scripts, spaces, hyphens and apostrophes. The demo data has a user
 * for each.
 */
export const UNUSUAL_NAMES: readonly { name: string; userId: string; language: 'ko' | 'en' }[] = [
  { name: '박하늘별님구름햇님보다사랑스러우리', userId: 'haneul.byul', language: 'ko' },
  { name: '황금독수리온세상을놀라게하다', userId: 'golden.eagle', language: 'ko' },
  { name: '응우옌 티 투 하', userId: 'nguyen.thu-ha', language: 'ko' },
  { name: '다나카 유이', userId: 'tanaka.yui', language: 'ko' },
  { name: '남궁 온누리빛나라', userId: 'namgung.onnuri', language: 'ko' },
  { name: '王小明', userId: 'wang.xiaoming', language: 'en' },
  { name: "Siobhán O'Connor", userId: 's.oconnor', language: 'en' },
  { name: 'Alexander Maximilian von Hohenberg-Sternfels', userId: 'a.hohenberg', language: 'en' },
  { name: 'María José García-Fernández de la Vega', userId: 'mj.garcia', language: 'en' },
  { name: 'Nguyễn Thị Minh Khai', userId: 'minhkhai.nguyen', language: 'en' },
]

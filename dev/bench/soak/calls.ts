/** What people ask on a working day, by how often. */
import { listMenus } from '../../../contract/common.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { listKeys } from '../../../contract/keys.ts'
import { BULLET, createNotice, listNotices } from '../../../contract/notices.ts'
import { listPartners } from '../../../contract/partners.ts'
import { listUsers } from '../../../contract/users.ts'

/** A call with its input. */
export interface Question {
  endpoint: Endpoint
  input: object
}

const page = (most: number) => 1 + Math.floor(Math.random() * most)

const DAY: readonly (readonly [times: number, question: () => Question])[] = [
  [30, () => ({ endpoint: listNotices, input: { pinnedFirst: true, page: page(10) } })],
  [20, () => ({ endpoint: listKeys, input: { page: page(50) } })],
  [10, () => ({ endpoint: listKeys, input: { page: 1, requesterName: '김' } })],
  [15, () => ({ endpoint: listUsers, input: { page: page(20), name: '김' } })],
  [5, () => ({ endpoint: listPartners, input: { page: page(5) } })],
  [15, () => ({ endpoint: listMenus, input: {} })],
  [
    4,
    () => ({
      endpoint: createNotice,
      input: { bulletCode: BULLET.notice, title: '측정', memo: '가'.repeat(500) },
    }),
  ],
]
const ALL = DAY.reduce((sum, [times]) => sum + times, 0)

/** One call of the day, drawn. */
export function drawCall(): Question {
  let left = Math.random() * ALL
  const [, question] = DAY.find(([times]) => (left -= times) < 0) ?? DAY[0] ?? []
  if (question === undefined) throw new Error('nobody asks anything')
  return question()
}

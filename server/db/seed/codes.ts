import { CODE_GROUP } from '../../../contract/common.ts'
import { BULLET, BULLET_GROUP } from '../../../contract/notices.ts'
import { APPROVAL } from '../../../contract/users.ts'

/** Affiliation of the head office, to which the first administrator belongs. */
export const HEAD_OFFICE = 'BEL001'

/** Code lists of a new installation: group, code, Korean and English name, in the order of selects. */
export const codes: readonly [group: string, code: string, ko: string, en: string][] = [
  [CODE_GROUP.affiliation, HEAD_OFFICE, '본사', 'Head office'],
  [CODE_GROUP.affiliation, 'BEL002', '부산지사', 'Busan branch'],
  [CODE_GROUP.affiliation, 'BEL003', '대전지사', 'Daejeon branch'],
  [CODE_GROUP.affiliation, 'BEL004', '광주지사', 'Gwangju branch'],
  [CODE_GROUP.affiliation, 'BEL005', '기술연구소', 'R&D center'],
  [CODE_GROUP.affiliation, 'BEL006', '공공사업본부', 'Public sector division'],
  [CODE_GROUP.affiliation, 'BEL007', '가족사', 'Affiliated company'],
  [CODE_GROUP.affiliation, 'BEL008', '협력사', 'Partner company'],
  [CODE_GROUP.approval, APPROVAL.approved, '승인', 'Approved'],
  [CODE_GROUP.approval, APPROVAL.notApproved, '미승인', 'Not approved'],
  [BULLET_GROUP, BULLET.notice, '공지', 'Notice'],
  [BULLET_GROUP, BULLET.keyIssue, '키발급', 'Key issue'],
]

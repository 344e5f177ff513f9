import type { AuditAction } from '../../audit-actions.ts'

/** Texts of the audit trail. They come with what shows it, not with every page. */
export const audit = {
  /** What was done, by its name in the trail. */
  actions: {
    'account.login': '로그인',
    'account.logout': '로그아웃',
    'account.check-password': '비밀번호 확인',
    'account.set-password': '비밀번호 변경',
    'account.reset-password': '임시 비밀번호 발급',
    'account.end-sessions': '다른 기기 로그아웃',
    'account.sign-up': '회원가입 신청',
    'user.register': '사용자 등록',
    'user.import': '사용자 일괄 등록',
    'user.approve': '가입 승인',
    'user.refuse': '가입 거절',
    'user.update': '사용자 수정',
    'user.extend': '유효기간 연장',
    'user.suspend': '사용자 정지',
    'user.lift': '사용자 정지 해제',
    'user.withdraw': '사용자 탈퇴',
    'user.export': '사용자 목록 내보내기',
    'setting.update': '포털 설정 변경',
    'setting.test-mail': '테스트 메일 보내기',
    'setting.setup': '설정 안내 상태 변경',
    'role.create': '권한 그룹 추가',
    'role.rename': '권한 그룹 이름 변경',
    'role.grant': '권한 그룹 기능 허용',
    'role.revoke': '권한 그룹 기능 해제',
    'role.remove': '권한 그룹 삭제',
    'partner.create': '파트너 코드 등록',
    'partner.update': '파트너 코드 수정',
    'partner.stop': '파트너 코드 중지',
    'partner.resume': '파트너 코드 중지 해제',
    'partner.delete': '파트너 코드 삭제',
    'partner.export': '파트너 코드 내보내기',
    'key.issue': '키 발급',
    'key.revoke': '키 폐기',
    'key.export': '키 발급 이력 내보내기',
    'service.create': '서비스 토큰 생성',
    'service.revoke': '서비스 토큰 폐기',
    'notice.create': '공지사항 등록',
    'notice.update': '공지사항 수정',
    'notice.delete': '공지사항 삭제',
    'notice.confirm': '공지사항 확인',
    'notice.remind': '공지사항 확인 요청',
    'file.upload': '첨부파일 올리기',
    'file.delete': '첨부파일 삭제',
  } satisfies Record<AuditAction, string> as Record<AuditAction, string>,
}

/** What every language says of the audit trail. */
export type AuditTexts = typeof audit

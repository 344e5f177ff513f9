/** Texts of the bulk changes of users. */
export const userBulk = {
  chosen: (count: string) => `${count}명 선택`,
  all: (count: string) => `검색된 ${count}명 모두 선택`,
  actions: {
    extend: '유효기간 연장',
    role: '권한 변경',
    move: '소속 변경',
    suspend: '사용 정지',
    lift: '정지 해제',
    invite: '초대 재발송',
    withdraw: '탈퇴',
    restore: '탈퇴 취소',
    undo: '되돌리기',
  },
  lead: (count: string) =>
    `선택한 사용자는 ${count}명입니다. 누가 어떻게 바뀌는지 먼저 확인한 후 실행합니다.`,
  next: '확인하기',
  extendHint: '비워 두면 각자의 종료일에서 1년 연장합니다.',
  withdrawCount: (count: string) => `확인을 위해 탈퇴할 사용자 수 ${count} 입력`,
  back: '이전',
  nobody: '변경할 수 있는 사용자가 없습니다.',
  will: {
    extend: (count: string, to: string) =>
      to === ''
        ? `${count}명의 유효기간을 각자의 종료일에서 1년 연장합니다.`
        : `${count}명의 유효기간을 ${to}까지 연장합니다.`,
    role: (count: string, to: string) => `${count}명의 권한을 변경합니다: ${to}`,
    move: (count: string, to: string) => `${count}명의 소속과 파트너 코드를 변경합니다: ${to}`,
    suspend: (count: string, _to: string) =>
      `${count}명의 사용을 정지합니다. 바로 로그아웃됩니다. 정지 해제로 되돌릴 수 있습니다.`,
    lift: (count: string, _to: string) => `${count}명의 사용 정지를 해제합니다. 다시 로그인할 수 있습니다.`,
    invite: (count: string, _to: string) =>
      `${count}명에게 초대 메일을 다시 보냅니다. 이전 초대 링크는 사용할 수 없습니다.`,
    withdraw: (count: string, _to: string) =>
      `${count}명을 탈퇴 처리합니다. 바로 로그아웃됩니다. 30일 안에 취소할 수 있습니다.`,
    restore: (count: string, _to: string) =>
      `${count}명의 탈퇴를 취소합니다. 계정은 탈퇴하기 전의 상태로 돌아가고, 다시 로그인해야 합니다.`,
    undo: (count: string, _to: string) => `${count}명의 값을 일괄 변경 전으로 되돌립니다.`,
  },
  endsTeam: (team: string) => `‘${team}’ 팀에서 빠짐`,
  teamEnds: (count: string) =>
    `소속이 바뀌는 ${count}명은 지금의 주 팀에서 빠집니다. 겸직은 그대로 유지됩니다.`,
  people: '변경할 사용자',
  excluded: '제외할 사용자',
  left: (count: string) => `${count}명은 제외합니다.`,
  number: (count: string) => `${count}명`,
  more: (count: string) => `외 ${count}명`,
  obstacles: {
    OWN: '본인 계정',
    OUT_OF_REACH: '권한 밖의 계정',
    GONE: '탈퇴했거나 아이디가 바뀐 계정',
    NOT_APPROVED: '승인되지 않은 계정',
    LAST_ADMIN: '마지막 관리자',
    STARTS_LATER: '시작일이 더 늦은 계정',
    ALREADY: '이미 적용된 계정',
    NOT_WITHDRAWN: '탈퇴 상태가 아닌 계정',
    TOO_LATE: '탈퇴한 지 30일이 지난 계정',
    EMAIL_TAKEN: '이메일을 다른 계정이 사용 중',
    EMAIL_TWICE: '선택한 다른 계정과 이메일이 같음',
    ADMIN_NEEDED: '더 높은 권한이 필요한 계정',
    NOT_INVITED: '초대 중이 아닌 계정',
    CHANGED_SINCE: '그사이 바뀐 계정',
    FORMER_GONE: '이전 값을 더 이상 사용할 수 없음',
  },
  stale: '그사이 다른 사용자가 변경해 아무것도 처리하지 않았습니다. 다음은 현재 내용입니다.',
  run: {
    extend: (count: string) => `${count}명 연장`,
    role: (count: string) => `${count}명 변경`,
    move: (count: string) => `${count}명 변경`,
    suspend: (count: string) => `${count}명 정지`,
    lift: (count: string) => `${count}명 정지 해제`,
    invite: (count: string) => `${count}명에게 발송`,
    withdraw: (count: string) => `${count}명 탈퇴`,
    restore: (count: string) => `${count}명 탈퇴 취소`,
    undo: (count: string) => `${count}명 되돌리기`,
  },
  done: {
    extend: (count: string) => `${count}명의 유효기간을 연장했습니다.`,
    role: (count: string) => `${count}명의 권한을 변경했습니다.`,
    move: (count: string) => `${count}명의 소속을 변경했습니다.`,
    suspend: (count: string) => `${count}명의 사용을 정지했습니다.`,
    lift: (count: string) => `${count}명의 사용 정지를 해제했습니다.`,
    invite: (count: string) => `${count}명에게 초대 메일을 다시 보냈습니다.`,
    withdraw: (count: string) => `${count}명을 탈퇴 처리했습니다.`,
    restore: (count: string) => `${count}명의 탈퇴를 취소했습니다.`,
    undo: (count: string) => `${count}명의 값을 되돌렸습니다.`,
  },
}

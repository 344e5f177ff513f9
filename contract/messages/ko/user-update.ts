/** Texts of the update of users by a file that differ from those of the import. They load with its page, not with every page. */
export const userUpdate = {
  mode: '작업',
  modes: { register: '신규 등록', update: '기존 사용자 수정' },
  lead: '등록된 사용자를 파일 하나로 수정합니다. 아이디로 사용자를 찾고, 열이 없거나 비어 있는 값은 그대로 둡니다. 먼저 검사만 하고, 잘못된 행이 없을 때 한 번에 수정합니다.',
  notChanged:
    '이메일은 본인의 인증으로만 바뀌고, 아이디와 승인 상태는 파일로 바꿀 수 없습니다. 가려진(*) 전화번호와 이메일은 그대로 둡니다.',
  templateNote: '양식은 사용자 목록의 내보내기 파일입니다. 내려받아 바꿀 값만 고친 후 선택해주세요.',
  toList: '사용자 목록에서 내보내기',
  drop: '내보낸 CSV 또는 엑셀(XLSX) 파일을 여기에 놓거나 선택해주세요. 10,000행, 5MB까지 수정할 수 있습니다.',
  tooLarge: '파일은 5MB까지 사용할 수 있습니다.',
  notTable:
    '파일에서 표를 찾을 수 없습니다. 첫 행에 열 이름이 있는 CSV 또는 XLSX 파일인지 확인하거나, 사용자 목록을 내보내 수정해주세요.',
  noRows: '파일에 수정할 행이 없습니다.',
  onlyExamples: '파일에 수정할 행이 없습니다. 양식의 예시 행은 사용하지 않습니다.',
  examplesLeft: (count: number) => `양식의 예시 행 ${count}개는 사용하지 않습니다.`,
  tooManyRows: '한 번에 10,000행까지 수정할 수 있습니다. 파일을 나누어주세요.',
  unknownColumns: (names: string) => `다음 열은 수정에 사용하지 않습니다: ${names}`,
  ready: (rows: string) => `${rows}행에 오류가 없습니다. 아직 아무것도 수정하지 않았습니다.`,
  wrong: (errors: string, rows: string) =>
    `${rows}행에 오류가 ${errors}개 있습니다. 아무것도 수정하지 않았습니다. 파일을 고친 후 다시 선택해주세요.`,
  counts: (changed: string, unchanged: string) => `수정 ${changed}명, 변경 없음 ${unchanged}명`,
  nobody: '파일의 모든 값이 현재 내용과 같아 수정할 사용자가 없습니다.',
  submit: (count: string) => `${count}명 수정`,
  importing: '수정하는 중입니다.',
  done: (count: string) => `사용자 ${count}명을 수정했습니다.`,
  stale:
    '그사이 다른 사용자가 변경해 아무것도 수정하지 않았습니다. 다음은 현재 내용으로 다시 검사한 결과입니다.',
  managerText: '사용자를 수정하려면 로그인한 관리자 본인의 비밀번호를 입력해주세요.',
  errorsName: '사용자_수정_오류',
  preview: '수정할 사용자',
  changes: '변경 내용',
  none: '(없음)',
  gone: '등록되지 않았거나 탈퇴한 아이디입니다.',
  outOfReach: '권한 밖의 계정입니다.',
  own: '본인 계정은 파일로 수정할 수 없습니다. 내 정보에서 수정해주세요.',
  emailDiffers: '현재 이메일과 다릅니다. 이메일은 본인이 새 주소를 인증해야 바뀝니다.',
  maskedOther: '가려진 값이 현재 값과 맞지 않습니다. 전체 값을 입력하거나 비워주세요.',
  partnerLeft: '이전 소속의 파트너 코드입니다. 비워두면 새 소속의 기본 파트너 코드로 바뀝니다.',
}

/** The texts of the update that every language must have. */
export type UpdateTexts = typeof userUpdate

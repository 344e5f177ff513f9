import type { MailProblem } from '../../settings.ts'

/** The reasons for which a test mail was not sent. They load with the settings page, not with every page. */
export const mailProblems: Record<MailProblem, string> = {
  refused:
    '메일 서버에 연결할 수 없습니다. 서버가 켜져 있는지, 주소와 포트가 맞는지, 방화벽이 막고 있지 않은지 확인해주세요.',
  unknownHost: '메일 서버의 이름을 찾을 수 없습니다. 메일 서버 주소를 확인해주세요.',
  timeout: '메일 서버가 제때 응답하지 않았습니다. 주소와 포트, 방화벽을 확인해주세요.',
  certificate:
    '메일 서버의 인증서를 신뢰할 수 없습니다. 사내 인증 기관의 인증서라면 NODE_EXTRA_CA_CERTS에 지정해주세요.',
  noTls:
    '메일 서버와 암호화 통신을 시작할 수 없습니다. 이 포트의 서버가 선택한 보안 연결을 사용하지 않습니다. 보통 465는 TLS, 587은 STARTTLS입니다. 포트나 보안 연결을 바꾸어 다시 시도해주세요.',
  oldTls:
    '메일 서버와 암호화 통신을 시작할 수 없습니다. 서버가 오래된 TLS 버전이나 약한 암호만 지원합니다. 서버가 TLS 1.2 이상을 사용하도록 설정해주세요.',
  login: '메일 서버가 로그인을 거부했습니다. 사용자 이름과 비밀번호를 확인해주세요.',
  sender: '메일 서버가 보내는 사람의 주소를 거부했습니다. 보내는 사람을 확인해주세요.',
  recipient: '메일 서버가 받는 사람의 주소를 거부했습니다. 주소를 확인해주세요.',
  folder: '메일을 저장할 폴더에 쓸 수 없습니다. DATA_DIR의 권한을 확인해주세요.',
  other: '메일 서버가 메일을 받지 않았습니다.',
}

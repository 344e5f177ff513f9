/**
 * Common Korean passwords that library lists (design/passwords#common-passwords) lack. Written in Hangul; `password-weakness.ts`
 * also derives what a Latin keyboard makes of them.
 */
export const commonKorean: readonly string[] = `
  비밀번호 비번 암호 패스워드 내비밀번호 비밀 비밀이야 몰라 몰라요 까먹음
  안녕 안녕하세요 반갑습니다 감사합니다 고맙습니다 수고하세요 환영합니다 여보세요
  사랑 사랑해 사랑해요 사랑합니다 사랑한다 널사랑해 보고싶어 보고싶다 좋아해 좋아요 행복 행복해 행복하자
  우리집 우리가족 가족 엄마 아빠 엄마아빠 아들 우리아들 우리딸 공주 왕자 자기야 여보 친구 강아지 고양이 멍멍이 야옹이
  대한민국 한국 한국인 코리아 서울 서울시 부산 대구 인천 광주 대전 제주도 독도 태극기 애국가
  가나다라 가나다라마바사 가나다 하나둘셋 일이삼사 무궁화 동해물과 백두산 백두산이 한글 세종대왕 이순신 홍길동
  바보 멍청이 천재 짱 최고 화이팅 파이팅 아자아자 대박 부자되자 로또당첨 천사 악마 예수님 하나님 부처님 할렐루야
  하늘 바다 별 달님 햇님 무지개 나비 호랑이 토끼 곰돌이 뽀로로 짱구 둘리 도라에몽 포켓몬 피카츄
  관리자 관리자님 운영자 사용자 회사 우리회사 사장님 부장님 과장님 개발자 테스트 테스트계정 임시비밀번호 초기비밀번호 변경하세요
`
  .trim()
  .split(/\s+/)

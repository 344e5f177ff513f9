/** The names of provinces and districts without their kind, in the Revised Romanization, as road signs have them. */
const NAMES = `
  가평 Gapyeong, 강남 Gangnam, 강동 Gangdong, 강릉 Gangneung, 강북 Gangbuk, 강서 Gangseo, 강원 Gangwon, 강진 Gangjin,
  강화 Ganghwa, 거제 Geoje, 거창 Geochang, 검단 Geomdan, 경기 Gyeonggi, 경산 Gyeongsan, 경상남 Gyeongsangnam,
  경상북 Gyeongsangbuk, 경주 Gyeongju, 계룡 Gyeryong, 계양 Gyeyang, 고령 Goryeong, 고성 Goseong, 고양 Goyang, 고창 Gochang,
  고흥 Goheung, 곡성 Gokseong, 공주 Gongju, 과천 Gwacheon, 관악 Gwanak, 광명 Gwangmyeong, 광산 Gwangsan, 광양 Gwangyang,
  광주 Gwangju, 광진 Gwangjin, 괴산 Goesan, 구례 Gurye, 구로 Guro, 구리 Guri, 구미 Gumi, 군산 Gunsan, 군위 Gunwi, 군포 Gunpo,
  권선 Gwonseon, 금산 Geumsan, 금정 Geumjeong, 금천 Geumcheon, 기장 Gijang, 기흥 Giheung, 김제 Gimje, 김천 Gimcheon,
  김포 Gimpo, 김해 Gimhae, 나주 Naju, 남 Nam, 남동 Namdong, 남양주 Namyangju, 남원 Namwon, 남해 Namhae, 노원 Nowon,
  논산 Nonsan, 단양 Danyang, 단원 Danwon, 달서 Dalseo, 달성 Dalseong, 담양 Damyang, 당진 Dangjin, 대구 Daegu, 대덕 Daedeok,
  대전 Daejeon, 덕양 Deogyang, 덕진 Deokjin, 도봉 Dobong, 동 Dong, 동남 Dongnam, 동대문 Dongdaemun, 동두천 Dongducheon,
  동래 Dongnae, 동안 Dongan, 동작 Dongjak, 동탄 Dongtan, 동해 Donghae, 마산합포 Masanhappo, 마산회원 Masanhoewon, 마포 Mapo,
  만세 Manse, 만안 Manan, 목포 Mokpo, 무안 Muan, 무주 Muju, 문경 Mungyeong, 미추홀 Michuhol, 밀양 Miryang, 병점 Byeongjeom,
  보령 Boryeong, 보성 Boseong, 보은 Boeun, 봉화 Bonghwa, 부산 Busan, 부산진 Busanjin, 부안 Buan, 부여 Buyeo, 부천 Bucheon,
  부평 Bupyeong, 북 Buk, 분당 Bundang, 사상 Sasang, 사천 Sacheon, 사하 Saha, 산청 Sancheong, 삼척 Samcheok, 상당 Sangdang,
  상록 Sangnok, 상주 Sangju, 서 Seo, 서귀포 Seogwipo, 서대문 Seodaemun, 서북 Seobuk, 서산 Seosan, 서울 Seoul, 서원 Seowon,
  서천 Seocheon, 서초 Seocho, 서해 Seohae, 성남 Seongnam, 성동 Seongdong, 성북 Seongbuk, 성산 Seongsan, 성주 Seongju,
  세종 Sejong, 소사 Sosa, 속초 Sokcho, 송파 Songpa, 수성 Suseong, 수영 Suyeong, 수원 Suwon, 수정 Sujeong, 수지 Suji,
  순창 Sunchang, 순천 Suncheon, 시흥 Siheung, 신안 Sinan, 아산 Asan, 안동 Andong, 안산 Ansan, 안성 Anseong, 안양 Anyang,
  양구 Yanggu, 양산 Yangsan, 양양 Yangyang, 양주 Yangju, 양천 Yangcheon, 양평 Yangpyeong, 여수 Yeosu, 여주 Yeoju,
  연수 Yeonsu, 연제 Yeonje, 연천 Yeoncheon, 영광 Yeonggwang, 영덕 Yeongdeok, 영도 Yeongdo, 영동 Yeongdong,
  영등포 Yeongdeungpo, 영암 Yeongam, 영양 Yeongyang, 영월 Yeongwol, 영종 Yeongjong, 영주 Yeongju, 영천 Yeongcheon,
  영통 Yeongtong, 예산 Yesan, 예천 Yecheon, 오산 Osan, 오정 Ojeong, 옥천 Okcheon, 옹진 Ongjin, 완도 Wando, 완산 Wansan,
  완주 Wanju, 용산 Yongsan, 용인 Yongin, 울릉 Ulleung, 울산 Ulsan, 울주 Ulju, 울진 Uljin, 원미 Wonmi, 원주 Wonju, 유성 Yuseong,
  은평 Eunpyeong, 음성 Eumseong, 의령 Uiryeong, 의성 Uiseong, 의왕 Uiwang, 의정부 Uijeongbu, 의창 Uichang, 이천 Icheon,
  익산 Iksan, 인제 Inje, 인천 Incheon, 일산동 Ilsandong, 일산서 Ilsanseo, 임실 Imsil, 장성 Jangseong, 장수 Jangsu, 장안 Jangan,
  장흥 Jangheung, 전남광주 Jeonnam-Gwangju, 전라남 Jeollanam, 전라북 Jeollabuk, 전북 Jeonbuk, 전주 Jeonju, 정선 Jeongseon,
  정읍 Jeongeup, 제물포 Jemulpo, 제주 Jeju, 제천 Jecheon, 종로 Jongno, 중 Jung, 중랑 Jungnang, 중원 Jungwon,
  증평 Jeungpyeong, 진도 Jindo, 진안 Jinan, 진주 Jinju, 진천 Jincheon, 진해 Jinhae, 창녕 Changnyeong, 창원 Changwon,
  처인 Cheoin, 천안 Cheonan, 철원 Cheorwon, 청도 Cheongdo, 청송 Cheongsong, 청양 Cheongyang, 청원 Cheongwon, 청주 Cheongju,
  춘천 Chuncheon, 충주 Chungju, 충청남 Chungcheongnam, 충청북 Chungcheongbuk, 칠곡 Chilgok, 태백 Taebaek, 태안 Taean,
  통영 Tongyeong, 파주 Paju, 팔달 Paldal, 평창 Pyeongchang, 평택 Pyeongtaek, 포천 Pocheon, 포항 Pohang, 하남 Hanam,
  하동 Hadong, 함안 Haman, 함양 Hamyang, 함평 Hampyeong, 합천 Hapcheon, 해남 Haenam, 해운대 Haeundae, 홍성 Hongseong,
  홍천 Hongcheon, 화성 Hwaseong, 화순 Hwasun, 화천 Hwacheon, 횡성 Hoengseong, 효행 Hyohaeng, 흥덕 Heungdeok`

/** The kind of a region. Cities with the rank of a province have only their name. */
const KINDS: Partial<Record<string, string>> = {
  특별자치도: '-do',
  도: '-do',
  시: '-si',
  군: '-gun',
  구: '-gu',
}

const romanNames = new Map(
  NAMES.split(',').map((pair) => {
    const [korean = '', roman = ''] = pair.trim().split(' ')
    return [korean, roman]
  }),
)

/** Returns the Roman name of a region, e.g. 경기도 as Gyeonggi-do; an unknown name stays unchanged. */
export function regionName(name: string): string {
  return name.split(' ').map(romanWord).join(' ')
}

function romanWord(word: string): string {
  const [, stem = '', kind = ''] =
    /^(.+?)(특별자치도|통합특별시|특별자치시|특별시|광역시|도|시|군|구)$/.exec(word) ?? []
  const roman = romanNames.get(stem)
  return roman === undefined ? word : roman + (KINDS[kind] ?? '')
}

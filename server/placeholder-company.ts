import type { Office } from '../contract/settings.ts'

/** Names of the company, the portal and its offices, in the header and footer. */
export interface Names {
  company: string
  logoText: string
  offices: readonly Office[]
}

/** Placeholders on Korean screens until an administrator sets the names. */
export const PLACEHOLDER: Names = {
  company: '주식회사 마루',
  logoText: '마루',
  offices: [
    { name: '본사', address: '서울특별시 중구 세종대로 110', phone: '02-0000-1000', fax: '02-0000-1001' },
    {
      name: '부산지사',
      address: '부산광역시 연제구 중앙대로 1001',
      phone: '051-000-2000',
      fax: '051-000-2001',
    },
    { name: '대전지사', address: '대전광역시 서구 둔산로 100', phone: '042-000-3000', fax: '042-000-3001' },
    {
      name: '광주지사',
      address: '전남광주통합특별시 서구 내방로 111',
      phone: '062-000-4000',
      fax: '062-000-4001',
    },
  ],
}

/** Placeholders on English screens until an administrator sets the names. */
export const ENGLISH_PLACEHOLDER: Names = {
  company: 'Maru Corporation',
  logoText: 'Maru',
  offices: [
    {
      name: 'Head office',
      address: '110 Sejong-daero, Jung-gu, Seoul',
      phone: '02-0000-1000',
      fax: '02-0000-1001',
    },
    {
      name: 'Busan branch',
      address: '1001 Jungang-daero, Yeonje-gu, Busan',
      phone: '051-000-2000',
      fax: '051-000-2001',
    },
    {
      name: 'Daejeon branch',
      address: '100 Dunsan-ro, Seo-gu, Daejeon',
      phone: '042-000-3000',
      fax: '042-000-3001',
    },
    {
      name: 'Gwangju branch',
      address: '111 Naebang-ro, Seo-gu, Jeonnam-Gwangju',
      phone: '062-000-4000',
      fax: '062-000-4001',
    },
  ],
}

import * as z from 'zod/mini'

/** A province: name and code. */
export const province = z.object({ provinceName: z.string(), provinceCode: z.string() })

/** A district with its WGS84 degrees: X = longitude, Y = latitude (rules/partners#regions). */
export const district = z.object({ districtName: z.string(), longitude: z.number(), latitude: z.number() })

import * as z from 'zod/mini'
import type { ByLanguage, Language } from '../messages/language.ts'

/** A whole number from `min` to `max`. */
interface NumberSetting {
  /** Missing for 0. */
  min?: number
  max: number
  /** True if 0 is allowed below `min` too. */
  isOptional?: boolean
  /** The default, as the column has it. */
  usual: number
  /** Creates the hint from the maximum and the minimum. */
  hint: ByLanguage<(max: number, min: number) => string>
}

/** Returns the bounds of a number as its message names them. */
const rangeOf = ({ min = 0, max, isOptional = false }: NumberSetting) =>
  isOptional ? `0, ${min}~${max}` : `${min}~${max}`

/** Returns the check that a number, also a typed one, is within the bounds of a setting. */
// @__NO_SIDE_EFFECTS__
export const boundsOf = <Value extends number | string>(setting: NumberSetting) =>
  z.refine<Value>(
    (value) => {
      const { min = 0, max, isOptional = false } = setting
      return (Number(value) >= min && Number(value) <= max) || (isOptional && Number(value) === 0)
    },
    `numberRange|${rangeOf(setting)}`,
  )

/** Setting with a fixed list of values, each with its text. */
interface ChoiceSetting {
  choices: Record<string, ByLanguage>
  usual: string
  hint: ByLanguage
}

/**
 * Declaration of a setting, from which schemas, form, cache, response and audit log follow. Its key is the name of the
 * field and, in snake case, of the column.
 */
export type Setting = {
  label: ByLanguage
  /** Environment variable that overrides the setting. */
  variable?: string
} & (NumberSetting | ChoiceSetting)

/** Declarations of settings by name. */
type Settings = Record<string, Setting>

/** Type of the value of a setting. */
type ValueOf<S> = S extends { max: number }
  ? number
  : S extends { choices: infer Choices }
    ? keyof Choices & string
    : never

/** The values of settings by name. */
export type ValuesOf<S> = { -readonly [Name in keyof S]: ValueOf<S[Name]> }

/** The schemas of values that a caller sends. A setting with an environment variable may be left out. */
type InputSchemasOf<S> = {
  -readonly [Name in keyof S]: S[Name] extends { variable: string }
    ? z.ZodMiniOptional<z.ZodMiniType<ValueOf<S[Name]>, ValueOf<S[Name]>>>
    : z.ZodMiniType<ValueOf<S[Name]>, ValueOf<S[Name]>>
}

/** Schemas of values that the server returns. */
type SchemasOf<S> = { -readonly [Name in keyof S]: z.ZodMiniType<ValueOf<S[Name]>, ValueOf<S[Name]>> }

/** Returns the names of settings, in the order of their declaration. */
// @__NO_SIDE_EFFECTS__
export const namesOf = <S extends Settings>(settings: S) => Object.keys(settings) as (keyof S & string)[]

/** Returns a record with a value for each setting, by its name. */
// @__NO_SIDE_EFFECTS__
const mapSettings = <T>(settings: Settings, valueOf: (setting: Setting, name: string) => T) =>
  Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, valueOf(setting, name)]))

/**
 * Returns the schemas that check the values of settings in an input, by name. A setting with an environment variable
 * may be left out.
 */
// @__NO_SIDE_EFFECTS__
export const inputSchemasOf = <S extends Settings>(settings: S) =>
  mapSettings(settings, (setting) => {
    const schema =
      'choices' in setting
        ? z.enum(Object.keys(setting.choices), 'codeFormat')
        : z.number({ error: 'notNumber' }).check(z.int('notNumber'), boundsOf<number>(setting))
    return setting.variable === undefined ? schema : z.optional(schema)
  }) as unknown as InputSchemasOf<S>

/** Returns the schemas of the values of settings in a response, by name. */
// @__NO_SIDE_EFFECTS__
export const outputSchemasOf = <S extends Settings>(settings: S) =>
  mapSettings(settings, (setting) =>
    'choices' in setting ? z.enum(Object.keys(setting.choices)) : z.number(),
  ) as unknown as SchemasOf<S>

/** Returns the default values of settings, by name. */
// @__NO_SIDE_EFFECTS__
export const defaultsOf = <S extends Settings>(settings: S) =>
  mapSettings(settings, ({ usual }) => usual) as ValuesOf<S>

/** Returns the labels of settings in a language, by name. */
// @__NO_SIDE_EFFECTS__
export const labelsOf = <S extends Settings>(settings: S, language: Language) =>
  mapSettings(settings, ({ label }) => label[language]) as Record<keyof S, string>

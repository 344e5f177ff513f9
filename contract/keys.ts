export * from './keys/history.ts'
export * from './keys/issuing.ts'
export * from './keys/services.ts'
export * from './keys/usage.ts'

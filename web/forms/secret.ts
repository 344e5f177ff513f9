/** What no browser keeps. */
const SECRET = /password$|^confirmation$|^certificationCode$/i

/** Whether the field holds what is typed anew each time. */
export const isSecret = (name: string): boolean => SECRET.test(name)

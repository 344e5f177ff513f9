/** True in a bundle, which contains its packages and pages. */
export const IS_BUNDLE: boolean

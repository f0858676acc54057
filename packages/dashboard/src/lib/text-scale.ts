/** Factor by which the user enlarges text, for layouts in pixels. */
export const textScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

/** How much larger than usual the reader wants texts: what is laid out in pixels has to know. */
export const textScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

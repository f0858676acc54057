/** The words of a text, between blanks and line ends. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

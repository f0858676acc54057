const control = /\p{Cc}/u;
const controls = /\p{Cc}+/gu;
const controlBesidesLines = /[^\P{Cc}\t\n\r]/u;
const controlsBesidesLines = /[^\P{Cc}\t\n\r]+/gu;

/**
 * A text without control characters, for whatever reports group and show by. They mean nothing to anyone, and a NUL would
 * end one campaign value and begin the next where the five are folded into one column.
 */
export function cleanLabel(text: string): string {
	return control.test(text) ? text.replace(controls, "") : text;
}

/** A text that may have several lines: tabs and line ends stay. */
export function cleanLines(text: string): string {
	return controlBesidesLines.test(text) ? text.replace(controlsBesidesLines, "") : text;
}

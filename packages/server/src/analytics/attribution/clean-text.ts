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

/** Cuts a text to a number of UTF-16 units without leaving half a character at the end. */
export function cutText(text: string, length: number): string {
	if (text.length <= length) return text;
	const last = text.charCodeAt(length - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/**
 * A label as it is stored: clean, without blanks at its ends, of at most `length` UTF-16 units. The texts of requests lose
 * such blanks too, so that whatever is stored can be asked for.
 */
export function storedLabel(text: string, length: number): string {
	return cutText(cleanLabel(text).trim(), length).trimEnd();
}

/** A text that may have several lines: tabs and line ends stay. */
export function cleanLines(text: string): string {
	return controlBesidesLines.test(text) ? text.replace(controlsBesidesLines, "") : text;
}

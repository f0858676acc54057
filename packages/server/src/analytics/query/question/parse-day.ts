import { BadQuestion } from "./bad-question.ts";

/** A day as a request gives it. Throws `BadQuestion` at the parameter's name for what is none. */
export function parseDay(text: string | undefined, name: string): Temporal.PlainDate | undefined {
	if (text === undefined) return undefined;
	try {
		// A year that begins with a zero is a slip of the hand, and what it is compared with may lie in a year without this form.
		if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) throw new RangeError("not YYYY-MM-DD");
		return Temporal.PlainDate.from(text);
	} catch {
		throw new BadQuestion("Must be a date, YYYY-MM-DD", { at: [name], type: "date" });
	}
}

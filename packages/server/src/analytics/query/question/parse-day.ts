import { BadQuestion } from "./bad-question.ts";

/** A day as a request gives it. Throws `BadQuestion` at the parameter's name for what is none. */
export function parseDay(text: string | undefined, name: string): Temporal.PlainDate | undefined {
	if (text === undefined) return undefined;
	try {
		// A year with a leading zero is a typing error, and its comparison period may lie in a year without this form.
		if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) throw new RangeError("not YYYY-MM-DD");
		return Temporal.PlainDate.from(text);
	} catch {
		throw new BadQuestion("Must be a date, YYYY-MM-DD", { at: [name], type: "date" });
	}
}

import { copyText } from "../../../analytics/attribution/page-address.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";

/** A function of a text that remembers its last answers, at most so many. The text is a copy: a part of one keeps the whole alive. */
export function remembered<Answer>(most: number, answer: (text: string) => Answer): (text: string) => Answer {
	const known = new LruMap<string, { readonly answer: Answer }>(most);
	return (text) => {
		const before = known.get(text);
		if (before !== undefined) return before.answer;
		const own = copyText(text);
		const made = { answer: answer(own) };
		known.set(own, made);
		return made.answer;
	};
}

import { type Compared, lookedAt, type Part, type Sums } from "./week-figures.ts";

/** A value of a dimension in one week. */
interface Value {
	readonly value: string;
	readonly sums: Sums;
}

const none = Object.fromEntries(lookedAt.map((name) => [name, 0])) as Sums;

/**
 * The values of two weeks side by side, those with the most visits before first. A value that a full list does not name has
 * at most as many visits as the last one that it names: it counts as that many, so that nothing is said to have ended that was cut off.
 */
export function joinParts({ now, before }: Compared<readonly Value[]>, most: number): Part[] {
	const last = now.length < most ? 0 : (now.at(-1)?.sums.entrances ?? 0);
	const found = new Map(now.map(({ value, sums }) => [value, sums]));
	const known = new Set(before.map(({ value }) => value));
	const begun = now.filter(({ value }) => !known.has(value));
	return [
		...before.map(({ value, sums }) => ({
			value,
			now: found.get(value) ?? { ...none, entrances: last },
			before: sums,
		})),
		...begun.map(({ value, sums }) => ({ value, now: sums, before: none })),
	];
}

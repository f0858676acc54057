import { variables } from "./variables.ts";

/** A variable that is no setting but looks like one. */
export interface StrangeVariable {
	readonly name: string;
	/** The setting that was probably meant; undefined when none is near. */
	readonly meant: string | undefined;
}

const PREFIX = "FOOTFALL_";
/** Names that the program gives itself. */
const ours = new Set(["FOOTFALL_WRAPPED"]);
/** Short names are near to too much that belongs to others. */
const MIN_LENGTH = 7;

const names: readonly string[] = Object.keys(variables);

/** Variables that begin with `FOOTFALL_` or are misspelt settings; with `isOwnFile`, all that are no settings. */
export function strangeVariables(
	given: readonly string[],
	{ isOwnFile = false }: { readonly isOwnFile?: boolean } = {},
): StrangeVariable[] {
	return given.flatMap((name) => {
		if (names.includes(name) || ours.has(name)) return [];
		const meant = nearest(name);
		return meant !== undefined || name.startsWith(PREFIX) || isOwnFile ? [{ name, meant }] : [];
	});
}

/** Message for the operator about one. */
export const describeStrange = ({ name, meant }: StrangeVariable): string =>
	`${name} is no setting of Footfall${meant === undefined ? "" : `; did you mean ${meant}?`}`;

function nearest(name: string): string | undefined {
	const bare = bareName(name);
	const same = names.find((known) => bareName(known) === bare);
	if (same !== undefined || bare.length < MIN_LENGTH) return same;
	return names.find((known) => known.length >= MIN_LENGTH && isOneEditApart(bareName(known), bare));
}

/** The letters and digits of a name, which may have another case, other dashes and our name in front. */
const bareName = (name: string): string => {
	const upper = name.toUpperCase();
	return (upper.startsWith(PREFIX) ? upper.slice(PREFIX.length) : upper).replace(/[^A-Z0-9]/g, "");
};

/** True when one letter more, less or other, or two that changed places, make one text of the other. */
function isOneEditApart(one: string, other: string): boolean {
	const [short, long] = one.length <= other.length ? [one, other] : [other, one];
	if (long.length - short.length > 1) return false;
	let start = 0;
	while (start < short.length && short[start] === long[start]) start++;
	if (short.length < long.length) return short.slice(start) === long.slice(start + 1);
	if (short.slice(start + 1) === long.slice(start + 1)) return true;
	const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start];
	return isSwapped && short.slice(start + 2) === long.slice(start + 2);
}

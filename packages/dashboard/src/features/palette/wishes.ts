import type { FilterField } from "../site/index.ts";
import { plain } from "./find.ts";

/** A period and the names by which it is asked for. */
export interface NamedPeriod<P extends string> {
	readonly period: P;
	readonly names: readonly string[];
}

/** The typed query: words for values and the period named beside them. */
export interface Wish<P extends string> {
	readonly words: readonly string[];
	readonly period: P | undefined;
}

/** More words than these are no names of values. */
const mostWords = 4;

/** Reads “google mobile last month”: the longest name of a period is taken out, wherever it stands. */
export function readWish<P extends string>(typed: string, periods: readonly NamedPeriod<P>[]): Wish<P> {
	const words = wordsOf(typed);
	const names = periods
		.flatMap(({ period, names: all }) => all.map((name) => ({ period, name: wordsOf(name) })))
		.toSorted((one, other) => other.name.length - one.name.length);
	for (const { period, name } of names) {
		const at = words.findIndex((_, start) => name.every((word, offset) => words[start + offset] === word));
		if (at >= 0) return { period, words: words.toSpliced(at, name.length).slice(0, mostWords) };
	}
	return { period: undefined, words: words.slice(0, mostWords) };
}

const wordsOf = (text: string): readonly string[] => plain(text).split(/\s+/).filter(Boolean);

/** A value that the figures of the site know. */
export interface Candidate {
	readonly field: FilterField;
	readonly value: string;
	/** As people read it. */
	readonly shown: string;
	/** How often it occurs: of values that fit as well the frequent one is meant. */
	readonly weight: number;
}

/** How well a value is what words say; undefined when one of them occurs nowhere in it. Less is better. */
function distance({ value, shown }: Candidate, words: readonly string[]): number | undefined {
	const phrase = words.join(" ");
	const names = [plain(value), plain(shown)];
	if (!names.some((name) => words.every((word) => name.includes(word)))) return undefined;
	if (names.includes(phrase)) return 0;
	if (names.some((name) => name.startsWith(phrase))) return 1;
	return names.some((name) => name.includes(phrase)) ? 2 : 3;
}

/** Ways to cut words into neighbours that belong together, the longer ones first. */
function partitions(words: readonly string[]): readonly (readonly (readonly string[])[])[] {
	if (words.length === 0) return [[]];
	return words
		.flatMap((_, at) => {
			const head = words.slice(0, at + 1);
			return partitions(words.slice(at + 1)).map((rest) => [head, ...rest]);
		})
		.toSorted((one, other) => one.length - other.length);
}

/** How many values are tried for the same words. */
const mostAlternatives = 3;

/** Possible meanings of words: sets of values that match all of them, the likeliest first. */
export function meaningsOf(words: readonly string[], candidates: readonly Candidate[], most: number) {
	const fitting = (group: readonly string[]) =>
		candidates
			.flatMap((candidate) => {
				const at = distance(candidate, group);
				return at === undefined ? [] : [{ candidate, at }];
			})
			.toSorted((one, other) => one.at - other.at || other.candidate.weight - one.candidate.weight)
			.map(({ candidate }) => candidate);
	const found = new Map<string, readonly Candidate[]>();
	for (const groups of words.length === 0 ? [] : partitions(words)) {
		const values = groups.map(fitting);
		const best = values.flatMap(([first]) => first ?? []);
		if (best.length < groups.length) continue;
		const limit = groups.length === 1 ? most : mostAlternatives;
		const others = values.flatMap((all, at) => all.slice(1, limit).map((one) => best.with(at, one)));
		for (const meaning of [best, ...others]) {
			// The same value twice says no more than once.
			const key = meaning.map(({ field, value }) => `${field} ${value}`).sort();
			if (new Set(key).size === key.length && !found.has(key.join("\n"))) found.set(key.join("\n"), meaning);
		}
	}
	return [...found.values()].slice(0, most);
}

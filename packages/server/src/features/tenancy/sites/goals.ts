import { canonicalPath } from "../../../analytics/attribution/canonical-path.ts";
import { storedLabel } from "../../../analytics/attribution/clean-text.ts";
import { compileWildcards, type TextTest } from "../../../analytics/attribution/search-pattern.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { randomLowerAlphanumeric } from "../../../platform/lib/ids.ts";

export const goalKinds = ["page", "event"] as const;
export const goalCounts = ["conversion", "microconversion"] as const;

/** A page or event of a site that counts as a conversion without a call, as stored and on the wire. */
export interface SiteGoal {
	readonly id: string;
	readonly name: string;
	readonly kind: (typeof goalKinds)[number];
	readonly pattern: string;
	readonly counts_as: (typeof goalCounts)[number];
	readonly conversion_type: string;
	readonly amount: number;
}

/** One as it is given: without an id where it is new. */
export type NewGoal = Omit<SiteGoal, "id"> & { readonly id?: string };

/** A goal with the test of what it counts: the stored path of a page view, or the type of a micro-conversion. */
export interface GoalMatcher extends SiteGoal {
	readonly matches: TextTest;
}

export const readGoals = (stored: string): SiteGoal[] => JSON.parse(stored);

/** A goal in the audit log: `/thank-you: conversion order, 12.5`. */
export const describeGoal = ({ pattern, counts_as, conversion_type, amount }: SiteGoal): string =>
	`${pattern}: ${counts_as} ${conversion_type}${amount === 0 ? "" : `, ${amount}`}`;

/** Goals that the collector can test hits with. */
export const matchersOf = (goals: readonly SiteGoal[]): readonly GoalMatcher[] =>
	goals.map((goal) => ({ ...goal, matches: compileWildcards(goal.pattern) }));

/** Goals as they are stored. Throws `validation_error` naming the field. */
export const goalsToStore = (given: readonly NewGoal[]): SiteGoal[] =>
	given.map(({ id = randomLowerAlphanumeric(8), kind, counts_as, amount, ...texts }, index) => {
		const name = storedLabel(texts.name, 100);
		const conversion_type = storedLabel(texts.conversion_type, 100);
		const pattern = kind === "page" ? canonicalPath(texts.pattern.trim()) : storedLabel(texts.pattern, 200);
		const faults: Partial<Record<keyof SiteGoal, string | false>> = {
			id: given.findIndex((goal) => goal.id === id) < index && given[index]?.id === id && "is given twice",
			name: name === "" && "must not be blank",
			pattern:
				!(kind === "page" ? /^[/*]/ : /./).test(pattern) && "must not be blank, and that of a page begins with / or *",
			counts_as: kind === "event" && counts_as !== "conversion" && "must be conversion for an event",
			conversion_type: conversion_type === "" && "must not be blank",
			amount: counts_as !== "conversion" && amount !== 0 && "must be 0: only conversions have an amount",
		};
		for (const [field, message] of Object.entries(faults)) {
			if (message) throw fieldError(`body.goals.${index}.${field}`, message);
		}
		return { id, name, kind, pattern, counts_as, conversion_type, amount };
	});

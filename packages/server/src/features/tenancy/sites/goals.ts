import { type Static, Type } from "typebox";
import { canonicalPath } from "../../../analytics/attribution/canonical-path.ts";
import { storedLabel } from "../../../analytics/attribution/clean-text.ts";
import { compileWildcards, type TextTest } from "../../../analytics/attribution/search-pattern.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { OneOf, Text } from "../../../platform/http/schemas.ts";
import { randomLowerAlphanumeric } from "../../../platform/lib/ids.ts";

const id = () =>
	Type.String({
		pattern: "^[a-z0-9]{8}$",
		examples: ["k3v9x2ab"],
		description: "Given by the service; rows that the goal counted carry it as the property `goal_id`",
	});
const goal = {
	name: Text(1, 100),
	kind: OneOf(["page", "event"], {
		description: "`page`: a page view by its path; `event`: a micro-conversion by its type",
	}),
	pattern: Text(1, 200, {
		description:
			"Path of the page, or type of the micro-conversion, as a whole: `*` stands for any characters but `/`, `**` for any characters",
		examples: ["/thank-you", "/shop/*/done"],
	}),
	counts_as: OneOf(["conversion", "microconversion"], {
		default: "conversion",
		description: "Events count as conversions only",
	}),
	conversion_type: Text(1, 100),
	amount: Type.Number({
		minimum: 0,
		maximum: 1_000_000,
		default: 0,
		description: "Of each conversion, in the site's currency",
	}),
};
const description = "Pages and events that count as a conversion without a call, once a visit, from now on";

/** A page or event of a site that counts as a conversion without a call, as stored and on the wire. */
const Goal = Type.Object({ id: id(), ...goal });
type SiteGoal = Readonly<Static<typeof Goal>>;
export const Goals = Type.Array(Goal, { description });

/** Goals in the body of a change: one without an id is new. */
export const ChangedGoals = Type.Array(Type.Object({ id: Type.Optional(id()), ...goal }), {
	maxItems: 20,
	description: `${description}. The list replaces the one before; a goal without \`id\` is new`,
});

/** A goal with the test of what it counts: the stored path of a page view, or the type of a micro-conversion. */
export interface GoalMatcher extends SiteGoal {
	readonly matches: TextTest;
}

export const readGoals = (stored: string): SiteGoal[] => JSON.parse(stored);

/** A goal in the audit log: `/thank-you: conversion order, 12.5`. */
export const describeGoal = ({ pattern, counts_as, conversion_type, amount }: SiteGoal): string =>
	`${pattern}: ${counts_as} ${conversion_type}${amount === 0 ? "" : `, ${amount}`}`;

export const matchersOf = (goals: readonly SiteGoal[]): readonly GoalMatcher[] =>
	goals.map((goal) => ({ ...goal, matches: compileWildcards(goal.pattern) }));

/** Goals as they are stored. Throws `validation_error` naming the field. */
export const goalsToStore = (given: Static<typeof ChangedGoals>): string =>
	JSON.stringify(
		given.map(({ id = randomLowerAlphanumeric(8), kind, counts_as, amount, ...texts }, index) => {
			const name = storedLabel(texts.name, 100);
			const conversion_type = storedLabel(texts.conversion_type, 100);
			const pattern = kind === "page" ? canonicalPath(texts.pattern.trim()) : storedLabel(texts.pattern, 200);
			const faults: Partial<Record<keyof SiteGoal, string | false>> = {
				id: given.findIndex((goal) => goal.id === id) < index && given[index]?.id === id && "is given twice",
				name: name === "" && "must not be blank",
				pattern:
					!(kind === "page" ? /^[/*]/ : /./).test(pattern) &&
					"must not be blank, and that of a page begins with / or *",
				counts_as: kind === "event" && counts_as !== "conversion" && "must be conversion for an event",
				conversion_type: conversion_type === "" && "must not be blank",
				amount: counts_as !== "conversion" && amount !== 0 && "must be 0: only conversions have an amount",
			};
			for (const [field, message] of Object.entries(faults)) {
				if (message) throw fieldError(`body.goals.${index}.${field}`, message);
			}
			return { id, name, kind, pattern, counts_as, conversion_type, amount };
		}),
	);

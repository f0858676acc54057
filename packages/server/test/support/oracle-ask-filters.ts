import fc from "fast-check";
import { paths, texts } from "./oracle-data.ts";
import type { AskedField, AskedFilter, WrittenCondition, WrittenSegment } from "./oracle-request.ts";

const some = (...choices: string[]) => fc.constantFrom(...choices);

/** Texts that a request may hold: blanks at the ends of others are lost on the way. */
export const sent = texts.filter((text) => text === text.trim());

const hours = fc.integer({ min: 0, max: 23 }).map(String);
const weekdays = fc.integer({ min: 1, max: 7 }).map(String);

/** Values of each field that are compared as a whole. */
export const wholeValues: Readonly<Record<AskedField, fc.Arbitrary<string>>> = {
	path: some(...paths),
	content_grouping: some("", "blog", "shop"),
	landing_page: some(...paths),
	referrer: some("", "google.com", "bücher.example"),
	referrer_domain: some("", "google.com", "t.co"),
	utm_source: some(...sent),
	utm_medium: some("organic", "cpc", ""),
	utm_campaign: some(...sent),
	utm_term: some("", "shoes"),
	utm_content: some("", "banner", "Banner"),
	country: some("es", "US", "unknown"),
	device_type: some("MOBILE", "desktop"),
	browser: some("Chrome", "safari"),
	os: some("Windows", "iOS"),
	channel: some("", "Direct", "direct"),
	channel_group: some("Organic Search", "Direct"),
	conversion_type: some("404", "google", "", "purchase", "sign up", "CAFÉ"),
	hour: hours,
	day_of_week: weekdays,
};

const fields = Object.keys(wholeValues) as AskedField[];
const isNumber = (field: AskedField) => field === "hour" || field === "day_of_week";

/** Parts that values are searched for, by operator. */
export const partValues = {
	contains: some("o", "%_", "\\", "'", "é", ",", "/", ""),
	not_contains: some("o", "%_", "\\", "'", "é", ",", "/", ""),
	starts_with: some("/b", "g", "", "4", "%"),
	ends_with: some("e", "/", "", "É", "ing"),
	regex: some("^g", "e$", "o+", "e.b", "[0-9]{2,}", "^$", "(a|é)"),
	not_regex: some("^g", "e$", "o+", "e.b", "[0-9]{2,}", "^$", "(a|é)"),
} as const;

/** An operator that looks for a part of a value. */
export type PartOperator = keyof typeof partValues;

/** Every operator that looks for a part. */
export const partOperators = Object.keys(partValues) as PartOperator[];

interface Comparing<Whole extends string> {
	readonly field: AskedField;
	readonly operator: Whole | PartOperator | "in" | "not_in";
	readonly values: readonly string[];
}

function comparing<Whole extends string>(whole: readonly Whole[]): fc.Arbitrary<Comparing<Whole>> {
	return fc.constantFrom(...fields).chain((field) => {
		const one = fc.record({ operator: fc.constantFrom(...whole), values: wholeValues[field].map((value) => [value]) });
		const list = fc.record({
			operator: fc.constantFrom("in" as const, "not_in" as const),
			values: fc.array(wholeValues[field], { minLength: 1, maxLength: 3 }),
		});
		const part = fc
			.constantFrom(...partOperators)
			.chain((operator) => partValues[operator].map((value) => ({ operator, values: [value] })));
		const drawn = isNumber(field) ? fc.oneof(one, list) : fc.oneof(one, list, part);
		return drawn.map((rest): Comparing<Whole> => ({ field, ...rest }));
	});
}

/** A random advanced filter. */
export const advancedFilters: fc.Arbitrary<AskedFilter> = comparing(["eq", "ne", "neq"]);

const condition: fc.Arbitrary<WrittenCondition> = comparing(["eq", "neq"]).map(({ field, operator, values }) => ({
	field,
	operator,
	value: operator === "in" || operator === "not_in" ? values : (values[0] ?? ""),
}));

const conditions = fc.array(condition, { maxLength: 2 });
const groups = fc.array(fc.record({ conditions }), { maxLength: 2 });

/** A random segment that is not saved. */
export const writtenSegments: fc.Arbitrary<WrittenSegment> = fc.record({ conditions, groups, not_groups: groups });

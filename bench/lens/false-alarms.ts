// How often the rules of insights fire at traffic in which nothing happens: 90 mornings of sites with the shape of weeks,
// days that differ, growth and chance.
import type { Finding } from "../../packages/server/src/features/delivering/lens/rules/finding.ts";
import { judge } from "../../packages/server/src/features/delivering/lens/rules/judge.ts";
import {
	lookedAt,
	type Part,
	type PartName,
	type Sums,
	type WeekFigures,
} from "../../packages/server/src/features/delivering/lens/rules/week-figures.ts";

/** Mornings that are looked at, after the two weeks that the first one needs. */
const [WATCHED, WARM_UP] = [90, 14];
/** An insight is over when it was not found for so many days, and reported again after so many. */
const [CALM, KEPT] = [7, 30];
const START = Temporal.PlainDate.from("2026-02-02");

/** Numbers from 0 to 1 that are the same at every run (mulberry32). */
export function numbersFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** A normal deviate (Box-Muller). */
const normal = (random: () => number): number =>
	Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** How many of so many expected ones come, by chance. */
function arrivals(expected: number, random: () => number): number {
	if (expected > 50) return Math.max(0, Math.round(expected + Math.sqrt(expected) * normal(random)));
	const limit = Math.exp(-expected);
	let count = 0;
	for (let product = random(); product > limit; product *= random()) count++;
	return count;
}

/** How many of some meet a chance. */
function share(whole: number, chance: number, random: () => number): number {
	if (whole > 500) {
		const deviation = Math.sqrt(whole * chance * (1 - chance));
		return Math.min(whole, Math.max(0, Math.round(whole * chance + deviation * normal(random))));
	}
	let count = 0;
	for (let index = 0; index < whole; index++) if (random() < chance) count++;
	return count;
}

/** Values of each dimension with their share of visits; the remainder goes to values too small for a rule. */
const values: Readonly<Record<PartName, readonly (readonly [value: string, part: number])[]>> = {
	channel_group: [
		["Organic Search", 0.4],
		["Direct", 0.25],
		["Paid Search", 0.15],
		["Referral", 0.08],
		["Organic Social", 0.07],
		["Email", 0.05],
	],
	utm_campaign: [
		["brand", 0.08],
		["shoes", 0.04],
		["newsletter", 0.04],
		["spring", 0.02],
	],
	country: [
		["ES", 0.5],
		["MX", 0.15],
		["AR", 0.1],
		["CO", 0.08],
		["US", 0.05],
		["CL", 0.04],
		["PE", 0.03],
	],
	device_type: [
		["mobile", 0.62],
		["desktop", 0.34],
		["tablet", 0.04],
	],
	landing_page: Array.from({ length: 40 }, (_, index) => [`/page/${index}`, 0.18 / (index + 1)] as const),
	utm_source: [
		["google", 0.5],
		["(direct)", 0.25],
		["facebook", 0.05],
		["newsletter", 0.05],
	],
};
const partNames = Object.keys(values) as PartName[];

/** How visitors of a value differ from the mean: phones convert less. */
const converting = (value: string): number => (value === "mobile" ? 0.8 : value === "desktop" ? 1.3 : 1);

const BOUNCES = 0.52;
const CONVERTS = 0.025;
const ORDER = 60;

type Day = Record<string, Sums>;

/** Sums of so many visits. */
function visitsOf(entrances: number, converts: number, random: () => number): Sums {
	const engaged = share(entrances, 1 - BOUNCES, random);
	const conversions = share(entrances, converts, random);
	let revenue = 0;
	// Order values have a long tail.
	for (let order = 0; order < conversions; order++) revenue += ORDER * Math.exp(0.7 * normal(random) - 0.245);
	return {
		entrances,
		engaged_entrances: engaged,
		page_views: entrances + engaged * 3,
		microconversions: 0,
		conversions,
		revenue,
	};
}

/** The days of a site: all of them by value of each dimension, and the whole under an empty name. */
function traffic(perDay: number, growth: number, random: () => number): Day[] {
	return Array.from({ length: WARM_UP + WATCHED }, (_, index) => {
		const weekday = START.add({ days: index }).dayOfWeek;
		// Weekends have two thirds of the visitors, and no day is like another: one in twenty differs by a quarter and more.
		const ofDay = (weekday > 5 ? 2 / 3 : 1) * Math.exp(0.12 * normal(random)) * growth ** (index / 7);
		const expected = perDay * ofDay * (7 / (5 + 4 / 3));
		// So do the rates of days.
		const rate = CONVERTS * Math.exp(0.1 * normal(random));
		const day: Day = {};
		for (const name of partNames) {
			for (const [value, part] of values[name]) {
				// Each source, country and page has days of its own.
				const own = arrivals(expected * part * Math.exp(0.1 * normal(random)), random);
				day[`${name} ${value}`] = visitsOf(own, rate * converting(value), random);
			}
		}
		const channels = values.channel_group.map(([value]) => day[`channel_group ${value}`]);
		day[""] = addUp(channels.filter((sums) => sums !== undefined));
		return day;
	});
}

const addUp = (some: readonly Sums[]): Sums =>
	Object.fromEntries(lookedAt.map((name) => [name, some.reduce((sum, one) => sum + one[name], 0)])) as Sums;

/** Figures for the rules in the morning after some days. */
function figuresAt(days: readonly Day[], morning: number, random: () => number): WeekFigures {
	const weeks = [days.slice(morning - 7, morning), days.slice(morning - 14, morning - 7)] as const;
	const of = (name: string) => weeks.map((week) => addUp(week.flatMap((day) => day[name] ?? []))) as [Sums, Sums];
	const [now, before] = of("");
	const parts = Object.fromEntries(
		partNames.map((name) => [
			name,
			values[name].map(([value]): Part => {
				const [current, earlier] = of(`${name} ${value}`);
				return { value, now: current, before: earlier };
			}),
		]),
	) as unknown as WeekFigures["parts"];
	const end = START.add({ days: morning - 1 });
	const bots = (hits: number) => ({ hits, suspicious: share(hits, 0.05, random) });
	const accepted = days[morning - 1]?.[""]?.page_views ?? 0;
	return {
		days: {
			now: { start: end.subtract({ days: 6 }), end },
			before: { start: end.subtract({ days: 13 }), end: end.subtract({ days: 7 }) },
		},
		now,
		before,
		daysWithData: days.slice(morning - 14, morning).filter((day) => (day[""]?.page_views ?? 0) > 0).length,
		parts,
		bots: { now: bots(now.page_views), before: bots(before.page_views) },
		lastDay: { hits: accepted, usual: now.page_views / 7 },
		collected: { accepted, rejected: share(accepted, 0.02, random) },
	};
}

/** Insights that a site gets in these mornings, by severity, and the rules of the red ones. */
function insights(days: readonly Day[], random: () => number): Finding[] {
	const told: Finding[] = [];
	const open = new Map<string, { begun: number; seen: number; severity: string }>();
	for (let morning = WARM_UP; morning < WARM_UP + WATCHED; morning++) {
		for (const finding of judge(figuresAt(days, morning, random))) {
			const key = `${finding.rule} ${finding.entity}`;
			const known = open.get(key);
			const isOver = known === undefined || morning - known.seen >= CALM || morning - known.begun >= KEPT;
			const isWorse = known !== undefined && finding.severity === "red" && known.severity !== "red";
			if (isOver || isWorse) told.push(finding);
			const severity = !isOver && known.severity === "red" ? "red" : finding.severity;
			open.set(key, { begun: isOver ? morning : known.begun, seen: morning, severity });
		}
	}
	return told;
}

/** Sites of each size that are looked at, so that what is rare shows. */
const SITES = 40;

const growths = [
	["steady", 1],
	["growing 3 % a week", 1.03],
	["shrinking 3 % a week", 0.97],
] as const;

/** Prints the insights a site and quarter at sites of several sizes, where nothing has happened. */
export function printFalseAlarms(sizes: readonly number[]): void {
	console.log(
		`Insights a site in ${WATCHED} days of usual traffic, looked at every morning (${SITES} sites each): red / yellow / green`,
	);
	console.log(`${"visits a day".padEnd(24)}${sizes.map((size) => String(size).padStart(24)).join("")}`);
	const rules = new Map<string, number>();
	for (const [title, growth] of growths) {
		const cells = sizes.map((size) => {
			const found = Array.from({ length: SITES }, (_, site) => {
				const random = numbersFrom(size * 1000 + site);
				return insights(traffic(size, growth, random), random);
			});
			for (const { rule, severity } of found.flat()) {
				if (severity !== "green") rules.set(`${severity} ${rule}`, (rules.get(`${severity} ${rule}`) ?? 0) + 1);
			}
			const mean = (severity: string) =>
				(found.flat().filter((one) => one.severity === severity).length / SITES).toFixed(2);
			const most = Math.max(...found.map((list) => list.filter(({ severity }) => severity === "red").length));
			return `${mean("red")} / ${mean("yellow")} / ${mean("green")} (${most})`.padStart(24);
		});
		console.log(`${title.padEnd(24)}${cells.join("")}`);
	}
	console.log("In brackets: the most red ones of a site. By rule, over all these sites:");
	for (const [name, count] of [...rules].sort(([, one], [, other]) => other - one)) console.log(`  ${name}: ${count}`);
}

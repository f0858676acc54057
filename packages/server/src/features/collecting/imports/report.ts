import type { Static } from "typebox";
import { DECIMAL_STEPS } from "../../../analytics/model/event-columns.ts";
import {
	type ReportedDimension,
	reportedDimensions,
	type SkippedLine,
	type SkipReason,
	type UnreadCell,
} from "./formats/format.ts";
import type { Report } from "./schemas.ts";

/** Report of an import as it is stored: as the API shows it, with all sums of each day, so that days can be taken out later. */
export type ImportReport = Omit<Static<typeof Report>, "by_day"> & {
	readonly by_day: (ImportTotals & { readonly date: string })[];
};
export type ImportTotals = Static<typeof Report>["totals"];

const counts = ["entrances", "engaged_entrances", "page_views", "microconversions", "conversions"] as const;
type Counts = Record<(typeof counts)[number], number>;

const SAMPLES = 10;
/** Most columns with unreadable cells that are reported; a file may have any number. */
const COLUMNS = 20;
const SHOWN = 40;

export type LeftOut = Pick<SkippedLine, "line" | "file" | "problem">;

/** Adds up what an import holds, while it is read. */
export class ReportBuilder {
	readonly #skipped = new Map<SkipReason, { count: number; readonly lines: number[]; readonly samples: string[] }>();
	readonly #cells = new Map<string, { readonly first: UnreadCell; count: number }>();
	readonly #days = new Map<string, { readonly counts: Counts; revenueSteps: number }>();
	readonly #filled = new Set<ReportedDimension>();
	readonly #warnings = new Set<string>();
	#accepted = 0;

	/** `describe` is asked for the first lines alone. */
	skip(reason: SkipReason, line: number, describe: () => LeftOut): void {
		let of = this.#skipped.get(reason);
		if (of === undefined) {
			of = { count: 0, lines: [], samples: [] };
			this.#skipped.set(reason, of);
		}
		of.count++;
		if (of.lines.length >= SAMPLES) return;
		of.lines.push(line);
		const { file, problem } = describe();
		if (file === undefined && problem === undefined) return;
		of.samples.push(
			`${file === undefined ? "" : `${file}, `}line ${line}${problem === undefined ? "" : `: ${problem}`}`,
		);
	}

	/** A cell counts as nothing; the rest of its row does. */
	skipCell(cell: UnreadCell): void {
		const key = `${cell.file ?? ""}\n${cell.column}`;
		const of = this.#cells.get(key);
		if (of !== undefined) of.count++;
		else if (this.#cells.size < COLUMNS) this.#cells.set(key, { first: cell, count: 1 });
	}

	/** A sentence about each column with cells that cannot be read. */
	get unreadColumns(): readonly string[] {
		return [...this.#cells.values()].map(({ count, first: { file, line, column, text } }) => {
			const where = `${file === undefined ? "" : `${file}, `}column “${column}”`;
			const what = count === 1 ? "one cell cannot be read and counts" : `${count} cells cannot be read and count`;
			return `${where}: ${what} as nothing; the first, on line ${line}, has “${text.slice(0, SHOWN)}”`;
		});
	}

	accept(): void {
		this.#accepted++;
	}

	add(date: string, figures: Partial<ImportTotals>): void {
		let day = this.#days.get(date);
		if (day === undefined) {
			day = { counts: zero(), revenueSteps: 0 };
			this.#days.set(date, day);
		}
		for (const name of counts) day.counts[name] += figures[name] ?? 0;
		day.revenueSteps += Math.round((figures.revenue ?? 0) * DECIMAL_STEPS);
	}

	fill(dimension: ReportedDimension): void {
		this.#filled.add(dimension);
	}

	warn(text: string): void {
		this.#warnings.add(text);
	}

	get dates(): readonly string[] {
		return [...this.#days.keys()].sort();
	}

	report(): ImportReport {
		const days = [...this.#days].map(([date, { counts, revenueSteps }]) => ({
			date,
			...counts,
			revenue: revenueSteps / DECIMAL_STEPS,
		}));
		const skip_reasons = [...this.#skipped].map(([reason, { count, lines, samples }]) => ({
			reason,
			count,
			sample_lines: lines,
			samples,
		}));
		const rows_skipped = skip_reasons.reduce((sum, { count }) => sum + count, 0);
		return {
			rows_read: this.#accepted + rows_skipped,
			rows_accepted: this.#accepted,
			rows_skipped,
			skip_reasons: skip_reasons.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
			...ofDays(days.sort((a, b) => (a.date < b.date ? -1 : 1))),
			dimensions_filled: reportedDimensions.filter((name) => this.#filled.has(name)),
			warnings: [...this.#warnings],
		};
	}
}

const zero = () => Object.fromEntries(counts.map((name) => [name, 0])) as Counts;

export const monthsOf = (days: readonly { readonly date: string }[]): ReadonlySet<string> =>
	new Set(days.map(({ date }) => date.slice(0, 7)));

export function ofDays(
	by_day: ImportReport["by_day"],
): Pick<ImportReport, "date_from" | "date_to" | "totals" | "by_day"> {
	const totals = zero();
	let revenueSteps = 0;
	for (const day of by_day) {
		for (const name of counts) totals[name] += day[name];
		revenueSteps += Math.round(day.revenue * DECIMAL_STEPS);
	}
	return {
		date_from: by_day[0]?.date ?? null,
		date_to: by_day.at(-1)?.date ?? null,
		totals: { ...totals, revenue: revenueSteps / DECIMAL_STEPS },
		by_day,
	};
}

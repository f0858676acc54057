import type { Answer } from "../../api/client.ts";
import { baselineOf } from "../../ui/change/baseline.ts";

/** Overview figures of a site. */
export interface SiteFigures {
	readonly visits: number;
	/** Those of the thirty days before. */
	readonly before: number;
	readonly days: readonly number[];
	/** The first day with data, where it lies after the beginning of those days before. */
	readonly began?: string;
	/** No visit yesterday and today: perhaps nothing arrives any more. */
	readonly isQuiet: boolean;
}

type Overview = Pick<Answer<"GET /stats/overview">, "traffic"> & {
	readonly traffic_change?: { readonly entrances: number };
	readonly entrances_series?: { readonly points: readonly { readonly value: number }[] };
};

/** A site's figures of thirty days. */
export function figuresOf(overview: Overview): SiteFigures {
	const { traffic, traffic_change: earlier, entrances_series: series } = overview;
	const began = baselineOf(overview);
	const visits = traffic.entrances;
	const days = (series?.points ?? []).map(({ value }) => value);
	return {
		visits,
		before: earlier?.entrances ?? 0,
		days,
		isQuiet: days.slice(-2).every((value) => value === 0),
		...(began && { began }),
	};
}

/** A site among others, as far as its place is concerned. */
interface Placed {
	readonly id: string;
	readonly name: string;
}

/** Pinned sites first, in the order in which they were pinned; the others by visits, or by name. */
export function ordered<T extends Placed>(
	sites: readonly T[],
	by: "visits" | "name",
	{ pinned, visits }: { readonly pinned: readonly string[]; readonly visits: ReadonlyMap<string, number> },
): readonly T[] {
	const place = ({ id }: Placed) => {
		const at = pinned.indexOf(id);
		return at === -1 ? pinned.length : at;
	};
	const traffic = ({ id }: Placed) => (by === "visits" ? (visits.get(id) ?? 0) : 0);
	return sites.toSorted(
		(a, b) => place(a) - place(b) || traffic(b) - traffic(a) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
	);
}

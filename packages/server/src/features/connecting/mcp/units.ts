const perCent = "percent, 0-100";
const money = "money";

/** Units of fields that are no plain counts. */
const unitOf: Readonly<Record<string, string>> = {
	revenue: money,
	avg_value: money,
	average_order_value: money,
	bounce_rate: perCent,
	exit_rate: perCent,
	explained: perCent,
	share: "percent of the total change",
	conversion_rate: perCent,
	percentage: perCent,
	drop_off_rate: perCent,
	overall_conversion_rate: perCent,
	pages_per_session: "page views per entrance",
	visit_duration: "seconds per entrance",
};

/** The units of the fields in an answer that are not plain counts; money is in the site's currency. */
export function unitsIn(answer: unknown, currency: string): Record<string, string> {
	const names = new Set<string>();
	collect(answer, names);
	const found = Object.entries(unitOf).filter(([name]) => names.has(name) || names.has(`${name}_prev`));
	return Object.fromEntries(found.map(([name, unit]) => [name, unit === money ? currency : unit]));
}

/** Rows of a list are alike, so the first one stands for all. */
function collect(value: unknown, names: Set<string>): void {
	if (typeof value !== "object" || value === null) return;
	const read: object = Array.isArray(value) ? [value[0]] : value;
	for (const [name, item] of Object.entries(read)) {
		names.add(name.replace(/_series(_compare)?$/, ""));
		collect(item, names);
	}
}

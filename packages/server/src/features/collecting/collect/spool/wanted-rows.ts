import type { RefusedRows } from "./refused-file.ts";

/** Rows of a site that are looked for among text. */
export interface WantedRows {
	readonly siteId: string;
	/** Whether a row of this day that was received at this moment is meant. */
	readonly covers: (date: string, at: number) => boolean;
}

interface Content {
	readonly rows: RefusedRows;
	readonly tsv: Buffer;
}

/** The same without the rows that are meant. */
export function withoutRows({ rows, tsv }: Content, wanted: WantedRows): Content {
	const [site, date, ts] = ["site", "date", "ts"].map((name) => rows.columns.indexOf(name));
	const lines = tsv.toString("latin1").split(/(?<=\n)/);
	const kept = lines.filter((line) => {
		const fields = line.split("\t");
		if (fields[site ?? -1] !== wanted.siteId) return true;
		return !wanted.covers(fields[date ?? -1] ?? "", Number(fields[ts ?? -1]) * 1000 || 0);
	});
	return { rows: { ...rows, rows: kept.length }, tsv: Buffer.from(kept.join(""), "latin1") };
}

/** Whether bytes that are no whole rows any more have one of them in their midst; its time is not known for certain, its day is. */
export function holdsRows(bytes: Buffer, { siteId, covers }: WantedRows): boolean {
	const days = bytes.toString("latin1").matchAll(new RegExp(`(?<![a-z0-9-])${siteId}\t(\\d{4}-\\d\\d-\\d\\d)\t`, "g"));
	return days.some(([, date = ""]) => covers(date, 0));
}

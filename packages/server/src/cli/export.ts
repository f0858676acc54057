import { Option } from "commander";
import { fileContent, type WrittenFormat } from "../analytics/query/files/file-query.ts";
import { siteEvents } from "../analytics/query/files/site-events.ts";
import { ConfigError } from "../platform/config/config.ts";
import { writeAtomic } from "../platform/files/write-atomic.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { plainDate, siteNamed } from "./arguments.ts";
import type { DefineCommand } from "./print-records.ts";
import { withStores } from "./with-stores.ts";

interface ExportOptions {
	readonly site: string;
	readonly format: WrittenFormat;
	readonly out: string;
	readonly from: Temporal.PlainDate;
	readonly to: Temporal.PlainDate;
}

/** `footfall export` */
export const define: DefineCommand = (command) => {
	command
		.requiredOption("--site <id>", "site to export; `footfall sites list` shows all")
		.requiredOption("--out <file>", "file to write; it appears when complete")
		.addOption(
			new Option("--format <name>", "format of the file").choices(["csv", "json", "ndjson", "parquet"]).default("csv"),
		)
		.option(
			"--from <date>",
			"first day, in the site's time zone; default: the first with data",
			plainDate,
			plainDate("1970-01-01"),
		)
		.option("--to <date>", "last day; default: the last with data", plainDate, plainDate("2149-06-06"))
		.action(runExport);
};

async function runExport({ site, format, out, from, to }: ExportOptions): Promise<void> {
	if (Temporal.PlainDate.compare(from, to) > 0) throw new ConfigError("--from is after --to");
	await withStores(async (stores) => {
		await siteNamed(stores.metadata, site);
		const began = systemClock.monotonic();
		const content = fileContent(stores, siteEvents(site, { start: from, end: to }), format);
		const bytes = await writeAtomic(out, content);
		const seconds = ((systemClock.monotonic() - began) / 1000).toFixed(1);
		const rows = content.rows();
		const counted = rows === undefined ? "" : `${rows.toLocaleString("en")} events, `;
		process.stdout.write(`${counted}${bytes.toLocaleString("en")} bytes in ${seconds} s\n`);
	});
}

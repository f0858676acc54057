import { InvalidArgumentError } from "commander";
import { byKind, countJobs, listFailedJobs, retryJob } from "../platform/jobs/job-overview.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { timestampOrNull } from "../platform/lib/timestamp.ts";
import { type DefineCommand, formatTable, type Output, print, withJson } from "./print-records.ts";
import { type Around, onMetadata, withMetadata } from "./with-metadata.ts";

const FAILED_SHOWN = 100;

/** `footfall jobs` */
export const define: DefineCommand = (command) => {
	withJson(command).action(onMetadata(list));
	command.command("retry <id>").description("Retry a failed job").action(retry);
};

async function list({ metadata }: Around, options: Output): Promise<void> {
	const kinds = byKind(await countJobs(metadata));
	const failed = (await listFailedJobs(metadata, FAILED_SHOWN)).map((row) => ({
		id: row.id,
		kind: row.kind,
		attempts: row.attempts,
		failed_at: timestampOrNull(row.finished_at),
		error: row.last_error,
	}));
	const tables = [
		formatTable(kinds, ["kind", "pending", "running", "failed", "done"]),
		...(failed.length === 0 ? [] : ["", formatTable(failed, ["id", "kind", "attempts", "failed_at", "error"])]),
	];
	print(options, { kinds, failed }, tables.join("\n"));
}

async function retry(id: string): Promise<void> {
	const number = Number(id);
	if (!/^\d{1,10}$/.test(id) || number > 2_147_483_647) throw new InvalidArgumentError("Enter the number of a job.");
	await withMetadata(async ({ metadata }) => {
		const isKnown = await retryJob(metadata, number, systemClock.now());
		if (!isKnown) throw new Error(`There is no failed job ${id}`);
		process.stdout.write(`Job ${id} will be retried.\n`);
	});
}

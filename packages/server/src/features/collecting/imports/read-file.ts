import { openFilesAt } from "../../../platform/files/open-file-store.ts";
import { describeFailure } from "../../../platform/jobs/job-failure.ts";
import { BatchWriter } from "./batch-writer.ts";
import { checkContent } from "./formats/file-kind.ts";
import { UnreadableFile } from "./formats/format.ts";
import { importFormats } from "./formats/index.ts";
import type { ChildWish, ReadMessage } from "./read-apart.ts";
import { storedFile } from "./stored-file.ts";

/** Lists of items between two notes of how far the file is read. */
const TELL_EVERY = 16;
type Send = (message: ReadMessage) => Promise<void>;

/** Reads a file as it is wished for, and answers how that ended; `send` resolves when the next message may be made. */
export async function readFile(wish: ChildWish, send: Send): Promise<ReadMessage> {
	try {
		return await read(wish, send);
	} catch (error) {
		if (error instanceof UnreadableFile) return { kind: "unreadable", message: error.message, field: error.field };
		return { kind: "failure", message: describeFailure(error) };
	}
}

async function read(
	{ source, file, filesAt, context, intake: plan, done }: ChildWish,
	send: Send,
): Promise<ReadMessage> {
	const format = importFormats[source];
	if (format === undefined) throw new Error(`No format reads ${source}`);
	let bytes = 0;
	const stored = storedFile({ files: openFilesAt(filesAt) }, file, (read) => {
		bytes = read;
	});
	if (plan === undefined) {
		await checkContent(format, stored, context);
		return { kind: "end", report: undefined };
	}
	// Of a check they would be most of the work.
	const { compileIntake, Intake } = await import("./intake.ts");
	const { addWarnings } = await import("./report-warnings.ts");
	const settings = compileIntake(plan);
	const writer =
		done === undefined
			? undefined
			: new BatchWriter({ done, mostBytes: plan.batchBytes ?? Number.POSITIVE_INFINITY, send });
	const intake = new Intake(settings, writer && ((line, date) => writer.add(line, date)));
	let lists = 0;
	for await (const items of format.read(stored, context)) {
		for (const item of items) {
			intake.take(item);
			if (item.kind !== "skipped" && writer?.countItem()) await writer.flush();
		}
		if (++lists % TELL_EVERY === 0) await send({ kind: "progress", bytes });
	}
	await writer?.finish();
	addWarnings(intake, format, settings);
	return { kind: "end", report: intake.result.report() };
}

import { retryAllRefused, spoolOverview } from "../features/collecting/collect/index.ts";
import { loadConfig } from "../platform/config/config.ts";
import { type DefineCommand, formatTable, type Output, print, withJson } from "./print-records.ts";

/** `footfall spool` */
export const define: DefineCommand = (command) => {
	withJson(command.command("status")).description("Show waiting and refused rows").action(status);
	command.command("retry").description("Retry rows that the event store refused").action(retry);
};

async function status(options: Output): Promise<void> {
	const { waitingBytes, refused } = await spoolOverview(loadConfig(process.env).dataDir);
	const table = refused.length === 0 ? [] : ["", formatTable(refused, ["file", "rows", "state"])];
	const text = [`${waitingBytes} bytes wait for the event store`, ...table].join("\n");
	print(options, { waitingBytes, refused }, text);
}

async function retry(): Promise<void> {
	const files = await retryAllRefused(loadConfig(process.env).dataDir);
	const answer =
		files === 0
			? "There are no refused rows."
			: `The service retries ${files} ${files === 1 ? "file" : "files"} within five seconds, or at its next start.`;
	process.stdout.write(`${answer}\n`);
}

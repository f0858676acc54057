import { fork } from "node:child_process";
import { extname, join } from "node:path";
import { BackupError } from "./backup-error.ts";
import type { WrittenBackup } from "./write-backup.ts";

/** In a package the sources are JavaScript. */
const ENTRY = join(import.meta.dirname, `copy-process${extname(import.meta.filename)}`);

/** Input of a copying process. */
export interface CopyWish {
	readonly dataDir: string;
	readonly id: string;
	/** It may hold a secret, so it is sent as a message and not as an argument, which the process list shows. */
	readonly target: string;
	readonly keep: number;
}

/** Its answer. */
export type CopyAnswer = { readonly written: WrittenBackup } | { readonly failure: string };

/** Writes a snapshot to its target in a process of its own. Throws a `BackupError`. */
export async function copyApart(wish: CopyWish, signal: AbortSignal): Promise<WrittenBackup> {
	const child = fork(ENTRY, [], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"], env: { TZ: "UTC" } });
	const end = () => child.kill("SIGKILL");
	signal.addEventListener("abort", end, { once: true });
	try {
		const answer = await new Promise<CopyAnswer>((resolve) => {
			child.once("message", (message: CopyAnswer) => resolve(message));
			child.once("error", () => resolve({ failure: "The process that writes the backup did not start" }));
			child.once("close", () => resolve({ failure: "The process that writes the backup was ended" }));
			child.send(wish, () => undefined);
		});
		if ("failure" in answer) throw new BackupError(answer.failure);
		return answer.written;
	} finally {
		signal.removeEventListener("abort", end);
	}
}

import { createInterface } from "node:readline/promises";
import { ServiceError } from "../platform/errors/service-error.ts";

/** The pending action, and the word to type for it. */
interface Confirmation {
	/** A sentence without its end: "… would be deleted for good". */
	readonly what: string;
	readonly word: string;
	/** The alternative. */
	readonly instead: string;
}

/**
 * Goes on when the command was given `--yes`, or when the person at the terminal types a word. Throws `bad_request` where nobody
 * can be asked, or something else is typed.
 */
export async function confirm(isMeant: boolean, { what, word, instead }: Confirmation): Promise<void> {
	if (isMeant) return;
	if (!process.stdin.isTTY)
		throw new ServiceError("bad_request", { message: `${what}: confirm with --yes, or ${instead}` });
	const lines = createInterface({ input: process.stdin, output: process.stderr });
	try {
		const typed = await lines.question(`${what}. Type ${word} to continue: `);
		if (typed.trim() !== word) throw new ServiceError("bad_request", { message: "Nothing was deleted" });
	} finally {
		lines.close();
	}
}

import { createInterface } from "node:readline";
import { createInterface as createPrompt } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { ConfigError } from "../platform/config/config.ts";
import { ServiceError } from "../platform/errors/service-error.ts";

/** Resolves with `--yes`, or when the person at the terminal types the word; else throws `bad_request`. `what`: a sentence without its end. */
export async function confirm(
	isMeant: boolean,
	{ what, word, instead }: Readonly<Record<"what" | "word" | "instead", string>>,
): Promise<void> {
	if (isMeant) return;
	if (!process.stdin.isTTY) throw new ServiceError("bad_request", `${what}: confirm with --yes, or ${instead}`);
	const lines = createPrompt({ input: process.stdin, output: process.stderr });
	try {
		const typed = await lines.question(`${what}. Type ${word} to continue: `);
		if (typed.trim() !== word) throw new ServiceError("bad_request", "Nothing was deleted");
	} finally {
		lines.close();
	}
}

interface Terminal {
	readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
	readonly output: NodeJS.WritableStream;
}

const terminal = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** The password that is piped in, or typed twice without echo, trimmed; never an argument, which other users of the machine could see. */
export async function readPassword(options: { passwordStdin?: true }, from = terminal()): Promise<string> {
	if (options.passwordStdin === true) {
		const password = (await text(from.input)).trim();
		if (password === "") throw new ConfigError("No password on standard input");
		return password;
	}
	if (from.input.isTTY !== true) throw new ConfigError("Pipe the password in with --password-stdin");
	const lines = unseenLines(from);
	try {
		const password = (await lines.ask("Password: ")).trim();
		const again = (await lines.ask("Confirm password: ")).trim();
		if (password !== again) throw new ConfigError("The passwords differ");
		return password;
	} finally {
		lines.close();
	}
}

/** Typed lines without echo. */
function unseenLines({ input, output }: Terminal) {
	// In its terminal mode readline switches the terminal's own echo off, and without an output it shows nothing itself.
	const lines = createInterface({ input, terminal: true });
	const typed = lines[Symbol.asyncIterator]();
	lines.once("SIGINT", () => lines.close());
	return {
		async ask(question: string): Promise<string> {
			output.write(question);
			const line = await typed.next();
			output.write("\n");
			if (line.done === true) throw new ConfigError("No password entered");
			return line.value;
		},
		close: () => lines.close(),
	};
}

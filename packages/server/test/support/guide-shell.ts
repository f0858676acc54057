import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Printed } from "./cli.ts";
import { runProgram } from "./command.ts";
import { until } from "./until.ts";

interface Reader {
	readonly cwd: string;
	/** Where the service listens that the guides see at `http://127.0.0.1:3000`. */
	readonly address: string;
	readonly notes: string;
	readonly env: Readonly<Record<string, string>>;
}

/** The doctor's exit code for what it only warns of, such as the machine of the tests whose files lie in memory. */
const WARNED = 1;

/** Input for commands that ask for a password. */
export const guidePassword = "correct horse battery staple 7";

/** Calls of an installed program, and their equivalents in a checkout. */
export const installedCalls: readonly (readonly [RegExp, string])[] = [
	[/^sudo -u footfall \/opt\/footfall\/footfall --env-file \/etc\/footfall\.env /, "./footfall --env-file .env "],
	[/^docker compose -f deploy\/compose\.yaml exec footfall footfall /, "./footfall "],
	[/^docker exec footfall footfall /, "./footfall "],
];

/** A shell in which the commands of guides are given one after the other, as a reader does. */
export class GuideShell {
	readonly #reader: Reader;
	#variables: Readonly<Record<string, string>>;
	#shownKey = "no key was made";

	constructor(reader: Reader) {
		this.#reader = reader;
		this.#variables = reader.env;
	}

	/** Gives a command, and again where the guide tells to wait, until the reader sees what it promises; throws when it fails. */
	async follow(command: string, place: string): Promise<void> {
		const isThere = this.#promises.find(([known]) => known.test(command))?.[1];
		await until(async () => {
			const printed = await this.#give(command);
			if (isThere !== undefined) return printed.code === 0 && isThere(printed);
			const isGood = printed.code === 0 || (printed.code === WARNED && /footfall doctor$/.test(command));
			assert.ok(isGood, `${place}: ${printed.code} ${printed.error}${printed.out}`);
			return true;
		});
	}

	readonly #promises: readonly (readonly [RegExp, (printed: Printed) => boolean])[] = [
		[/^TOKEN=/, () => (this.#variables.TOKEN ?? "") !== ""],
		[/\/event /, ({ out }) => / 204 /.test(out)],
		[/\/stats\/overview/, ({ out }) => JSON.parse(out).data.traffic.entrances === 1],
	];

	/** Exported variables are kept for later commands. */
	async #give(command: string): Promise<Printed> {
		const { cwd, notes } = this.#reader;
		const kept = join(notes, "kept");
		const line = `set -o pipefail -a\n${this.typed(command)}\ncode=$?\nenv -0 > '${kept}'\nexit $code`;
		const around = { cwd, env: this.#variables, input: guidePassword };
		const printed = await runProgram("bash", ["--norc", "-c", line], around);
		const pairs = readFileSync(kept, "utf8")
			.split("\0")
			.filter((pair) => /^(TOKEN|KEY)=/.test(pair));
		this.#variables = { ...this.#variables, ...Object.fromEntries(pairs.map(pairOf)) };
		this.#shownKey = /^token: (svc_\w+)$/m.exec(printed.out)?.[1] ?? this.#shownKey;
		return printed;
	}

	/** The address of this service, the key that was made before, the password when it is asked for. */
	typed(command: string): string {
		const [pattern, here = ""] = installedCalls.find(([known]) => known.test(command)) ?? [/^/];
		const asksPassword = /footfall .*users (create|password)\b/.test(command) && !command.includes("--password-stdin");
		return command
			.replace(pattern, here)
			.replaceAll("http://127.0.0.1:3000", this.#reader.address)
			.replace("svc_…", this.#shownKey)
			.concat(asksPassword ? " --password-stdin" : "");
	}
}

const pairOf = (line: string): [string, string] => {
	const equals = line.indexOf("=");
	return [line.slice(0, equals), line.slice(equals + 1)];
};

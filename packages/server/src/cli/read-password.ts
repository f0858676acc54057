import { text } from "node:stream/consumers";
import { ConfigError } from "../platform/config/config.ts";

/**
 * The password that is piped in; never an argument, which other users of the machine could see. Blanks at its ends go, as
 * they do where it is typed to sign in.
 */
export async function readPassword(options: { passwordStdin?: true }): Promise<string> {
	if (options.passwordStdin !== true) throw new ConfigError("--password-stdin is needed: pipe the password in");
	const password = (await text(process.stdin)).trim();
	if (password === "") throw new ConfigError("No password came in on standard input");
	return password;
}

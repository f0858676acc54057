import { Command } from "commander";
import packageInfo from "../../package.json" with { type: "json" };
import { ServiceError } from "../platform/errors/service-error.ts";
import type { DefineCommand } from "./print-records.ts";
import { type DataNeed, settleSettings } from "./settle-settings.ts";

/** A sub-command of `footfall`; its file is loaded only when it is called. */
interface CliCommand {
	readonly name: string;
	readonly summary: string;
	readonly load: () => Promise<{ readonly define: DefineCommand }>;
}

/** A command without options. */
const doing = (work: () => Promise<void>): CliCommand["load"] => {
	const define: DefineCommand = (command) => void command.action(work);
	return async () => ({ define });
};

const commands: readonly CliCommand[] = [
	{
		name: "start",
		summary: "Run the service",
		load: doing(async () => (await import("../main.ts")).main(process.env)),
	},
	{
		name: "migrate",
		summary: "Bring the stores up to date",
		load: doing(async () => {
			const { withStores } = await import("./with-stores.ts");
			await withStores(async () => undefined);
			process.stdout.write("The stores are up to date.\n");
		}),
	},
	{ name: "config", summary: "Print and check the effective settings", load: () => import("./config.ts") },
	{ name: "doctor", summary: "Check the installation, with a fix for each problem", load: () => import("./doctor.ts") },
	{ name: "users", summary: "Create, list, activate and deactivate users", load: () => import("./users.ts") },
	{ name: "sites", summary: "Create, show, change and check sites", load: () => import("./sites.ts") },
	{ name: "tokens", summary: "Create, list and revoke API tokens", load: () => import("./tokens.ts") },
	{
		name: "provision-keys",
		summary: "Create, list and revoke provision keys",
		load: () => import("./provision-keys.ts"),
	},
	{ name: "jobs", summary: "Show waiting, running and failed jobs", load: () => import("./jobs.ts") },
	{
		name: "secret",
		summary: "Accept the current SECRET_KEY when the previous one is lost",
		load: () => import("./secret.ts"),
	},
	{ name: "spool", summary: "Show waiting and refused rows, and retry them", load: () => import("./spool.ts") },
	{ name: "export", summary: "Write every event of a site to a file", load: () => import("./export.ts") },
	{ name: "import", summary: "Import a file of another tool into a site", load: () => import("./import.ts") },
	{ name: "backup", summary: "Back up all data, also while the service runs", load: () => import("./backup.ts") },
	{
		name: "verify",
		summary: "Verify that a backup is intact",
		load: async () => (await import("./restore.ts")).verifying,
	},
	{ name: "restore", summary: "Restore a backup into an empty data directory", load: () => import("./restore.ts") },
	{
		name: "move",
		summary: "Move to PostgreSQL and ClickHouse while hits are taken, and back",
		load: () => import("./move.ts"),
	},
	{ name: "seed", summary: "Fill a site with demonstration data", load: () => import("./seed.ts") },
	{
		name: "openapi",
		summary: "Print the API description",
		load: doing(async () => {
			const { openApiText } = await import("../composition/openapi-text.ts");
			process.stdout.write(await openApiText());
		}),
	},
];

/** Commands that work without data, or make a new directory for it; all others want one that holds data. */
const dataNeeds: Readonly<Record<string, DataNeed>> = {
	start: "start",
	"users create": "may-be-new",
	config: "none",
	"config check": "none",
	openapi: "none",
	doctor: "none",
	verify: "elsewhere",
	restore: "elsewhere",
};

export async function runCli(args: readonly string[]): Promise<void> {
	const program = new Command("footfall")
		.description("First-party, cookie-free web analytics")
		.version(packageInfo.version)
		.option("--env-file <file>", "file of settings, one NAME=value a line; default: .env beside the data directory")
		.showHelpAfterError("(footfall --help lists the commands)");
	const named = args.find((word) => commands.some(({ name }) => name === word));
	for (const { name, summary, load } of commands) {
		const command = program.command(name).description(summary);
		if (name === named) (await load()).define(command);
	}
	program.hook("preAction", (_program, command) => {
		const need = dataNeeds[pathOf(command)] ?? "existing";
		const lines = settleSettings({ env: process.env, cwd: process.cwd(), envFile: program.opts().envFile, need });
		for (const line of lines) process.stderr.write(`${line}\n`);
	});
	try {
		await program.parseAsync(args, { from: "user" });
	} catch (error) {
		if (!(error instanceof Error) || isDefect(error)) throw error;
		process.stderr.write(`${inOneLine(error)}\n`);
		process.exitCode = 1;
	}
}

/** The words by which a command is called, such as `users create`. */
const pathOf = (command: Command): string =>
	command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();

/** Mistakes of the program keep their stack; all else is for the operator to mend. */
const isDefect = (error: Error): boolean => ["TypeError", "ReferenceError", "SyntaxError"].includes(error.name);

function inOneLine(error: Error): string {
	const fields = error instanceof ServiceError ? (error.detail ?? []) : [];
	const details = fields.map(({ field, message }) => `${field.replace(/^body\./, "")} ${message}`);
	const code = (error.cause as { code?: unknown } | undefined)?.code;
	return [error.message, ...details, ...(typeof code === "string" ? [code] : [])].join(": ");
}

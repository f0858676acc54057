import { Command } from "commander";
import packageInfo from "../../package.json" with { type: "json" };
import { ServiceError } from "../platform/errors/service-error.ts";
import type { CliCommand } from "./command.ts";
import { type DataNeed, settleSettings } from "./settle-settings.ts";

const commands: readonly CliCommand[] = [
	{ name: "start", summary: "Run the service", load: async () => (await import("./start.ts")).defineStart },
	{
		name: "migrate",
		summary: "Bring the stores up to date",
		load: async () => (await import("./migrate.ts")).defineMigrate,
	},
	{
		name: "config",
		summary: "Print and check the effective settings",
		load: async () => (await import("./config.ts")).defineConfig,
	},
	{
		name: "doctor",
		summary: "Check the installation, with a fix for each problem",
		load: async () => (await import("./doctor.ts")).defineDoctor,
	},
	{
		name: "users",
		summary: "Create, list, activate and deactivate users",
		load: async () => (await import("./users.ts")).defineUsers,
	},
	{
		name: "sites",
		summary: "Create, show, change and check sites",
		load: async () => (await import("./sites.ts")).defineSites,
	},
	{
		name: "tokens",
		summary: "Create, list and revoke API tokens",
		load: async () => (await import("./tokens.ts")).defineTokens,
	},
	{
		name: "provision-keys",
		summary: "Create, list and revoke provision keys",
		load: async () => (await import("./provision-keys.ts")).defineProvisionKeys,
	},
	{
		name: "jobs",
		summary: "Show waiting, running and failed jobs",
		load: async () => (await import("./jobs.ts")).defineJobs,
	},
	{
		name: "secret",
		summary: "Accept the current SECRET_KEY when the previous one is lost",
		load: async () => (await import("./secret.ts")).defineSecret,
	},
	{
		name: "spool",
		summary: "Show waiting and refused rows, and retry them",
		load: async () => (await import("./spool.ts")).defineSpool,
	},
	{
		name: "export",
		summary: "Write every event of a site to a file",
		load: async () => (await import("./export.ts")).defineExport,
	},
	{
		name: "import",
		summary: "Import a file of another tool into a site",
		load: async () => (await import("./import.ts")).defineImport,
	},
	{
		name: "backup",
		summary: "Back up all data, also while the service runs",
		load: async () => (await import("./backup.ts")).defineBackup,
	},
	{
		name: "verify",
		summary: "Verify that a backup is intact",
		load: async () => (await import("./restore.ts")).defineVerify,
	},
	{
		name: "restore",
		summary: "Restore a backup into an empty data directory",
		load: async () => (await import("./restore.ts")).defineRestore,
	},
	{
		name: "move",
		summary: "Move to PostgreSQL and ClickHouse while hits are taken, and back",
		load: async () => (await import("./move.ts")).defineMove,
	},
	{
		name: "seed",
		summary: "Fill a site with demonstration data",
		load: async () => (await import("./seed.ts")).defineSeed,
	},
	{
		name: "openapi",
		summary: "Print the API description",
		load: async () => (await import("./openapi.ts")).defineOpenApi,
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

/** Runs `footfall` with the arguments after its name; sets the exit code. */
export async function runCli(args: readonly string[]): Promise<void> {
	const program = new Command("footfall")
		.description("First-party, cookie-free web analytics")
		.version(packageInfo.version)
		.option("--env-file <file>", "file of settings, one NAME=value a line; default: .env beside the data directory")
		.showHelpAfterError("(footfall --help lists the commands)");
	const named = args.find((word) => commands.some(({ name }) => name === word));
	for (const { name, summary, load } of commands) {
		const command = program.command(name).description(summary);
		if (name === named) (await load())(command);
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

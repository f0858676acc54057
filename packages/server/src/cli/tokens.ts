import { Option } from "commander";
import { type KeyScope, keyScopes, reachableSites } from "../access/index.ts";
import { systemActor } from "../features/auditing/audit-log/index.ts";
import {
	createToken,
	listTokens,
	presentToken,
	revokeToken,
	type TokenRow,
} from "../features/people/api-tokens/index.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { wholeNumber } from "./arguments.ts";
import { type DefineCommand, type Output, printRecord, printRecords, withJson } from "./print-records.ts";
import { userByEmail } from "./users.ts";
import { type Around, onMetadata } from "./with-metadata.ts";

interface Common extends Output {
	readonly user: string;
}
interface CreateOptions extends Common {
	readonly name: string;
	readonly scope?: readonly KeyScope[];
	readonly site?: readonly string[];
	readonly expiresInDays?: number;
}

/** `footfall tokens` */
export const define: DefineCommand = (command) => {
	withJson(command.command("create"))
		.description("Create an API token; it is printed only once")
		.requiredOption("--user <email>", "owner")
		.requiredOption("--name <name>", "name of the token")
		.addOption(new Option("--scope <scope...>", "scopes; default: stats:read").choices(keyScopes))
		.option("--site <site...>", "sites it can read; default: all sites of the owner")
		.option("--expires-in-days <n>", "1 to 365; default: never", wholeNumber(1, 365))
		.action(onMetadata(create));
	withJson(command.command("list"))
		.description("List a user's tokens")
		.requiredOption("--user <email>", "owner")
		.option("--all", "include revoked and expired tokens")
		.action(onMetadata(list));
	withJson(command.command("revoke <id>"))
		.description("Revoke a token immediately")
		.requiredOption("--user <email>", "owner")
		.action(onMetadata(revoke));
};

async function describe(metadata: Metadata, row: TokenRow) {
	return presentToken(row, await reachableSites(metadata, row.user_id), systemClock.now());
}

async function create({ metadata }: Around, options: CreateOptions): Promise<void> {
	const owner = await userByEmail(metadata, options.user);
	const { row, value } = await createToken(
		{ metadata, clock: systemClock },
		{ userId: owner.id, actor: systemActor },
		{
			name: options.name,
			scopes: options.scope ?? ["stats:read"],
			siteIds: options.site ?? null,
			expiresInDays: options.expiresInDays ?? null,
		},
	);
	printRecord({ ...(await describe(metadata, row)), token: value }, options);
}

async function list({ metadata }: Around, options: Common & { readonly all?: true }): Promise<void> {
	const owner = await userByEmail(metadata, options.user);
	const filter = { includeInactive: options.all === true, nowMs: systemClock.now() };
	const records = [];
	for (const row of await listTokens(metadata, owner.id, filter)) records.push(await describe(metadata, row));
	const columns = ["id", "name", "token_prefix", "scopes", "account_ids", "is_active", "last_used_at"];
	printRecords(records, { columns, ...options });
}

async function revoke({ metadata }: Around, id: string, options: Common): Promise<void> {
	const owner = await userByEmail(metadata, options.user);
	const row = await revokeToken(
		{ metadata, clock: systemClock },
		{ userId: owner.id, actor: systemActor },
		wholeNumber(1, 2_147_483_647)(id),
	);
	printRecord(await describe(metadata, row), options);
}

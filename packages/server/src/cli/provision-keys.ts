import { InvalidArgumentError } from "commander";
import {
	createProvisionKey,
	listProvisionKeys,
	presentProvisionKey,
	revokeProvisionKey,
} from "../features/tenancy/provisioning/index.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { type DefineCommand, type Output, printRecord, printRecords, withJson } from "./print-records.ts";
import { type Around, onMetadata, withMetadata } from "./with-metadata.ts";

/** `footfall provision-keys` */
export const define: DefineCommand = (command) => {
	withJson(command.command("create"))
		.description("Create a key for POST /provision; it is printed only once")
		.requiredOption("--channel <name>", "channel that uses the key; stored with every site it creates")
		.action(onMetadata(create));
	withJson(command.command("list").description("All stored keys")).action(onMetadata(list));
	withJson(command.command("revoke <id>"))
		.description("Revoke a key immediately; sites it created stay")
		.action(revoke);
};

async function create({ metadata }: Around, options: Output & { readonly channel: string }): Promise<void> {
	const { row, value } = await createProvisionKey({ metadata, clock: systemClock }, options.channel);
	printRecord({ ...presentProvisionKey(row), key: value }, options);
}

async function list({ metadata }: Around, options: Output): Promise<void> {
	const columns = ["id", "channel", "key_prefix", "is_active", "created_at"];
	printRecords((await listProvisionKeys(metadata)).map(presentProvisionKey), { columns, ...options });
}

async function revoke(id: string, options: Output): Promise<void> {
	if (!/^[1-9]\d{0,8}$/.test(id)) throw new InvalidArgumentError("Enter a whole number as id.");
	await withMetadata(async ({ metadata }) => {
		const row = await revokeProvisionKey({ metadata, clock: systemClock }, Number(id));
		printRecord(presentProvisionKey(row), options);
	});
}

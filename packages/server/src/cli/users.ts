import { reachableSites } from "../access/index.ts";
import { organizationEndings } from "../composition/organization-endings.ts";
import { systemActor } from "../features/auditing/audit-log/index.ts";
import { endGrantsOf } from "../features/connecting/oauth/index.ts";
import { deactivateUser, replacePassword } from "../features/people/auth/index.ts";
import { switchOffTwoFactor } from "../features/people/two-factor/index.ts";
import { findUserByEmail, listUsers, presentUser, type UserRow } from "../features/people/users/index.ts";
import { addUser, changeUser } from "../features/tenancy/user-administration/index.ts";
import { deleteUser } from "../features/tenancy/user-removal/index.ts";
import { ServiceError } from "../platform/errors/service-error.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { type DefineCommand, type Output, printRecord, printRecords, withJson } from "./print-records.ts";
import { confirm, readPassword } from "./prompts.ts";
import { type Around, onMetadata, withMetadata } from "./with-metadata.ts";

interface CreateOptions extends Output {
	readonly email: string;
	readonly name: string;
	readonly superadmin?: true;
	readonly passwordStdin?: true;
}
interface DeleteOptions extends Output {
	readonly yes?: true;
}
/** `footfall users` */
export const define: DefineCommand = (command) => {
	withJson(command.command("create"))
		.description("Create a user with a verified address")
		.requiredOption("--email <address>", "address to sign in with")
		.requiredOption("--name <name>", "name of the person")
		.option("--superadmin", "administrator of this server")
		.option("--password-stdin", "read the password from standard input instead of asking for it")
		.action(create);
	withJson(command.command("list").description("All users")).action(onMetadata(list));
	withJson(command.command("password <email>"))
		.description("Set a new password; ends the user's sessions and revokes connected apps")
		.option("--password-stdin", "read the password from standard input instead of asking for it")
		.action(password);
	withJson(command.command("disable-2fa <email>"))
		.description("Disable two-factor authentication of a user who lost phone and backup codes")
		.action(onMetadata(disableSecondFactor));
	withJson(command.command("deactivate <email>"))
		.description("Deactivate a user immediately; sites and data stay")
		.action(onMetadata(deactivate));
	withJson(command.command("activate <email>")).description("Reactivate a user").action(onMetadata(activate));
	withJson(command.command("delete <email>"))
		.description("Delete a user permanently, with organizations that have no other members")
		.option("--yes", "delete without asking; this cannot be undone")
		.action(onMetadata(remove));
};

/** The user with this address; throws `user_not_found`. */
export async function userByEmail(metadata: Metadata, email: string): Promise<UserRow> {
	const user = await findUserByEmail(metadata, email);
	if (user === undefined) throw new ServiceError("user_not_found", `There is no user ${email}`);
	return user;
}

async function describe(metadata: Metadata, user: UserRow) {
	const sites = await reachableSites(metadata, user.id);
	return presentUser(
		user,
		sites.map(({ id }) => id),
	);
}

async function create(options: CreateOptions): Promise<void> {
	const given = await readPassword(options);
	await withMetadata(async ({ metadata }) => {
		const { email, name, superadmin } = options;
		const role = superadmin === true ? "superadmin" : "user";
		const input = { email, name, role, password: given, siteIds: [] } as const;
		const user = await addUser({ metadata, clock: systemClock }, input, systemActor);
		printRecord(await describe(metadata, user), options);
	});
}

async function list({ metadata }: Around, options: Output): Promise<void> {
	const records = [];
	for (const user of await listUsers(metadata)) records.push(await describe(metadata, user));
	printRecords(records, { columns: ["id", "email", "name", "role", "is_active", "last_login_at"], ...options });
}

async function password(email: string, options: Output & { readonly passwordStdin?: true }): Promise<void> {
	const given = await readPassword(options);
	await withMetadata(async ({ metadata }) => {
		const user = await userByEmail(metadata, email);
		const ended = await replacePassword({ metadata, clock: systemClock }, user, given, {
			actor: systemActor,
			action: "user.password_reset",
			field: "body.password",
			endGrants: (trx, nowMs) => endGrantsOf(trx, { userId: user.id, actor: systemActor, nowMs }),
		});
		printRecord({ email: user.email, sessions_terminated: ended }, options);
	});
}

async function disableSecondFactor({ metadata }: Around, email: string, options: Output): Promise<void> {
	const user = await userByEmail(metadata, email);
	await switchOffTwoFactor({ metadata, clock: systemClock }, user, systemActor);
	printRecord({ email: user.email, two_factor_enabled: false }, options);
}

async function deactivate({ metadata }: Around, email: string, options: Output): Promise<void> {
	const user = await userByEmail(metadata, email);
	const ended = await deactivateUser({ metadata, clock: systemClock }, user, systemActor);
	printRecord({ email: user.email, is_active: false, sessions_terminated: ended }, options);
}

async function activate({ metadata }: Around, email: string, options: Output): Promise<void> {
	const { id } = await userByEmail(metadata, email);
	const user = await changeUser({ metadata, clock: systemClock }, id, { isActive: true }, systemActor);
	printRecord({ email: user.email, is_active: true }, options);
}

async function remove({ metadata }: Around, email: string, options: DeleteOptions): Promise<void> {
	const user = await userByEmail(metadata, email);
	await confirm(options.yes === true, {
		what: `${user.email} (${user.name}) would be deleted permanently`,
		word: user.email,
		instead: "deactivate the user with users deactivate",
	});
	// A running service sees within five seconds that sites ended.
	const deps = { metadata, clock: systemClock, sites: { refresh: async () => {} } };
	const organizations = await deleteUser({ ...deps, endings: organizationEndings, endGrantsOf }, user, systemActor);
	printRecord({ email: user.email, deleted: true, organizations_deleted: organizations }, options);
}

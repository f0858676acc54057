import { InvalidArgumentError } from "commander";
import { listUsers, type UserRow } from "../features/people/users/index.ts";
import { findSite, type SiteRow } from "../features/tenancy/sites/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { userByEmail } from "./users.ts";

/** Collects an option that may be repeated. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, value];

export function plainDate(text: string): Temporal.PlainDate {
	try {
		return Temporal.PlainDate.from(text);
	} catch {
		throw new InvalidArgumentError("Enter a date such as 2026-11-20.");
	}
}

export const wholeNumber =
	(least: number, most: number) =>
	(text: string): number => {
		const value = Number(text);
		if (/^\d+$/.test(text) && value >= least && value <= most) return value;
		throw new InvalidArgumentError(`Enter a whole number from ${least} to ${most}.`);
	};

export function currencyCode(text: string): string {
	if (/^[A-Za-z]{3}$/.test(text)) return text.toUpperCase();
	throw new InvalidArgumentError("Enter an ISO 4217 code such as EUR.");
}

export function siteName(text: string): string {
	const name = text.trim();
	if (name !== "" && name.length <= 255 && !/\p{Cc}/u.test(name)) return name;
	throw new InvalidArgumentError("Enter a name of 1 to 255 characters.");
}

/** The site with this id; throws `ConfigError`. */
export async function siteNamed(metadata: Metadata, id: string): Promise<SiteRow> {
	const site = await findSite(metadata, id);
	if (site === undefined) throw new ConfigError(`There is no site ${id}; \`footfall sites list\` shows all`);
	return site;
}

/** The user with this address, or the first superadmin without one; throws `user_not_found` and `ConfigError`. */
export async function siteOwner(metadata: Metadata, email?: string): Promise<UserRow> {
	if (email !== undefined) return userByEmail(metadata, email);
	const users = await listUsers(metadata);
	const first = users.find(({ role, is_active: isActive }) => role === "superadmin" && isActive === 1);
	if (first === undefined) throw new ConfigError("There is no superadmin yet: create one with `footfall users create`");
	return first;
}

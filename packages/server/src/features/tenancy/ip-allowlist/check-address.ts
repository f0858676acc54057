import { fieldError } from "../../../platform/errors/service-error.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { compileAddressList } from "./address-list.ts";
import { settingsOf } from "./settings.ts";
import { listPatterns, type PatternRow } from "./store.ts";

/** Decision of a site's list on an address. */
export interface AddressCheck {
	readonly ip: string;
	readonly isAllowed: boolean;
	/** The active pattern that covers the address, also while the list is switched off. */
	readonly pattern: PatternRow | undefined;
	readonly isEnabled: boolean;
}

/** The address that a caller asks about; 422 for what is none. */
export function readAddress(text: string): string {
	const ip = canonicalIp(text);
	if (ip === undefined) throw fieldError("body.ip_address", "Must be an IPv4 or IPv6 address", "ip_address");
	return ip;
}

/** Checks an address against a site's list, without a user. */
export async function checkAddress(metadata: Metadata, siteId: string, ip: string): Promise<AddressCheck> {
	const isEnabled = (await settingsOf(metadata, siteId)).is_enabled === 1;
	const active = (await listPatterns(metadata, siteId)).filter((row) => row.is_active === 1);
	const pattern = compileAddressList(active).find(ip);
	return { ip, isAllowed: !isEnabled || pattern !== undefined, pattern, isEnabled };
}

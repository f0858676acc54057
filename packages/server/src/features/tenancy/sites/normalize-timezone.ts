import { zoneChoices } from "../../../analytics/attribution/country-of-zone.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

const canonical = new Map<string, string>();

/** The IANA zone in its usual spelling (`europe/madrid` becomes `Europe/Madrid`); throws `invalid_timezone`. */
export function normalizeTimezone(zone: string): string {
	if (canonical.size === 0) {
		const names = [...Intl.supportedValuesOf("timeZone"), ...zoneChoices().map(({ timezone }) => timezone)];
		for (const name of names) canonical.set(name.toLowerCase(), name);
	}
	const known = canonical.get(zone.toLowerCase());
	if (known !== undefined) return known;
	// Offsets such as `+01:00` are no zones, though the platform takes them for such.
	if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(zone)) throw new ServiceError("invalid_timezone");
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
	} catch (cause) {
		throw new ServiceError("invalid_timezone", { cause });
	}
	return zone;
}

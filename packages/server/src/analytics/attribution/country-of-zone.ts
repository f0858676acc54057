import { getAllCountries, getAllTimezones } from "countries-and-timezones";

/** Stored for a visitor whose time zone maps to no country, and shown as the name of it. */
const UNKNOWN_COUNTRY = "Unknown";

/** POSIX-style names stand for an offset rather than for a place, though the zone table links them to one. */
const PLACELESS = /^[A-Z]{3,4}(?:\d[A-Z]{3})?$/;
/** Country names that also serve as zone names in the form of an abbreviation. */
const PLACES: ReadonlySet<string> = new Set(["PRC", "ROC", "ROK"]);

const isPlaceless = (zone: string) => PLACELESS.test(zone) && !PLACES.has(zone);

const zones = Object.values(getAllTimezones({ deprecated: true }));

const countryByZone: ReadonlyMap<string, string> = new Map(
	zones.flatMap(({ name, countries: [country] }) =>
		country === undefined || isPlaceless(name) ? [] : [[name, country] as const],
	),
);

const nameByCountry: ReadonlyMap<string, string> = new Map(
	Object.values(getAllCountries({ deprecated: true })).map(({ id, name }) => [id, name]),
);

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** Country (ISO 3166-1 alpha-2) of an IANA zone, aliases such as `Asia/Calcutta` included, else `Unknown`. */
export function countryOfZone(zone: string | undefined): string {
	return (zone !== undefined && countryByZone.get(zone)) || UNKNOWN_COUNTRY;
}

/** English name of a country code; the code itself when it is not assigned. */
export function countryName(code: string): string {
	const known = nameByCountry.get(code);
	if (known !== undefined) return known;
	return /^[A-Z]{2}$/.test(code) ? (regionNames.of(code) ?? code) : code;
}

/**
 * The zones offered for a site, by name: the current ones, `UTC`, and aliases that a country is known by
 * (`Europe/Stockholm`). Other old names are accepted but not offered. Codes are ISO 3166-1 alpha-2; `Unknown` for zones of no
 * country such as `UTC`.
 */
export function zoneChoices() {
	return zones
		.filter((zone) => zone.name === "UTC" || isOffered(zone))
		.map(({ name }): string => name)
		.sort()
		.map((timezone) => {
			const country = countryOfZone(timezone);
			return { timezone, country_code: country, country_name: countryName(country) };
		});
}

const mainCountries = new Set<string | undefined>(
	zones.filter(({ deprecated }) => !deprecated).map(({ countries }) => countries[0]),
);

/** Spellings that stand beside the current one of the same place. */
const OLD_SPELLINGS: ReadonlySet<string> = new Set(["Africa/Asmera", "America/Virgin", "Atlantic/Jan_Mayen"]);

function isOffered({ name, countries: [country], deprecated }: (typeof zones)[number]): boolean {
	if (country === undefined || !name.includes("/") || OLD_SPELLINGS.has(name)) return false;
	return !deprecated || !mainCountries.has(country);
}

const euCountries = new Set(
	"AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

const others = { GB: "gb_vat", CH: "ch_vat", NO: "no_vat" } as const;

/** The provider's name for company tax ids of a country. */
export function taxIdType(country: string | undefined): "eu_vat" | (typeof others)[keyof typeof others] | undefined {
	if (country === undefined) return undefined;
	if (euCountries.has(country)) return "eu_vat";
	return others[country as keyof typeof others];
}

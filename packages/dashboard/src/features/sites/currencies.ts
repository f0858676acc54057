/** Currencies that are offered: those that most shops sell in. */
export const currencies = [
	..."AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW".split(" "),
	..."MXN MYR NOK NZD PEN PHP PLN RON SAR SEK SGD THB TRY TWD UAH USD UYU VND ZAR".split(" "),
] as const;

const byRegion: Readonly<Record<string, string>> = {
	AR: "ARS",
	AU: "AUD",
	BR: "BRL",
	CA: "CAD",
	CH: "CHF",
	CL: "CLP",
	CO: "COP",
	GB: "GBP",
	IN: "INR",
	JP: "JPY",
	MX: "MXN",
	PE: "PEN",
	PL: "PLN",
	SE: "SEK",
	US: "USD",
};

/** The likely currency of a reader with a language such as `es-MX`; euro where the region tells nothing. */
export const currencyOf = (language: string): string => byRegion[language.split("-").at(-1) ?? ""] ?? "EUR";

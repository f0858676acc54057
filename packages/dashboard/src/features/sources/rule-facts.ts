type Values = Readonly<Record<"utm_source" | "utm_medium" | "utm_campaign" | "utm_term", string>> & {
	readonly utm_content?: string;
};

/** The campaign values of a rule in their order, those that it has. */
export const valuesOf = ({ utm_source, utm_medium, utm_campaign, utm_term, utm_content = "" }: Values): string =>
	[utm_source, utm_medium, utm_campaign, utm_term, utm_content].filter((value) => value !== "").join(" / ");

/** Facts of a rule, joined. */
export const said = (...facts: readonly (string | null)[]): string => facts.filter(Boolean).join(" · ");

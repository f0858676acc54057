import { languages } from "../../../platform/http/pages/languages.ts";

const themes = ["auto", "light", "dark"] as const;

/** How somebody wants to see the application; it keeps both in cookies, so that the page comes right at once. */
interface Reader {
	readonly language: (typeof languages)[number];
	readonly theme: (typeof themes)[number];
}

/** Look of a page by the parameters of its address, else by the browser's preferences, without cookies. */
export const readerOfLink = (query: Readonly<Record<string, unknown>>, acceptLanguage: string | undefined): Reader => ({
	language: languages.find((name) => name === query.lang) ?? preferred(acceptLanguage) ?? "en",
	theme: themes.find((name) => name === query.theme) ?? "auto",
});

interface Told {
	readonly cookies: Readonly<Record<string, string | undefined>>;
	readonly acceptLanguage: string | undefined;
}

/** The reader's choices; the language is else the first of the browser's that there is, or English. */
export const readerOf = ({ cookies, acceptLanguage }: Told): Reader => ({
	language: languages.find((name) => name === cookies.footfall_lang) ?? preferred(acceptLanguage) ?? "en",
	theme: themes.find((name) => name === cookies.footfall_theme) ?? "auto",
});

/** The language that an `Accept-Language` header likes best (RFC 9110, 12.5.4), of those that there are. */
function preferred(header = ""): Reader["language"] | undefined {
	const wishes = header.split(",").map((part) => {
		const [range = "", ...parameters] = part.toLowerCase().split(";");
		const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
		return { primary: range.trim().split("-", 1)[0], weight: Number(weight ?? 1) };
	});
	const best = wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
	return best.flatMap(({ primary }) => languages.find((name) => name === primary) ?? [])[0];
}

/** Data in the page: version of the service, whether there is a session, public settings. */
export interface Boot {
	readonly version: string;
	/** `stale`: the session has to be refreshed first. */
	readonly session: "fresh" | "stale" | "none";
	/** The answer of `GET /config`. */
	readonly config: object;
	/** On the page of a shared link: whether it shows anything, and asks for a password first. */
	readonly share?: "open" | "locked" | "gone";
}

/** The page for a reader. */
export type Template = (reader: Reader, boot: Boot) => string;

const language = 'lang="en"';
const theme = 'data-theme="auto"';
const boot = '<script type="application/json" id="boot">{}</script>';

/** Takes the page as it was built for a template; throws where a place for what a request brings is missing. */
export function readTemplate(page: string): Template {
	const missing = [language, theme, boot].filter((place) => !page.includes(place));
	if (missing.length > 0) throw new Error(`index.html of the dashboard lacks ${missing.join(", ")}: build it again`);
	return (reader, known) =>
		page
			.replace(language, `lang="${reader.language}"`)
			.replace(theme, `data-theme="${reader.theme}"`)
			.replace(boot, () => boot.replace("{}", () => inScript(known)));
}

/** JSON that cannot end the element that it stands in. */
const inScript = (value: object): string => JSON.stringify(value).replaceAll("<", "\\u003c");

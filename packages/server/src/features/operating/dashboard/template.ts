import type { Reader } from "./reader.ts";

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

const SPACES = /[\s\u00a0\u202f'’]/g;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const spanishMonths = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"];

/** A whole number from 0 on, with whatever a country puts between its thousands; undefined for anything else. */
export function readCount(text: string): number | undefined {
	const bare = text.replace(SPACES, "");
	if (/^\d+$/.test(bare)) return Number(bare);
	if (/^[1-9]\d{0,2}([.,]\d{3})+$/.test(bare)) return Number(bare.replace(/[.,]/g, ""));
	// Some tools write counts as decimals.
	if (/^\d+[.,]0+$/.test(bare)) return Number.parseInt(bare, 10);
	return undefined;
}

/** Any number. The last separator is the decimal one, but a comma before exactly three digits separates thousands. */
export function readAmount(text: string): number | undefined {
	const bare = text.replace(SPACES, "").replace(/^[^\d.,+-]+|[^\d.,]+$/g, "");
	if (!/^[+-]?[\d.,]*\d$/.test(bare)) return undefined;
	const last = Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","));
	if (last === -1) return Number(bare);
	const separator = bare.charAt(last);
	const isRepeated = bare.indexOf(separator) !== last;
	const isThousands =
		isRepeated || (separator === "," && bare.length - last === 4 && !bare.includes(".") && !/^[+-]?0/.test(bare));
	if (isThousands) return Number(bare.replace(/[.,]/g, ""));
	return Number(`${bare.slice(0, last).replace(/[.,]/g, "")}.${bare.slice(last + 1)}`);
}

/** Seconds, as a number or as `00:01:23`. */
export function readSeconds(text: string): number | undefined {
	const clock = /^(?:(\d+):)?(\d{1,2}):(\d{2})$/.exec(text.trim());
	if (clock === null) return readAmount(text);
	return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
}

/** A share between 0 and 1: `45%`, `45.2%` or `0.452`. */
export function readShare(text: string): number | undefined {
	const value = readAmount(text);
	if (value === undefined || value < 0) return undefined;
	const share = text.includes("%") ? value / 100 : value;
	return share <= 1 ? share : undefined;
}

/**
 * A day as `YYYY-MM-DD`, of `20261101`, `2026-11-01`, `2026/11/01`, `01.11.2026`, `Nov 1, 2026`, `1 November 2026` and `1 de
 * noviembre de 2026`. Days as `01/11/2026` mean two things, and are none.
 */
export function readDay(text: string): string | undefined {
	const bare = text.trim();
	const iso = /^(\d{4})([-/]?)(\d{2})\2(\d{2})$/.exec(bare);
	if (iso !== null) return day(iso[1], iso[3], iso[4]);
	const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(bare);
	if (german !== null) return day(german[3], german[2], german[1]);
	const words =
		/^(?:\p{L}+,? )?(?:([a-z]{3,10})\.? (\d{1,2}),?|(\d{1,2}) (?:de )?([a-z]{3,10})\.?,?)(?: de)? (\d{4})$/iu.exec(
			bare,
		);
	if (words === null) return undefined;
	const name = (words[1] ?? words[4] ?? "").slice(0, 3).toLowerCase();
	const month = Math.max(months.indexOf(name), spanishMonths.indexOf(name)) + 1;
	return day(words[5], String(month), words[2] ?? words[3]);
}

function day(year = "", month = "", dayOfMonth = ""): string | undefined {
	const text = `${year}-${month.padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`;
	const time = Date.parse(`${text}T00:00:00Z`);
	return Number.isNaN(time) || new Date(time).toJSON().slice(0, 10) !== text ? undefined : text;
}

/** The day that comes so many days after another. */
export const dayAfter = (from: string, days: number): string =>
	new Date(Date.parse(`${from}T00:00:00Z`) + days * 86_400_000).toJSON().slice(0, 10);

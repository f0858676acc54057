/** Properties of an event: any JSON; `items`, a list of objects, are the lines of a purchase. */
export type Properties = Record<string, unknown>;

/** The global `footfall` of the page. Calls never throw and return nothing. */
export interface Footfall {
	/** Sends a page view. */
	(options?: { group?: string }): void;
	/** Sends a conversion; `amount` in the site's currency, as a number or the text of one: `59.9`, `"59.90"`. */
	conv(type: string, amount?: number | string | null, properties?: Properties): void;
	/** Sends a conversion without an amount. */
	conv(type: string, properties: Properties): void;
	/** Sends a microconversion: a step that is worth knowing and not worth money. */
	micro(type: string, properties?: Properties): void;
	/** Site id; absent until the script is there. */
	readonly accountId?: string;
	/** Random value of this page load, kept in memory only. */
	readonly sessionId?: string;
	/** IANA time zone of the browser. */
	readonly tz?: string;
	/** Whether the first page view goes out by itself. */
	readonly autoMode?: boolean;
	/** Whether single-page routes count as page views. */
	readonly spaMode?: boolean;
	/** Calls that wait for the script; absent once it is there. */
	readonly q?: ["pv" | "cv" | "mc", ArrayLike<unknown>][];
}

export interface LoadOptions {
	/** Address of the script with its parameters: `https://stats.example.com/t.js?id=shop`. */
	src: string;
	/** Counts the routes of a hash router, `#/route`. */
	hash?: boolean;
}

/** Puts the script into the page. Does nothing outside a browser. */
export declare function load(options: LoadOptions): void;

declare global {
	interface Window {
		footfall: Footfall;
	}
	const footfall: Footfall;
}

/** One hit as the browser sends it: the JSON text is the whole body of `POST {root}/event`, sent as `text/plain`. */
export interface Hit {
	/** Site id. */
	a: string;
	/** Random value of this page load, kept in memory only. */
	s: string;
	/** Token that came with the script. */
	t: string;
	/** Page address without fragment. */
	u: string;
	/** Referrer: the document's, or the address before the last single-page route. */
	r: string;
	/** IANA time zone of the browser. */
	z: string;
	/** Browser clock, milliseconds since the Unix epoch. */
	c: number;
	/** Content group. */
	g: string;
	/** Event type; absent on a pageview. */
	e?: string;
	/** Amount of a conversion: a number, or the text of what is none, which the collector refuses. */
	v?: number | string | undefined;
	/** Currency of the amount, where the page names one. */
	k?: unknown;
	/** Marks a microconversion. */
	m?: 1 | undefined;
	/** Properties of the event. */
	x?: object | null | undefined;
}

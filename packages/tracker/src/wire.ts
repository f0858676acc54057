/** One hit as the browser sends it: the JSON text is the whole body of `POST {root}/event`, sent as `text/plain`. */
export interface Hit {
	/** Site id. */
	a: string;
	/** Token that came with the script. */
	t: string;
	/** Page address without fragment. */
	u: string;
	/** Referrer: the document's, or the address before the last single-page route. */
	r: string;
	/** IANA time zone of the browser. */
	z: string;
	/** Content group. */
	g: string;
	/** Event type; absent on a pageview. */
	e?: string;
	/** Amount of a conversion: a number or a text, as the page gave it. */
	v?: unknown;
	/** Marks a microconversion. */
	m?: 1 | undefined;
	/** Properties of the event. */
	x?: object | null | undefined;
}

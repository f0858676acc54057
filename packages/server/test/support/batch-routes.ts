const stats = (text: string) => text.split(" ").map((name) => `/stats/${name}`);

/** Reports that a batch may ask, written out: a new one belongs here or below. */
export const batchReports = [
	...stats("browsers campaigns campaigns/top channels contents contents/top conversions devices devices/types"),
	...stats("exit-pages funnel geo/countries landing-pages landing-pages/by-content-group landing-pages/top live"),
	...stats("mediums microconversions microconversions-types microconversions/{type} operating-systems overview"),
	...stats("pages pages/content-groups pages/top properties/breakdown properties/keys properties/values"),
	...stats("referrers referrers/top sources sources/top terms terms/top top-channels"),
];

/** Routes of reports that a batch may not ask. */
export const notForBatches = [
	...stats("aggregate/conversions aggregate/devices aggregate/geo/countries aggregate/landing-pages"),
	...stats("aggregate/mediums aggregate/overview aggregate/pages aggregate/sources"),
	...stats("conversion-items/raw conversions/raw live/stream microconversions/raw"),
];

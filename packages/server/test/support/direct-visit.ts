/** The dimensions of a visit that began at the home page, typed in by somebody in Spain with Firefox on Linux. */
export const directVisit = {
	referrer: "",
	landing_path: "/",
	landing_group: "",
	utm_source: "(direct)",
	utm_medium: "(none)",
	utm_campaign: "",
	utm_term: "",
	utm_content: "",
	country: "ES",
	device: "desktop",
	browser: "Firefox",
	os: "Linux",
	channel: "Direct",
	clid: "",
} as const;

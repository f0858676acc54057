/** Where Google is reached: never where a key file or an answer says. */
export interface GoogleHosts {
	/** Where signed assertions become tokens. */
	readonly token: string;
	/** Whom an assertion is for. */
	readonly audience: string;
	/** Origin of the interface of BigQuery. */
	readonly api: string;
}

const TOKEN = "https://oauth2.googleapis.com/token";

/** Google's own hosts, or in their place what the operator named. */
export const googleHosts = (base: string | undefined): GoogleHosts => ({
	token: base === undefined ? TOKEN : `${base}/token`,
	audience: TOKEN,
	api: base ?? "https://bigquery.googleapis.com",
});
